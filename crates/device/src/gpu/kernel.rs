//! Kernels: where they come from, and what each takes.

use std::marker::PhantomData;

/// A kernel source as the driver takes it. Its kernels are loaded together, when one of them is first needed.
#[derive(Debug)]
pub struct Module {
    /// What the source is called.
    pub name: &'static str,
    /// What NVIDIA's compiler made of it.
    pub ptx: &'static str,
    /// The names of its kernels.
    pub kernels: &'static [&'static str],
    /// By kernel, the struct that it takes.
    pub arguments: &'static [&'static str],
    /// Whether launches say how much shared memory a block has.
    pub shared_on_demand: bool,
    /// The same kernels, compiled for the processor.
    #[cfg(feature = "emulator")]
    pub emulate: super::Emulate,
}

/// A kernel: a module, and the place of its name there.
#[derive(Clone, Copy, Debug)]
pub struct GpuKernel {
    /// The source.
    pub module: &'static Module,
    /// Which of its kernels.
    pub number: usize,
}

impl GpuKernel {
    /// The name in the source.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.module.kernels.get(self.number).copied().unwrap_or("without a name")
    }
}

/// A kernel that takes an `A`. [`kernels!`](crate::kernels) declares them.
#[derive(Debug)]
pub struct Kernel<A> {
    kernel: GpuKernel,
    takes: PhantomData<fn() -> A>,
}

impl<A> Clone for Kernel<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Kernel<A> {}

impl<A> Kernel<A> {
    /// A kernel of a module, by its name there.
    ///
    /// # Panics
    /// When the module has no such kernel; at compile time, where [`kernels!`](crate::kernels) declares it.
    #[doc(hidden)]
    #[must_use]
    pub const fn of(module: &'static Module, name: &str) -> Kernel<A> {
        let mut number = 0;
        while !is_same(module.kernels[number], name) {
            number += 1;
        }
        Kernel { kernel: GpuKernel { module, number }, takes: PhantomData }
    }

    /// Which kernel it is.
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
    let mut place = 0;
    while place < left.len() {
        if left[place] != right[place] {
            return false;
        }
        place += 1;
    }
    true
}

/// Declares a [`Module`] and its kernels, each with the struct that it takes: single ones, then families of kernels that
/// differ in a number.
///
/// Who lists kernels here answers for them: a kernel uses no memory but what its argument points to, and as much of it as
/// was bound. The conformance suites run every kernel under an emulator that notices what is written elsewhere.
///
/// ```ignore
/// kernels! {
///     /// The kernels of `relate.cu`.
///     pub(super) static RELATE = "relate" in "generated/relate.ptx", emulated by pellucid_emulate_relate, shared on demand: false;
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
