use super::portable::Portable;
use super::simd::{Kernel, Simd};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::sync::OnceLock;
use thiserror::Error;

/// The instruction set that the kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The specification: one row at a time. It is slow and the reference for all others.
    Scalar,
    /// Plain 64-bit words, which the compiler vectorizes for the baseline of the target.
    Portable,
    /// AVX2.
    Avx2,
    /// AVX-512 with vector popcounts.
    Avx512,
}

/// The reason why a level cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LevelError {
    /// Not the name of a level.
    #[error("PELLUCID_SIMD: found '{0}'; expected one of scalar, portable, avx2, avx512")]
    Unknown(String),
    /// The CPU does not support the level.
    #[error("PELLUCID_SIMD asks for {asked}, but this CPU supports {best} at most")]
    Absent {
        /// The requested level.
        asked: Level,
        /// The best supported level.
        best: Level,
    },
}

impl Level {
    /// All levels, simplest first.
    pub const ALL: [Level; 4] = [Level::Scalar, Level::Portable, Level::Avx2, Level::Avx512];

    /// Returns the level in use: the best supported one, or that of the environment variable `PELLUCID_SIMD`.
    /// It is determined once, at the first call.
    ///
    /// # Errors
    /// When the variable is not the name of a level, or the CPU does not support the level.
    pub fn chosen() -> Result<Level, LevelError> {
        static CHOSEN: OnceLock<Result<Level, LevelError>> = OnceLock::new();
        CHOSEN.get_or_init(|| Level::choose(std::env::var("PELLUCID_SIMD").ok().as_deref())).clone()
    }

    fn choose(asked: Option<&str>) -> Result<Level, LevelError> {
        let Some(asked) = asked.filter(|asked| !asked.is_empty()) else { return Ok(Level::best()) };
        let asked: Level = asked.parse()?;
        if asked.is_available() {
            Ok(asked)
        } else {
            Err(LevelError::Absent { asked, best: Level::best() })
        }
    }

    /// Returns the best level that this CPU supports.
    #[must_use]
    pub fn best() -> Level {
        Level::ALL.into_iter().rev().find(|level| level.is_available()).unwrap_or(Level::Portable)
    }

    /// Returns whether this CPU supports the level.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Level::Scalar | Level::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => super::avx2::Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => super::avx512::Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Level::Avx2 | Level::Avx512 => false,
        }
    }

    /// Returns the name of the level.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            Level::Portable => "portable",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// Runs a kernel with the instructions of the level. The scalar level has no kernels of this kind and
    /// uses the portable ones. So does a level that the CPU does not support, which [`Level::chosen`] never
    /// returns.
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        {
            if self == Level::Avx512
                && let Some(simd) = super::avx512::Avx512::detect()
            {
                return simd.run(kernel);
            }
            if self >= Level::Avx2
                && let Some(simd) = super::avx2::Avx2::detect()
            {
                return simd.run(kernel);
            }
        }
        Portable.run(kernel)
    }
}

impl Display for Level {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(name: &str) -> Result<Level, LevelError> {
        Level::ALL
            .into_iter()
            .find(|level| level.name().eq_ignore_ascii_case(name.trim()))
            .ok_or_else(|| LevelError::Unknown(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_selects_the_level() {
        assert_eq!(Level::choose(None), Ok(Level::best()));
        assert_eq!(Level::choose(Some("")), Ok(Level::best()));
        assert_eq!(Level::choose(Some("Portable")), Ok(Level::Portable));
        assert_eq!(
            Level::choose(Some("sse9")).unwrap_err().to_string(),
            "PELLUCID_SIMD: found 'sse9'; expected one of scalar, portable, avx2, avx512"
        );
    }

    #[test]
    fn names_parse_back() {
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
        }
    }
}
