//! The CUDA driver as a [`Card`]. It is loaded at run time; if it is missing, an error message says
//! so.

mod card;
mod memory;
#[cfg(test)]
mod tests;

pub(super) use card::CudaCard;

use super::card::GpuLimits;
use super::kernel::{GpuKernel, Module};
use super::{Budget, CardError};
use cudarc::driver::result::stream::StreamKind;
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdevice_attribute_enum as Attribute};
use memory::SpareBlocks;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};

/// The lowest supported compute capability.
const MIN_COMPUTE_CAPABILITY: (i32, i32) = (7, 5);

/// Opens every GPU that the driver finds, by number, or returns why it cannot be used. Fails if
/// there is no GPU at all. This process holds at most `limit` bytes on each GPU.
pub(super) fn cards(limit: Option<usize>) -> Result<Vec<Result<CudaCard, String>>, String> {
    // SAFETY: loading the driver library only runs its initialization code.
    if !unsafe { sys::is_culib_present() } {
        return Err("the NVIDIA driver (libcuda) was not found".to_owned());
    }
    let unusable = |error: DriverError| format!("the NVIDIA driver failed: {}", describe(error));
    result::init().map_err(unusable)?;
    let count = result::device::get_count().map_err(unusable)?;
    if count == 0 {
        return Err("the NVIDIA driver found no GPU".to_owned());
    }
    let open = |number| Gpu::open(number, limit).and_then(|gpu| CudaCard::new(Arc::new(gpu)));
    Ok((0..count).map(|number| open(number).map_err(|error| error.to_string())).collect())
}

/// Returns the description and the name of a driver error.
fn describe(error: DriverError) -> String {
    let text = |words: Result<&std::ffi::CStr, DriverError>| {
        words.map_or("unknown", |words| words.to_str().unwrap_or("unknown")).to_owned()
    };
    format!("{} ({})", text(error.error_string()), text(error.error_name()))
}

impl From<DriverError> for CardError {
    fn from(error: DriverError) -> CardError {
        CardError::Lost(describe(error))
    }
}

/// A GPU and the kernels on it.
#[derive(Debug)]
struct Gpu {
    device: sys::CUdevice,
    context: sys::CUcontext,
    /// The loaded kernels, by the address of the module. Loading takes the driver some time.
    modules: Mutex<HashMap<usize, Vec<sys::CUfunction>>>,
    limits: GpuLimits,
    budget: Arc<Budget>,
    /// The queue for allocating and freeing memory. It holds no other operations, so neither waits
    /// for other work.
    housekeeping: sys::CUstream,
    /// Whether memory comes from the driver's pool. Without a pool, freeing memory stalls the whole
    /// GPU.
    has_pool: bool,
    /// Pinned host memory that is not in use.
    spare: Mutex<SpareBlocks>,
}

// SAFETY: the driver's handles may be used from any thread that has made the context current, which
// every call does.
unsafe impl Send for Gpu {}
// SAFETY: as above; the driver synchronizes internally.
unsafe impl Sync for Gpu {}

impl Gpu {
    fn open(number: i32, limit: Option<usize>) -> Result<Gpu, CardError> {
        let device = result::device::get(number)?;
        let attribute = |attribute| -> Result<i32, CardError> {
            // SAFETY: the driver returned this device above.
            Ok(unsafe { result::device::get_attribute(device, attribute) }?)
        };
        let number = |which| attribute(which).map(|value| usize::try_from(value).unwrap_or(0));
        let capability = (
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        if capability < MIN_COMPUTE_CAPABILITY {
            let ((major, minor), (min_major, min_minor)) = (capability, MIN_COMPUTE_CAPABILITY);
            return Err(CardError::Refused(format!(
                "found compute capability {major}.{minor}; expected {min_major}.{min_minor} or later"
            )));
        }
        let limits = GpuLimits {
            name: result::device::get_name(device)?,
            multiprocessors: number(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            shared_bytes: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            threads: 1024,
            // SAFETY: as above.
            total_bytes: unsafe { result::device::total_mem(device) }?,
            is_emulated: false,
        };
        // SAFETY: as above; the reference is released when the GPU is dropped.
        let context = unsafe { result::primary_ctx::retain(device) }?;
        let mut gpu = Gpu {
            device,
            context,
            modules: Mutex::default(),
            limits,
            budget: Budget::new(limit),
            housekeeping: std::ptr::null_mut(),
            has_pool: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)? != 0,
            spare: Mutex::default(),
        };
        gpu.enter()?;
        gpu.housekeeping = result::stream::create(StreamKind::NonBlocking)?;
        Ok(gpu)
    }

    /// Makes the context current on this thread.
    fn enter(&self) -> Result<(), CardError> {
        // SAFETY: the context lives as long as `self`.
        Ok(unsafe { result::ctx::set_current(self.context) }?)
    }

    /// Returns a kernel. The first use of a module loads all of its kernels.
    fn function(&self, kernel: GpuKernel) -> Result<sys::CUfunction, CardError> {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let functions = match modules.entry(std::ptr::from_ref(kernel.module).addr()) {
            Entry::Occupied(functions) => functions.into_mut(),
            Entry::Vacant(entry) => entry.insert(self.load_kernels(kernel.module)?),
        };
        let function = functions.get(kernel.number).copied();
        function
            .ok_or_else(|| CardError::Refused(format!("kernel {} does not exist", kernel.name())))
    }

    /// Lets a kernel use all shared memory that a block may have, minus the memory that it
    /// declares.
    fn allow_shared_memory(&self, function: sys::CUfunction) -> Result<(), DriverError> {
        use sys::CUfunction_attribute_enum::{
            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as MOST,
            CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES as DECLARED,
        };
        // SAFETY: the function was found in a module that is never unloaded.
        let declared = unsafe { result::function::get_function_attribute(function, DECLARED) }?;
        let bytes = i32::try_from(self.limits.shared_bytes).unwrap_or(i32::MAX);
        // SAFETY: as above.
        unsafe {
            result::function::set_function_attribute(function, MOST, (bytes - declared).max(0))
        }
    }

    fn load_kernels(&self, source: &Module) -> Result<Vec<sys::CUfunction>, CardError> {
        self.enter()?;
        let ptx =
            CString::new(source.ptx).map_err(|error| CardError::Refused(error.to_string()))?;
        // SAFETY: the text ends with a NUL byte and outlives the call. The module is never
        // unloaded: it belongs to the primary context of the device, which is destroyed with its
        // last reference.
        let module = unsafe { result::module::load_data(ptx.as_ptr().cast()) }?;
        let mut functions = Vec::with_capacity(source.kernels.len());
        for &kernel in source.kernels {
            let refused =
                |error| CardError::Refused(format!("kernel {kernel}: {}", describe(error)));
            let name =
                CString::new(kernel).map_err(|error| CardError::Refused(error.to_string()))?;
            // SAFETY: the module was loaded above.
            let function =
                unsafe { result::module::get_function(module, name) }.map_err(refused)?;
            if source.shared_on_demand {
                self.allow_shared_memory(function).map_err(refused)?;
            }
            functions.push(function);
        }
        Ok(functions)
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        if self.enter().is_ok() {
            self.spare.get_mut().unwrap_or_else(PoisonError::into_inner).free();
            if !self.housekeeping.is_null() {
                // SAFETY: it was created in `open` and is not used again. A failure means that the
                // device is lost.
                let _ = unsafe { result::stream::destroy(self.housekeeping) };
            }
        }
        // SAFETY: it was retained once, when the GPU was opened. A failure means that it is already
        // gone.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}
