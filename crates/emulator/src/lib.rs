//! CUDA C++ on the CPU.
//!
//! Every thread of a block is a fiber, and fibers switch at barriers and warp votes. The headers in
//! `include/` define the keywords of CUDA for a C++ compiler, so that the same `.cu` file runs on a GPU and
//! on a CPU. The crates with kernels call [`compile`] from their build scripts, with a small `.cpp` file that
//! includes the header, then the kernels, and lists them by name; `pellucid-device` launches them.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "that is how a build script speaks to Cargo")]

use std::path::Path;

/// Compiles some `.cpp` files, and all kernels they include, into a library that is linked to the calling
/// crate. Meant for build scripts; paths are relative to the crate.
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
        // Unoptimised kernels would make the tests wait.
        .opt_level(2)
        .warnings(true)
        .extra_warnings(true)
        // `#pragma unroll` is for the GPU's compiler.
        .flag_if_supported("-Wno-unknown-pragmas")
        // A GPU fuses nothing that the source keeps apart.
        .flag_if_supported("-ffp-contract=off")
        // Kernels look at the same memory as words of several sizes.
        .flag_if_supported("-fno-strict-aliasing")
        .include(headers)
        .files(files)
        .compile(library);
}
