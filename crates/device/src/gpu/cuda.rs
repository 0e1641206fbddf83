//! The CUDA driver as a [`Card`]. It is loaded at run time: without it there is a sentence instead of a card.

use super::card::{
    Card, CardError, GpuKernel, Launch, Limits, Module, Queue, Used, check_reach, check_uses,
};
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdevice_attribute_enum as Attribute};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::{CString, c_void};
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The oldest generation of GPUs that all devices must be of.
const OLDEST: (i32, i32) = (7, 5);

/// Every GPU that the driver finds, by number, or why it cannot be used; or why there is none at all.
pub(super) fn cards() -> Result<Vec<Result<CudaCard, String>>, String> {
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
    let open = |number| Gpu::open(number).and_then(|gpu| CudaCard::new(Arc::new(gpu)));
    Ok((0..count).map(|number| open(number).map_err(|error| error.0)).collect())
}

/// So many words in bytes.
fn bytes(words: usize) -> Result<usize, CardError> {
    words.checked_mul(4).ok_or_else(|| CardError(format!("no memory has {words} words")))
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
        CardError(told(error))
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
}

// SAFETY: the driver's handles may be used from any thread that has made the context its own, which every call does.
unsafe impl Send for Gpu {}
// SAFETY: as above; the driver has its own locks.
unsafe impl Sync for Gpu {}

impl Gpu {
    fn open(number: i32) -> Result<Gpu, CardError> {
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
            return Err(CardError(format!(
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
            // Some milliseconds.
            slice: 2048,
            // About as long as a slice.
            patience: 20_000,
            // Half of all that there are.
            crowd: 16 * number(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        };
        // SAFETY: as above; the reference is given back when the last card is dropped.
        let context = unsafe { result::primary_ctx::retain(device) }?;
        Ok(Gpu { device, context, modules: Mutex::default(), limits })
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
        function.ok_or_else(|| CardError(format!("there is no kernel {}", kernel.name())))
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
        let ptx = CString::new(source.ptx).map_err(|error| CardError(error.to_string()))?;
        // SAFETY: the text ends with a zero and stays where it is during the call. The module is never unloaded: it lies
        // in the device's primary context, which goes when its last reference does.
        let module = unsafe { result::module::load_data(ptx.as_ptr().cast()) }?;
        let mut functions = Vec::with_capacity(source.kernels.len());
        for &kernel in source.kernels {
            let told = |error| CardError(format!("kernel {kernel}: {}", told(error)));
            let name = CString::new(kernel).map_err(|error| CardError(error.to_string()))?;
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
        // SAFETY: it was retained once, when the GPU was opened. A failure means that it is gone already.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

/// A GPU with two queues.
#[derive(Debug)]
pub(super) struct CudaCard {
    gpu: Arc<Gpu>,
    work: sys::CUstream,
    copy: sys::CUstream,
    /// For the order between the queues.
    mark: sys::CUevent,
    clock: Clock,
}

// SAFETY: as for the GPU; queues and events may be used from any thread.
unsafe impl Send for CudaCard {}
// SAFETY: as above.
unsafe impl Sync for CudaCard {}

/// What tells how long the kernels ran.
#[derive(Debug)]
struct Clock {
    started: sys::CUevent,
    stopped: sys::CUevent,
    state: Mutex<Timing>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Timing {
    /// Whether anybody ever asked: the clock itself takes a few microseconds.
    wanted: bool,
    running: bool,
    spent: Duration,
}

impl CudaCard {
    fn new(gpu: Arc<Gpu>) -> Result<CudaCard, CardError> {
        use cudarc::driver::result::stream::StreamKind;
        gpu.enter()?;
        let event = |flags| result::event::create(flags);
        let timed = sys::CUevent_flags::CU_EVENT_DEFAULT;
        Ok(CudaCard {
            work: result::stream::create(StreamKind::NonBlocking)?,
            copy: result::stream::create(StreamKind::NonBlocking)?,
            mark: event(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)?,
            clock: Clock {
                started: event(timed)?,
                stopped: event(timed)?,
                state: Mutex::default(),
            },
            gpu,
        })
    }

    fn stream(&self, queue: Queue) -> sys::CUstream {
        match queue {
            Queue::Work => self.work,
            Queue::Copy => self.copy,
        }
    }
}

impl Drop for CudaCard {
    fn drop(&mut self) {
        if self.gpu.enter().is_err() {
            return;
        }
        for stream in [self.work, self.copy] {
            // SAFETY: both were made in `new` and are not used again. Failures mean that the device is lost.
            let _ = unsafe { result::stream::destroy(stream) };
        }
        for event in [self.mark, self.clock.started, self.clock.stopped] {
            // SAFETY: as for the streams.
            let _ = unsafe { result::event::destroy(event) };
        }
    }
}

/// Memory on a GPU.
#[derive(Debug)]
pub(super) struct Memory {
    gpu: Arc<Gpu>,
    address: sys::CUdeviceptr,
    words: usize,
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.gpu.enter().is_ok() {
            // After an error work that uses it may still be under way.
            let _ = result::ctx::synchronize();
            // SAFETY: it was allocated once and is named nowhere else, and nothing is under way.
            let _ = unsafe { result::free_sync(self.address) };
        }
    }
}

/// Memory of the processor that does not move, so that the GPU can read and write it.
#[derive(Debug)]
pub(super) struct Staging {
    gpu: Arc<Gpu>,
    words: *mut u32,
    len: usize,
}

// SAFETY: it is plain memory with one owner.
unsafe impl Send for Staging {}

impl Deref for Staging {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        // SAFETY: so many words were allocated and cleared, and belong to `self`.
        unsafe { std::slice::from_raw_parts(self.words, self.len) }
    }
}

impl DerefMut for Staging {
    fn deref_mut(&mut self) -> &mut [u32] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.words, self.len) }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if self.gpu.enter().is_ok() {
            // After an error a copy may still be under way.
            let _ = result::ctx::synchronize();
            // SAFETY: it was allocated once and is named nowhere else.
            let _ = unsafe { result::free_host(self.words.cast()) };
        }
    }
}

impl Card for CudaCard {
    type Memory = Memory;
    type Staging = Staging;

    fn limits(&self) -> &Limits {
        &self.gpu.limits
    }

    fn with_own_queues(&self) -> Result<CudaCard, CardError> {
        CudaCard::new(Arc::clone(&self.gpu))
    }

    fn free_bytes(&self) -> Result<usize, CardError> {
        self.gpu.enter()?;
        Ok(result::mem_get_info()?.0)
    }

    fn load(&self, module: &'static Module) -> Result<(), CardError> {
        self.gpu.function(GpuKernel { module, number: 0 }).map(drop)
    }

    fn allocate(&self, words: usize) -> Result<Memory, CardError> {
        self.gpu.enter()?;
        // SAFETY: what is in the memory is written before any kernel reads it.
        let address = unsafe { result::malloc_sync(bytes(words)?) }?;
        Ok(Memory { gpu: Arc::clone(&self.gpu), address, words })
    }

    fn stage(&self, words: usize) -> Result<Staging, CardError> {
        self.gpu.enter()?;
        // SAFETY: it is cleared one line below.
        let memory: *mut u32 = unsafe { result::malloc_host(bytes(words)?, 0) }?.cast();
        // SAFETY: so many words were allocated, aligned for anything.
        unsafe { memory.write_bytes(0, words) };
        Ok(Staging { gpu: Arc::clone(&self.gpu), words: memory, len: words })
    }

    fn address(memory: &Memory) -> u64 {
        memory.address
    }

    fn words(memory: &Memory) -> usize {
        memory.words
    }

    unsafe fn copy_in(
        &self,
        queue: Queue,
        from: &Staging,
        words: Range<usize>,
        to: &Memory,
        at: usize,
    ) -> Result<(), CardError> {
        check_reach("a copy", at, words.len(), to.words)?;
        check_reach("a copy", words.start, words.len(), from.len)?;
        self.gpu.enter()?;
        let to = to.address + 4 * at as u64;
        // SAFETY: the caller keeps both sides alive and untouched; the queue is this card's.
        Ok(unsafe { result::memcpy_htod_async(to, &from[words], self.stream(queue)) }?)
    }

    unsafe fn copy_out(
        &self,
        queue: Queue,
        from: &Memory,
        at: usize,
        to: &mut Staging,
        words: usize,
    ) -> Result<(), CardError> {
        check_reach("a copy", at, words, from.words)?;
        check_reach("a copy", 0, words, to.len)?;
        self.gpu.enter()?;
        let from = from.address + 4 * at as u64;
        // SAFETY: the caller keeps both sides alive and untouched; the queue is this card's.
        Ok(unsafe { result::memcpy_dtoh_async(&mut to[..words], from, self.stream(queue)) }?)
    }

    unsafe fn clear(&self, memory: &Memory, words: usize) -> Result<(), CardError> {
        check_reach("clearing", 0, words, memory.words)?;
        self.gpu.enter()?;
        // SAFETY: the caller keeps the memory alive; the queue is this card's.
        Ok(unsafe { result::memset_d8_async(memory.address, 0, 4 * words, self.work) }?)
    }

    unsafe fn launch<W: Copy + Send + 'static>(
        &self,
        launch: Launch,
        work: &W,
        uses: &[Used<'_, Memory>],
    ) -> Result<(), CardError> {
        check_uses::<CudaCard>(launch.kernel, uses)?;
        self.gpu.enter()?;
        let function = self.gpu.function(launch.kernel)?;
        let size = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let mut argument: *mut c_void = std::ptr::from_ref(work).cast_mut().cast();
        let mut timing = self.clock.state.lock().unwrap_or_else(PoisonError::into_inner);
        if timing.wanted && !timing.running {
            // SAFETY: event and queue are this card's.
            unsafe { result::event::record(self.clock.started, self.work) }?;
            timing.running = true;
        }
        // SAFETY: the kernel takes one argument of the type of `work`, which the driver copies during the call; the
        // caller answers for what it points to.
        unsafe {
            result::launch_kernel(
                function,
                (size(launch.blocks), 1, 1),
                (size(launch.threads), 1, 1),
                size(launch.shared_bytes),
                self.work,
                std::slice::from_mut(&mut argument),
            )
        }?;
        if timing.running {
            // SAFETY: event and queue are this card's.
            unsafe { result::event::record(self.clock.stopped, self.work) }?;
        }
        Ok(())
    }

    fn order(&self, first: Queue, then: Queue) -> Result<(), CardError> {
        self.gpu.enter()?;
        // SAFETY: event and queue are this card's.
        unsafe { result::event::record(self.mark, self.stream(first)) }?;
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: as above.
        Ok(unsafe { result::stream::wait_event(self.stream(then), self.mark, flags) }?)
    }

    fn finish(&self, queue: Queue) -> Result<(), CardError> {
        self.gpu.enter()?;
        // SAFETY: the queue is this card's.
        unsafe { result::stream::synchronize(self.stream(queue)) }?;
        let mut timing = self.clock.state.lock().unwrap_or_else(PoisonError::into_inner);
        if queue == Queue::Work && timing.running {
            timing.running = false;
            // SAFETY: both events are this card's and have happened: the queue is empty.
            let spent = unsafe { result::event::elapsed(self.clock.started, self.clock.stopped) };
            timing.spent += Duration::from_secs_f32(spent.unwrap_or(0.0).max(0.0) / 1000.0);
        }
        Ok(())
    }

    fn take_time(&self, go_on: bool) -> Option<Duration> {
        let mut timing = self.clock.state.lock().unwrap_or_else(PoisonError::into_inner);
        timing.wanted = go_on;
        Some(std::mem::take(&mut timing.spent))
    }
}
