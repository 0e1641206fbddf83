//! The CUDA driver as a [`Card`]. It is loaded at run time: without it there is a sentence instead of a card.

mod card;
mod memory;
#[cfg(test)]
mod tests;

pub(super) use card::CudaCard;

use super::card::Limits;
use super::kernel::{GpuKernel, Module};
use super::{Budget, CardError};
use cudarc::driver::result::stream::StreamKind;
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdevice_attribute_enum as Attribute};
use memory::Spare;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};

/// The oldest generation of GPUs that all devices must be of.
const OLDEST: (i32, i32) = (7, 5);

/// Every GPU that the driver finds, by number, or why it cannot be used; or why there is none at all. At most so many bytes
/// may be held on each.
pub(super) fn cards(limit: Option<usize>) -> Result<Vec<Result<CudaCard, String>>, String> {
    // SAFETY: opening the driver's library runs its start-up code, which is made for that.
    if !unsafe { sys::is_culib_present() } {
        return Err("no NVIDIA driver (libcuda) was found".to_owned());
    }
    let unusable = |error: DriverError| format!("the NVIDIA driver does not work: {}", told(error));
    result::init().map_err(unusable)?;
    let count = result::device::get_count().map_err(unusable)?;
    if count == 0 {
        return Err("the NVIDIA driver finds no GPU".to_owned());
    }
    let open = |number| Gpu::open(number, limit).and_then(|gpu| CudaCard::new(Arc::new(gpu)));
    Ok((0..count).map(|number| open(number).map_err(|error| error.to_string())).collect())
}

/// The driver's own words.
fn told(error: DriverError) -> String {
    let text = |words: Result<&std::ffi::CStr, DriverError>| {
        words.map_or("unknown", |words| words.to_str().unwrap_or("unknown")).to_owned()
    };
    format!("{} ({})", text(error.error_string()), text(error.error_name()))
}

impl From<DriverError> for CardError {
    fn from(error: DriverError) -> CardError {
        CardError::Lost(told(error))
    }
}

/// A GPU and the kernels on it.
#[derive(Debug)]
struct Gpu {
    device: sys::CUdevice,
    context: sys::CUcontext,
    /// By the module's address: its kernels, once they were needed. The driver takes its time over them.
    modules: Mutex<HashMap<usize, Vec<sys::CUfunction>>>,
    limits: Limits,
    budget: Arc<Budget>,
    /// Where memory is taken and given back. Nothing else is queued here, so neither waits for anybody's work.
    housekeeping: sys::CUstream,
    /// Whether memory comes from the driver's pool. Without one, to give memory back stops the whole GPU.
    has_pool: bool,
    /// Memory of the processor that nobody uses at the moment.
    spare: Mutex<Spare>,
}

// SAFETY: the driver's handles may be used from any thread that has made the context its own, which every call does.
unsafe impl Send for Gpu {}
// SAFETY: as above; the driver has its own locks.
unsafe impl Sync for Gpu {}

impl Gpu {
    fn open(number: i32, limit: Option<usize>) -> Result<Gpu, CardError> {
        let device = result::device::get(number)?;
        let attribute = |attribute| -> Result<i32, CardError> {
            // SAFETY: the device is one that the driver just named.
            Ok(unsafe { result::device::get_attribute(device, attribute) }?)
        };
        let number = |which| attribute(which).map(|value| usize::try_from(value).unwrap_or(0));
        let generation = (
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        if generation < OLDEST {
            let ((major, minor), (old_major, old_minor)) = (generation, OLDEST);
            return Err(CardError::Refused(format!(
                "its compute capability is {major}.{minor}, needed is {old_major}.{old_minor} or later"
            )));
        }
        let limits = Limits {
            name: result::device::get_name(device)?,
            multiprocessors: number(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            shared_bytes: number(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            threads: 1024,
            // SAFETY: as above.
            total_bytes: unsafe { result::device::total_mem(device) }?,
            is_emulated: false,
        };
        // SAFETY: as above; the reference is given back when the last card is dropped.
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

    /// Makes the context this thread's own.
    fn enter(&self) -> Result<(), CardError> {
        // SAFETY: the context lives as long as `self`.
        Ok(unsafe { result::ctx::set_current(self.context) }?)
    }

    /// A kernel, with all of its module if it is the first of them.
    fn function(&self, kernel: GpuKernel) -> Result<sys::CUfunction, CardError> {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let functions = match modules.entry(std::ptr::from_ref(kernel.module).addr()) {
            Entry::Occupied(functions) => functions.into_mut(),
            Entry::Vacant(place) => place.insert(self.load_kernels(kernel.module)?),
        };
        let function = functions.get(kernel.number).copied();
        function.ok_or_else(|| CardError::Refused(format!("there is no kernel {}", kernel.name())))
    }

    /// Lets a kernel ask for all shared memory that a block may have, less what it declares itself.
    fn give_shared_memory(&self, function: sys::CUfunction) -> Result<(), DriverError> {
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
        // SAFETY: the text ends with a zero and stays where it is during the call. The module is never unloaded: it lies
        // in the device's primary context, which goes when its last reference does.
        let module = unsafe { result::module::load_data(ptx.as_ptr().cast()) }?;
        let mut functions = Vec::with_capacity(source.kernels.len());
        for &kernel in source.kernels {
            let told = |error| CardError::Refused(format!("kernel {kernel}: {}", told(error)));
            let name =
                CString::new(kernel).map_err(|error| CardError::Refused(error.to_string()))?;
            // SAFETY: the module was loaded above.
            let function = unsafe { result::module::get_function(module, name) }.map_err(told)?;
            if source.shared_on_demand {
                self.give_shared_memory(function).map_err(told)?;
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
                // SAFETY: it was made in `open` and is not used again. A failure means that the device is lost.
                let _ = unsafe { result::stream::destroy(self.housekeeping) };
            }
        }
        // SAFETY: it was retained once, when the GPU was opened. A failure means that it is gone already.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}
