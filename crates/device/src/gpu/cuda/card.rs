//! A GPU with its own queues, as a [`Card`].

use super::Gpu;
use super::memory::{Memory, Staging};
use crate::gpu::card::{Card, GpuLimits, Launch, Queue, check_reach};
use crate::gpu::kernel::{GpuKernel, Module};
use crate::gpu::{Budget, CardError, Reservation};
use cudarc::driver::result::stream::StreamKind;
use cudarc::driver::{result, sys};
use std::ffi::c_void;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A GPU with two queues.
#[derive(Debug)]
pub(crate) struct CudaCard {
    pub(super) gpu: Arc<Gpu>,
    pub(super) work: sys::CUstream,
    copy: sys::CUstream,
    /// Orders the queues.
    mark: sys::CUevent,
    clock: Clock,
}

// SAFETY: as for the GPU. Queues and events may be used from any thread.
unsafe impl Send for CudaCard {}
// SAFETY: as above.
unsafe impl Sync for CudaCard {}

/// Measures how long kernels run.
#[derive(Debug)]
struct Clock {
    started: sys::CUevent,
    stopped: sys::CUevent,
    state: Mutex<Timing>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Timing {
    /// Whether the time is measured. Measuring takes a few microseconds per launch.
    enabled: bool,
    running: bool,
    spent: Duration,
}

impl CudaCard {
    pub(super) fn new(gpu: Arc<Gpu>) -> Result<CudaCard, CardError> {
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

    /// Queues a kernel.
    ///
    /// # Safety
    /// As for [`Card::launch`]: `argument` points to the argument of the kernel.
    unsafe fn send_kernel(
        &self,
        launch: Launch,
        mut argument: *mut c_void,
    ) -> Result<(), CardError> {
        self.gpu.enter()?;
        let function = self.gpu.function(launch.kernel)?;
        let size = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let mut timing = self.clock.state.lock().unwrap_or_else(PoisonError::into_inner);
        if timing.enabled && !timing.running {
            // SAFETY: the event and the queue belong to this card.
            unsafe { result::event::record(self.clock.started, self.work) }?;
            timing.running = true;
        }
        // SAFETY: the kernel takes one argument, which the driver copies during the call. The
        // caller ensures that its pointers are valid.
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
            // SAFETY: the event and the queue belong to this card.
            unsafe { result::event::record(self.clock.stopped, self.work) }?;
        }
        Ok(())
    }

    /// Passes a result through. After an error, waits for the queues of this card, so that no
    /// operation is pending.
    fn drain_on_error<T>(&self, outcome: Result<T, CardError>) -> Result<T, CardError> {
        outcome.inspect_err(|_| {
            for stream in [self.work, self.copy] {
                // A failure means that the device is lost, with all of its work.
                // SAFETY: the queue belongs to this card and lives as long as it.
                let _ = unsafe { result::stream::synchronize(stream) };
            }
        })
    }
}

impl Drop for CudaCard {
    fn drop(&mut self) {
        if self.gpu.enter().is_err() {
            return;
        }
        for stream in [self.work, self.copy] {
            // SAFETY: both were created in `new` and are not used again. A failure means that the
            // device is lost.
            let _ = unsafe { result::stream::destroy(stream) };
        }
        for event in [self.mark, self.clock.started, self.clock.stopped] {
            // SAFETY: as for the streams.
            let _ = unsafe { result::event::destroy(event) };
        }
    }
}

impl Card for CudaCard {
    type Memory = Memory;
    type Staging = Staging;

    fn limits(&self) -> &GpuLimits {
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

    fn budget(&self) -> &Arc<Budget> {
        &self.gpu.budget
    }

    fn allocate_reserved(&self, words: usize, bytes: Reservation) -> Result<Memory, CardError> {
        Memory::new(&self.gpu, words, bytes)
    }

    fn stage(&self, words: usize) -> Result<Staging, CardError> {
        Staging::new(&self.gpu, words)
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
        self.drain_on_error((|| {
            check_reach("a copy", at, words.len(), to.words)?;
            check_reach("a copy", words.start, words.len(), from.len())?;
            self.gpu.enter()?;
            let to = to.address + 4 * at as u64;
            // SAFETY: the caller keeps both sides alive and does not access them; the queue belongs
            // to this card.
            Ok(unsafe { result::memcpy_htod_async(to, &from[words], self.stream(queue)) }?)
        })())
    }

    unsafe fn copy_out(
        &self,
        queue: Queue,
        from: &Memory,
        at: usize,
        to: &mut Staging,
        words: usize,
    ) -> Result<(), CardError> {
        self.drain_on_error((|| {
            check_reach("a copy", at, words, from.words)?;
            check_reach("a copy", 0, words, to.len())?;
            self.gpu.enter()?;
            let from = from.address + 4 * at as u64;
            // SAFETY: the caller keeps both sides alive and does not access them; the queue belongs
            // to this card.
            Ok(unsafe { result::memcpy_dtoh_async(&mut to[..words], from, self.stream(queue)) }?)
        })())
    }

    unsafe fn clear(&self, memory: &Memory, words: usize) -> Result<(), CardError> {
        self.drain_on_error((|| {
            check_reach("clearing", 0, words, memory.words)?;
            self.gpu.enter()?;
            // SAFETY: the caller keeps the memory alive; the queue belongs to this card.
            Ok(unsafe { result::memset_d8_async(memory.address, 0, 4 * words, self.work) }?)
        })())
    }

    unsafe fn launch(
        &self,
        launch: Launch,
        mut argument: Vec<u64>,
        _: &[&Memory],
    ) -> Result<(), CardError> {
        // SAFETY: the caller ensures that the argument is valid. It lives until the driver has
        // copied it.
        self.drain_on_error(unsafe { self.send_kernel(launch, argument.as_mut_ptr().cast()) })
    }

    fn order(&self, first: Queue, then: Queue) -> Result<(), CardError> {
        self.drain_on_error((|| {
            self.gpu.enter()?;
            // SAFETY: the event and the queue belong to this card.
            unsafe { result::event::record(self.mark, self.stream(first)) }?;
            let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
            // SAFETY: as above.
            Ok(unsafe { result::stream::wait_event(self.stream(then), self.mark, flags) }?)
        })())
    }

    fn finish(&self, queue: Queue) -> Result<(), CardError> {
        self.drain_on_error((|| {
            self.gpu.enter()?;
            // SAFETY: the queue belongs to this card.
            Ok(unsafe { result::stream::synchronize(self.stream(queue)) }?)
        })())?;
        let mut timing = self.clock.state.lock().unwrap_or_else(PoisonError::into_inner);
        if queue == Queue::Work && timing.running {
            timing.running = false;
            // SAFETY: both events belong to this card and have occurred, because the queue is
            // empty.
            let spent = unsafe { result::event::elapsed(self.clock.started, self.clock.stopped) };
            timing.spent += Duration::from_secs_f32(spent.unwrap_or(0.0).max(0.0) / 1000.0);
        }
        Ok(())
    }

    fn take_time(&self, go_on: bool) -> Option<Duration> {
        let mut timing = self.clock.state.lock().unwrap_or_else(PoisonError::into_inner);
        timing.enabled = go_on;
        Some(std::mem::take(&mut timing.spent))
    }
}
