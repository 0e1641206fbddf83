//! Arguments of kernels: structs that are declared once, in Rust, and have the same memory layout
//! in CUDA C++.
//!
//! [`kernel_structs!`](crate::kernel_structs) declares a struct and generates the C++ declaration
//! of the same struct, with assertions of its size and of every offset. A crate keeps these
//! declarations in a [`KernelHeader`] next to its kernels, and a test fails if the two differ.
//!
//! Pointers are [`Reads`] and [`Writes`]. Only a [`Pass`](super::Pass) creates them, from memory
//! that lives as long as the pass.

use std::fmt::{self, Debug, Formatter};
use std::marker::PhantomData;
use std::path::Path;

/// A type with a counterpart in C++.
///
/// # Safety
/// Values have the same memory layout as the C++ type of that name, without padding.
pub unsafe trait Plain: Copy {
    /// The name in C++.
    const NAME: &'static str;
    /// Fails to compile if a struct has padding.
    const NO_PADDING: () = ();

    /// Returns the C++ declaration of a field.
    #[must_use]
    fn declare(field: &str) -> String {
        format!("{} {field}", Self::NAME)
    }

    /// Returns the C++ definition of the type, or nothing if C++ has the type.
    #[must_use]
    fn define() -> String {
        String::new()
    }
}

/// A plain type without [`Reads`] and [`Writes`], for which every bit pattern is valid.
///
/// # Safety
/// Every bit pattern is a valid value.
pub unsafe trait PlainRecord: Plain + Default {}

macro_rules! plain {
    ($($type:ty = $name:literal),* $(,)?) => { $(
        // SAFETY: both languages represent these numbers in the same way.
        unsafe impl Plain for $type {
            const NAME: &'static str = $name;
        }
        // SAFETY: every bit pattern is a number.
        unsafe impl PlainRecord for $type {}
    )* };
}

plain! {
    u8 = "unsigned char",
    u32 = "u32",
    u64 = "u64",
    f32 = "float",
    f64 = "double",
    Uint2 = "uint2",
    Uint4 = "uint4",
    Float2 = "float2",
}

/// Two words, as CUDA defines them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Uint2(pub [u32; 2]);

/// Four words, as CUDA defines them.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Uint4(pub [u32; 4]);

/// Two numbers, as CUDA defines them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Float2(pub [f32; 2]);

// SAFETY: arrays have the same layout as in C++.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {
    const NAME: &'static str = T::NAME;

    fn declare(field: &str) -> String {
        format!("{} {field}[{N}]", T::NAME)
    }
}

// SAFETY: as for the elements.
unsafe impl<T: PlainRecord, const N: usize> PlainRecord for [T; N] where [T; N]: Default {}

/// The conversion of addresses to pointers, private to this crate.
pub(super) mod sealed {
    /// A pointer in the argument of a kernel.
    pub trait FromAddress {
        /// The alignment of addresses, in bytes.
        const ALIGNMENT: usize;

        /// Returns the pointer to an address.
        fn from_address(address: u64) -> Self;
    }
}

/// A pointer to memory that lives at least as long as `'a`: [`Reads`] or [`Writes`].
pub trait Pointer<'a>: sealed::FromAddress {}

macro_rules! pointer {
    ($(#[doc = $doc:literal])* $name:ident, $declaration:literal) => {
        $(#[doc = $doc])*
        #[repr(transparent)]
        pub struct $name<'a, T> {
            address: u64,
            memory: PhantomData<&'a T>,
        }

        impl<T> Clone for $name<'_, T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<'_, T> {}

        impl<T> Default for $name<'_, T> {
            fn default() -> Self {
                $name { address: 0, memory: PhantomData }
            }
        }

        impl<T> Debug for $name<'_, T> {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                write!(f, "{:#x}", self.address)
            }
        }

        // SAFETY: it is a 64-bit address, like pointers on a GPU.
        unsafe impl<T: Plain> Plain for $name<'_, T> {
            const NAME: &'static str = T::NAME;

            fn declare(field: &str) -> String {
                format!($declaration, T::NAME, field)
            }
        }

        impl<T> sealed::FromAddress for $name<'_, T> {
            const ALIGNMENT: usize = align_of::<T>();

            fn from_address(address: u64) -> Self {
                $name { address, memory: PhantomData }
            }
        }

        impl<'a, T> Pointer<'a> for $name<'a, T> {}
    };
}

pointer! {
    /// Memory that a kernel reads. The default is a null pointer.
    Reads, "const {}* {}"
}
pointer! {
    /// Memory that a kernel writes, or reads and writes. The default is a null pointer.
    Writes, "{}* {}"
}

/// An address that is stored as data in GPU memory, where a kernel finds it. Passes that use it
/// must [keep](super::Pass::keep) the memory.
#[repr(transparent)]
pub struct Stored<T> {
    address: u64,
    of: PhantomData<fn() -> T>,
}

impl<T> Stored<T> {
    pub(super) fn new(address: u64) -> Stored<T> {
        Stored { address, of: PhantomData }
    }

    /// Returns the address as two words, the lower half first.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "halves")]
    pub fn words(self) -> [u32; 2] {
        [self.address as u32, (self.address >> 32) as u32]
    }
}

impl<T> Clone for Stored<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Stored<T> {}

impl<T> Default for Stored<T> {
    fn default() -> Self {
        Stored::new(0)
    }
}

impl<T> Debug for Stored<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.address)
    }
}

// SAFETY: it is a 64-bit address, like pointers on a GPU.
unsafe impl<T: Plain> Plain for Stored<T> {
    const NAME: &'static str = T::NAME;

    fn declare(field: &str) -> String {
        format!("const {}* {field}", T::NAME)
    }
}

// SAFETY: every bit pattern is an address. Kernels use only addresses that their pass provides.
unsafe impl<T: Plain> PlainRecord for Stored<T> {}

/// Returns the bytes of a value.
fn bytes_of<A: Plain>(value: &A) -> &[u8] {
    let () = A::NO_PADDING;
    let start = std::ptr::from_ref(value).cast();
    // SAFETY: a plain value has no padding, so all of its bytes are initialized. They live as long
    // as the value.
    unsafe { std::slice::from_raw_parts(start, size_of::<A>()) }
}

/// Returns an argument as words of 64 bits.
pub(super) fn argument_words<A: Plain>(value: &A) -> Vec<u64> {
    let word = |bytes: &[u8]| {
        let mut whole = [0; 8];
        whole[..bytes.len()].copy_from_slice(bytes);
        u64::from_ne_bytes(whole)
    };
    bytes_of(value).chunks(8).map(word).collect()
}

/// Returns the number of words in a record.
#[must_use]
pub const fn record_words<R: PlainRecord>() -> usize {
    size_of::<R>() / 4
}

/// Writes a record into memory that will be copied to a GPU.
///
/// # Panics
/// When there are fewer words than the record has.
pub fn write_record<R: PlainRecord>(record: &R, to: &mut [u32]) {
    let words = bytes_of(record).as_chunks::<4>().0;
    for (to, &bytes) in to[..record_words::<R>()].iter_mut().zip(words) {
        *to = u32::from_ne_bytes(bytes);
    }
}

/// Reads a record that was copied from a GPU.
///
/// # Panics
/// When there are fewer words than the record has.
#[must_use]
pub fn read_record<R: PlainRecord>(from: &[u32]) -> R {
    let () = R::NO_PADDING;
    let from = &from[..record_words::<R>()];
    let mut record = R::default();
    // SAFETY: the slice above has this many words, every bit pattern is a valid record, and the two
    // do not overlap.
    unsafe {
        std::ptr::copy_nonoverlapping(
            from.as_ptr().cast::<u8>(),
            std::ptr::from_mut(&mut record).cast::<u8>(),
            size_of::<R>(),
        );
    }
    record
}

/// The C++ header for the kernels of a crate: the structs, and the struct that each kernel takes.
#[derive(Debug)]
pub struct KernelHeader(String);

impl KernelHeader {
    /// Creates an empty header that names the file with the Rust declarations.
    #[must_use]
    pub fn new(source: &str) -> KernelHeader {
        KernelHeader(format!(
            "// Written from {source} by PELLUCID_UPDATE=1 cargo nextest run headers; do not edit.\n\
             #pragma once\n\n\
             typedef unsigned int u32;\ntypedef unsigned long long u64;\n\n\
             // Where a field lies: NVRTC has no headers and spells it in its own way.\n\
             #ifdef __CUDACC_RTC__\n\
             #define OFFSET_OF(type, field) __INTADDR__(&(((type*)0)->field))\n\
             #else\n\
             #define OFFSET_OF(type, field) __builtin_offsetof(type, field)\n\
             #endif\n"
        ))
    }

    /// Adds a struct.
    #[must_use]
    pub fn with<T: Plain>(mut self) -> KernelHeader {
        let () = T::NO_PADDING;
        self.0 += "\n";
        self.0 += &T::define();
        self
    }

    /// Adds a constant for both languages.
    #[must_use]
    pub fn with_constant(mut self, documentation: &str, name: &str, value: usize) -> KernelHeader {
        self.0 += &format!("\n// {documentation}\n#define {name} {value}u\n");
        self
    }

    /// Adds the kernels of a module: a macro that is expanded for each kernel with its name and its
    /// argument.
    #[must_use]
    pub fn with_kernels(mut self, module: &super::Module) -> KernelHeader {
        let list = module.kernels.iter().zip(module.arguments);
        let list = list.map(|(kernel, argument)| format!(" \\\n    KERNEL({kernel}, {argument})"));
        self.0 += &format!("\n// The kernels of {}.cu.\n", module.name);
        self.0 += &format!("#define {}_KERNELS(KERNEL)", module.name.to_uppercase());
        self.0.extend(list);
        self.0 += "\n";
        self
    }

    /// Compares the header with a file, or writes the file if `PELLUCID_UPDATE` is set.
    ///
    /// # Errors
    /// When the file differs or cannot be written.
    pub fn check(&self, file: &Path) -> Result<(), String> {
        if std::env::var_os("PELLUCID_UPDATE").is_some() {
            return std::fs::write(file, &self.0)
                .map_err(|error| format!("cannot write {}: {error}", file.display()));
        }
        let current = std::fs::read_to_string(file).unwrap_or_default();
        match current == self.0 {
            true => Ok(()),
            false => Err(format!(
                "{} differs from the Rust declarations: run PELLUCID_UPDATE=1 cargo nextest run headers, \
                 then cargo xtask ptx",
                file.display()
            )),
        }
    }
}

/// Returns the C++ declaration of a field, with its documentation.
#[doc(hidden)]
#[must_use]
pub fn field<T: Plain>(documentation: &[&str], name: &str) -> String {
    format!("{}    {};\n", comments(documentation, "    "), T::declare(name))
}

/// Returns documentation as C++ comments.
#[doc(hidden)]
#[must_use]
pub fn comments(documentation: &[&str], indent: &str) -> String {
    documentation.iter().map(|line| format!("{indent}//{line}\n")).collect()
}

/// Declares structs that kernels take or that are stored in GPU memory.
///
/// A struct with a lifetime may contain [`Reads`](crate::gpu::Reads) and
/// [`Writes`](crate::gpu::Writes). A struct without one is a [`PlainRecord`](crate::gpu::PlainRecord), which
/// can be written into memory and read back. A struct with padding does not compile: add a field to
/// fill it.
#[macro_export]
macro_rules! kernel_structs {
    () => {};
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident <$life:lifetime> { $($fields:tt)* }
        $($rest:tt)*
    ) => {
        $crate::kernel_structs!(@one [$(#[doc = $doc])*] [$vis] $name [<$life>] { $($fields)* });
        $crate::kernel_structs!($($rest)*);
    };
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident { $($fields:tt)* }
        $($rest:tt)*
    ) => {
        $crate::kernel_structs!(@one [$(#[doc = $doc])*] [$vis] $name [] { $($fields)* });
        $crate::kernel_structs!(@record $name { $($fields)* });
        $crate::kernel_structs!($($rest)*);
    };
    (@record $name:ident {
        $( $(#[doc = $doc:literal])* $vis:vis $field:ident : $type:ty ),* $(,)?
    }) => {
        const _: () = {
            const fn is_record<T: $crate::gpu::PlainRecord>() {}
            $( is_record::<$type>(); )*
        };
        // SAFETY: all fields are records, as checked above.
        unsafe impl $crate::gpu::PlainRecord for $name {}
    };
    (@one [$(#[doc = $doc:literal])*] [$vis:vis] $name:ident [$($generic:tt)*] {
        $( $(#[doc = $field_doc:literal])* $field_vis:vis $field:ident : $type:ty ),* $(,)?
    }) => {
        $(#[doc = $doc])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default)]
        #[allow(dead_code, reason = "kernels read the fields")]
        $vis struct $name $($generic)* {
            $( $(#[doc = $field_doc])* $field_vis $field: $type, )*
        }

        // SAFETY: all fields are plain and have the layout of C++ (`repr(C)`). If there were
        // padding, this would not compile.
        unsafe impl $($generic)* $crate::gpu::Plain for $name $($generic)* {
            const NAME: &'static str = stringify!($name);
            const NO_PADDING: () = {
                $( let () = <$type as $crate::gpu::Plain>::NO_PADDING; )*
                assert!(size_of::<Self>() == 0 $( + size_of::<$type>() )*, "a struct has padding");
            };

            fn define() -> String {
                let name = stringify!($name);
                let mut text = $crate::gpu::comments(&[$($doc),*], "");
                text += &format!("struct {name} {{\n");
                $( text += &$crate::gpu::field::<$type>(&[$($field_doc),*], stringify!($field)); )*
                text += &format!(
                    "}};\nstatic_assert(sizeof({name}) == {}, \"size\");\n",
                    size_of::<Self>()
                );
                $(
                    text += &format!(
                        "static_assert(OFFSET_OF({name}, {}) == {}, \"offset\");\n",
                        stringify!($field),
                        ::std::mem::offset_of!(Self, $field)
                    );
                )*
                text
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::kernel_structs! {
        /// A pair.
        struct Pair {
            first: u32,
            second: u32,
        }

        /// Several kinds of fields.
        struct Kinds<'a> {
            /// The input.
            read: Reads<'a, u32>,
            written: Writes<'a, Uint4>,
            pairs: [Pair; 2],
            numbers: [f64; 3],
        }
    }

    #[test]
    fn declarations_match_the_memory_layout() {
        assert_eq!(Pair::define().lines().nth(1), Some("struct Pair {"));
        let expected = "// Several kinds of fields.\nstruct Kinds {\n    // The input.\n    \
             const u32* read;\n    uint4* written;\n    Pair pairs[2];\n    double numbers[3];\n};\n\
             static_assert(sizeof(Kinds) == 56, \"size\");\n\
             static_assert(OFFSET_OF(Kinds, read) == 0, \"offset\");\n\
             static_assert(OFFSET_OF(Kinds, written) == 8, \"offset\");\n\
             static_assert(OFFSET_OF(Kinds, pairs) == 16, \"offset\");\n\
             static_assert(OFFSET_OF(Kinds, numbers) == 32, \"offset\");\n";
        assert_eq!(Kinds::define(), expected);
    }

    #[test]
    fn records_come_back_as_they_were_written() {
        let mut words = [9; 3];
        write_record(&Pair { first: 1, second: 2 }, &mut words);
        assert_eq!(words, [1, 2, 9]);
        let Pair { first, second } = read_record(&words[1..]);
        assert_eq!((first, second), (2, 9));
        let kinds = Kinds { pairs: [Pair { first: 1, second: 2 }; 2], ..Kinds::default() };
        assert_eq!(argument_words(&kinds)[2..4], [2 << 32 | 1; 2]);
    }
}
