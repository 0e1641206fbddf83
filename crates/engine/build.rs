//! Compiles the GPU's kernels for the processor, where the feature `emulator` asks for it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "emulator")]
    emulator();
}

#[cfg(feature = "emulator")]
fn emulator() {
    println!("cargo::rerun-if-changed=src/gpu/emulator");
    println!("cargo::rerun-if-changed=src/gpu/kernels");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        // Unoptimised kernels would make the tests wait.
        .opt_level(2)
        .warnings(true)
        .extra_warnings(true)
        // `#pragma unroll` is for the GPU's compiler.
        .flag_if_supported("-Wno-unknown-pragmas")
        .files(
            ["cover.cpp", "close.cpp", "relate.cpp", "self_test.cpp"]
                .map(|file| format!("src/gpu/emulator/{file}")),
        )
        .compile("pellucid_emulator");
}
