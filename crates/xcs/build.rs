//! Compiles the GPU kernels for the CPU, where the feature `emulator` asks for it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "emulator")]
    pellucid_emulator::compile("pellucid_emulated_xcs", &["src/gpu/kernels/emulated.cpp"]);
}
