//! CUDA C++ on the CPU.
//!
//! Every thread of a block is a fiber, and fibers switch at barriers and warp votes. The headers in
//! `include/` define the keywords of CUDA for a C++ compiler, so that the same `.cu` file runs on a
//! GPU and on a CPU. Crates with kernels call [`compile`] from their build scripts, with a small
//! `.cpp` file that includes the header and the kernels and lists them by name. `pellucid-device`
//! launches them.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "build scripts print instructions for Cargo")]

use std::path::Path;

/// Compiles `.cpp` files, and all kernels that they include, into a library that is linked to the
/// calling crate. Call it from build scripts. Paths are relative to the crate.
pub fn compile(library: &str, files: &[&str]) {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    for file in files {
        let folder = Path::new(file).parent().unwrap_or(Path::new("."));
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    println!("cargo::rerun-if-changed={}", headers.display());
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        // Tests would be slow with unoptimized kernels.
        .opt_level(2)
        .warnings(true)
        .extra_warnings(true)
        // Only the GPU compiler knows `#pragma unroll`.
        .flag_if_supported("-Wno-unknown-pragmas")
        // GCC does not see that the first round of an unrolled loop sets a variable.
        .flag_if_supported("-Wno-maybe-uninitialized")
        // No implicit fused multiply-add, as on the GPU.
        .flag_if_supported("-ffp-contract=off")
        // Kernels access the same memory as words of different sizes.
        .flag_if_supported("-fno-strict-aliasing")
        .include(headers)
        .files(files)
        .compile(library);
}
