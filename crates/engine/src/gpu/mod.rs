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
//! - `relate`: roles followed, `relate.cu`. `close`: concepts searched for, `close_*.cu`.
//! - `build`: a batch cut into parts, which are planned side by side. `encode`: plans as flat lists of words.
//!   `resident`: a batch's way to the card and back.
//!
//! `unsafe` is found where the driver is called and where work is queued whose memory must stay alive.

mod buffer;
mod build;
mod card;
mod close;
mod cuda;
#[cfg(feature = "emulator")]
mod emulator;
mod encode;
mod planes;
mod relate;
mod resident;
mod tiling;
mod work;

use crate::close::{Frontier, Ordered};
use crate::device::{Device, DeviceError, DeviceKind, Resident, Threads};
use crate::table::Table;
use crate::world::{Inhabited, World};
use card::Card;
use close::GpuFrontier;
use relate::GpuWorld;
use resident::GpuTable;
use std::sync::Arc;

#[cfg(feature = "emulator")]
pub use emulator::{Emulation, emulated};

/// The GPUs of this machine, and a sentence for each that cannot be used, or one that says why there is none. The threads
/// are for what the processor does for them: it makes programs of batches.
#[must_use]
pub fn discover(threads: &Arc<Threads>) -> (Vec<Arc<dyn Device>>, Vec<String>) {
    let (mut devices, mut absent): (Vec<Arc<dyn Device>>, _) = (Vec::new(), Vec::new());
    match room().and_then(|room| Ok((room, cuda::cards()?))) {
        Err(reason) => absent.push(format!("no GPU: {reason}")),
        Ok((room, cards)) => {
            for (number, card) in cards.into_iter().enumerate() {
                let id = format!("cuda:{number}");
                match card {
                    Ok(card) => {
                        let threads = Arc::clone(threads);
                        devices.push(Arc::new(Gpu { id, card, room, threads }));
                    }
                    Err(reason) => absent.push(format!("no {id}: {reason}")),
                }
            }
        }
    }
    (devices, absent)
}

/// The variable that limits what a table may take of a GPU's memory.
const MEMORY_VARIABLE: &str = "PELLUCID_GPU_MEMORY";

/// The bytes that a table may take on a card, where the user sets a limit.
fn room() -> Result<Option<usize>, String> {
    let Ok(text) = std::env::var(MEMORY_VARIABLE) else { return Ok(None) };
    let bytes = text.trim().parse();
    bytes
        .map(Some)
        .map_err(|_| format!("{MEMORY_VARIABLE}: found '{text}', needed is a number of bytes"))
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

    fn inhabit(&self, world: &Arc<World>) -> Result<Box<dyn Inhabited>, DeviceError> {
        let failed =
            |error: card::CardError| DeviceError { device: self.id.clone(), reason: error.0 };
        let card = self.card.with_own_queues().map_err(failed)?;
        Ok(Box::new(GpuWorld::new(&self.id, card, world)))
    }

    fn frontier(
        &self,
        context: &Ordered,
        min_support: u64,
        looks: bool,
        whole: bool,
    ) -> Result<Box<dyn Frontier>, DeviceError> {
        let failed =
            |error: card::CardError| DeviceError { device: self.id.clone(), reason: error.0 };
        let card = self.card.with_own_queues().map_err(failed)?;
        let frontier =
            GpuFrontier::new(&self.id, card, context, min_support, looks, whole, self.room);
        match frontier.map_err(failed)? {
            Some(frontier) => Ok(Box::new(frontier)),
            None => Err(DeviceError {
                device: self.id.clone(),
                reason: format!(
                    "it searches contexts of up to 32,768 objects and 1,024 attributes, and this one has {} and {}",
                    context.relation().objects(),
                    context.relation().attributes()
                ),
            }),
        }
    }
}
