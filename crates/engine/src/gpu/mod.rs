//! GPUs: the cover contract in CUDA C++, the same counts as everywhere.
//!
//! ```text
//! table --tiling--> planes on the card, once
//! batch --plan----> encode -> one upload -> a kernel -> counts back
//! ```
//!
//! - `cover.cu`: the kernels. Their PTX is part of the program, so that a user needs the NVIDIA driver and nothing else.
//! - `card`: what a GPU does for us. The driver is one card, loaded at run time; the emulator is another, which runs the
//!   very same kernels on the processor, and with which everything here is tested where there is no GPU.
//! - `tiling`, `planes`: the table in tiles of 1,024 rows, sent while the caller does something else; what does not fit
//!   into the card's memory passes through it in turns.
//! - `build`: a batch cut into parts, which are planned side by side. `encode`: plans as flat lists of words.
//!   `resident`: a batch's way to the card and back.
//!
//! `unsafe` is found where the driver is called and where work is queued whose memory must stay alive.

mod buffer;
mod build;
mod card;
mod cuda;
#[cfg(feature = "emulator")]
mod emulator;
mod encode;
mod planes;
mod resident;
mod tiling;
mod work;

use crate::device::{Device, DeviceError, DeviceKind, Resident, Threads};
use crate::table::Table;
use card::Card;
use resident::GpuTable;
use std::sync::Arc;

#[cfg(feature = "emulator")]
pub use emulator::{Emulation, emulated};

/// All GPUs of this machine, or a sentence that says why there is none. The threads are for what the processor does for
/// them: it makes programs of batches.
///
/// # Errors
/// When there is no driver, or it does not work.
pub fn discover(threads: &Arc<Threads>) -> Result<Vec<Arc<dyn Device>>, String> {
    let cards = cuda::cards()?;
    let gpu = |(number, card)| -> Arc<dyn Device> {
        let threads = Arc::clone(threads);
        Arc::new(Gpu { id: format!("cuda:{number}"), card, room: room(), threads })
    };
    Ok(cards.into_iter().enumerate().map(gpu).collect())
}

/// The memory that a table may take on a card, in bytes, where the user sets a limit.
fn room() -> Option<usize> {
    std::env::var("PELLUCID_GPU_MEMORY").ok()?.parse().ok()
}

/// One GPU.
#[derive(Debug)]
struct Gpu<C> {
    id: String,
    card: C,
    /// Bytes of memory that planes may take, where there is a limit.
    room: Option<usize>,
    /// For the building of programs.
    threads: Arc<Threads>,
}

impl<C: Card> Device for Gpu<C> {
    fn id(&self) -> &str {
        &self.id
    }

    fn kind(&self) -> DeviceKind {
        DeviceKind::Gpu
    }

    fn description(&self) -> String {
        let limits = self.card.limits();
        let gibibytes = limits.total_bytes >> 30;
        let count = limits.multiprocessors;
        format!("{}, {count} multiprocessors, {gibibytes} GiB", limits.name)
    }

    fn load(&self, table: &Arc<Table>) -> Result<Box<dyn Resident>, DeviceError> {
        let failed =
            |error: card::CardError| DeviceError { device: self.id.clone(), reason: error.0 };
        let card = self.card.with_own_queues().map_err(failed)?;
        let threads = Arc::clone(&self.threads);
        Ok(Box::new(GpuTable::load(&self.id, card, table, self.room, threads).map_err(failed)?))
    }
}
