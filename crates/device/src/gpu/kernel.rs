//! Kernels, their modules and their arguments.

use std::marker::PhantomData;

/// A compiled kernel source. Its kernels are loaded together when one of them is first needed.
#[derive(Debug)]
pub struct Module {
    /// The name of the source.
    pub name: &'static str,
    /// The PTX code that the CUDA compiler produced.
    pub ptx: &'static str,
    /// The names of its kernels.
    pub kernels: &'static [&'static str],
    /// The struct that each kernel takes.
    pub arguments: &'static [&'static str],
    /// Whether launches specify the shared memory of a block.
    pub shared_on_demand: bool,
    /// The same kernels, compiled for the CPU.
    #[cfg(feature = "emulator")]
    pub emulate: super::Emulate,
}

/// A kernel: a module, and the index of the kernel in it.
#[derive(Clone, Copy, Debug)]
pub struct GpuKernel {
    /// The module.
    pub module: &'static Module,
    /// The index of the kernel.
    pub number: usize,
}

impl GpuKernel {
    /// Returns the name of the kernel in the source.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.module.kernels.get(self.number).copied().unwrap_or("unnamed")
    }
}

/// A kernel that takes an argument of type `A`. [`kernels!`](crate::kernels) declares them.
#[derive(Debug)]
pub struct Kernel<A> {
    kernel: GpuKernel,
    argument: PhantomData<fn() -> A>,
}

impl<A> Clone for Kernel<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Kernel<A> {}

impl<A> Kernel<A> {
    /// Returns the kernel of a module with the given name.
    ///
    /// # Panics
    /// When the module has no kernel of this name. With [`kernels!`](crate::kernels), this is a
    /// compile-time error.
    #[doc(hidden)]
    #[must_use]
    pub const fn of(module: &'static Module, name: &str) -> Kernel<A> {
        let mut number = 0;
        while !is_same(module.kernels[number], name) {
            number += 1;
        }
        Kernel { kernel: GpuKernel { module, number }, argument: PhantomData }
    }

    /// Returns the module and the index of the kernel.
    #[must_use]
    pub fn id(self) -> GpuKernel {
        self.kernel
    }
}

const fn is_same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// Declares a [`Module`] and its kernels, each with the struct that it takes: first single kernels,
/// then families of kernels that differ in a number.
///
/// A kernel that is listed here must access only the memory that its argument points to, within the
/// bounds that were set. The conformance suites run every kernel in an emulator that detects writes
/// elsewhere.
///
/// ```ignore
/// kernels! {
///     /// The kernels of `relate.cu`.
///     pub(super) static RELATE = "relate" in "generated/relate.ptx",
///         emulated by pellucid_emulate_relate, shared on demand: false;
///     kernel LAY_ROWS: Relate<'static> = lay_rows;
///     family COUNT_PIECES: Relate<'static> = [count_pieces_0, count_pieces_2];
/// }
/// ```
#[macro_export]
macro_rules! kernels {
    (
        $(#[doc = $doc:literal])*
        $vis:vis static $module:ident = $name:literal in $ptx:literal, emulated by $emulate:ident,
            shared on demand: $shared:literal;
        $( kernel $single:ident : $argument:ident $(<$life:lifetime>)? = $kernel:ident; )*
        $( family $family:ident : $of:ident $(<$of_life:lifetime>)? = [$($member:ident),* $(,)?]; )*
    ) => {
        $(#[doc = $doc])*
        $vis static $module: $crate::gpu::Module = $crate::gpu::Module {
            name: $name,
            ptx: include_str!($ptx),
            kernels: &[$( stringify!($kernel), )* $( $( stringify!($member), )* )*],
            arguments: &[
                $( stringify!($argument), )*
                $( $( $crate::kernels!(@name $of $member), )* )*
            ],
            shared_on_demand: $shared,
            #[cfg(feature = "emulator")]
            emulate: $emulate,
        };
        $(
            $vis static $single: $crate::gpu::Kernel<$argument $(<$life>)?> = $crate::gpu::Kernel::of(
                &$module,
                stringify!($kernel),
            );
        )*
        $crate::kernels!(@families [$vis] $module
            $( [$family : [$of $(<$of_life>)?] = [$($member),*]] )*);
        #[cfg(feature = "emulator")]
        unsafe extern "C" {
            fn $emulate(
                kernel: *const ::std::ffi::c_char,
                grid: u32,
                threads: u32,
                shared: usize,
                work: *const ::std::ffi::c_void,
            ) -> ::std::ffi::c_int;
        }
    };
    (@name $of:ident $member:ident) => { stringify!($of) };
    (@families [$vis:vis] $module:ident) => {};
    (@families [$vis:vis] $module:ident
        [$family:ident : [$($of:tt)*] = [$($member:ident),*]] $($rest:tt)*
    ) => {
        $vis static $family: [$crate::gpu::Kernel<$($of)*>; [$(stringify!($member)),*].len()] =
            [$( $crate::gpu::Kernel::of(&$module, stringify!($member)) ),*];
        $crate::kernels!(@families [$vis] $module $($rest)*);
    };
}
