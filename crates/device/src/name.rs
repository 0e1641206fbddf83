use std::sync::OnceLock;

/// Returns the name of the CPU as the operating system reports it.
pub(crate) fn processor_name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("model name"));
        let name = line.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim());
        name.filter(|name| !name.is_empty()).unwrap_or(std::env::consts::ARCH).to_owned()
    })
}
