//! Compiles the GPU kernels for the CPU if the feature `emulator` is enabled.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "emulator")]
    pellucid_emulator::compile("pellucid_emulated_histogram", &["src/gpu/kernels/emulated.cpp"]);
}
