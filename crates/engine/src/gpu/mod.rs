//! The cover contract on a GPU.

#[cfg(feature = "emulator")]
mod emulator;
