use super::{Environment, Outcome};
use pellucid_learn::rng::Stream;

/// The multiplexer problem: the first bits are the address of one of the other bits, which is the
/// answer. With 3 address bits there are 11 bits in all.
#[derive(Clone, Debug)]
pub struct Multiplexer {
    address: usize,
    bits: Vec<u32>,
}

impl Multiplexer {
    /// Creates a multiplexer with a number of address bits: 2, 3, 4 and 5 give 6, 11, 20 and 37
    /// bits.
    #[must_use]
    pub fn new(address: usize) -> Multiplexer {
        let address = address.clamp(1, 8);
        Multiplexer { address, bits: vec![0; address + (1 << address)] }
    }

    /// Returns the right answer.
    #[must_use]
    pub fn answer(&self) -> u32 {
        let place =
            self.bits[..self.address].iter().fold(0, |place, &bit| place << 1 | bit as usize);
        self.bits[self.address + place]
    }
}

impl Environment for Multiplexer {
    fn columns(&self) -> usize {
        self.bits.len()
    }

    fn actions(&self) -> u32 {
        2
    }

    fn begin(&mut self, stream: &mut Stream) {
        for bits in self.bits.chunks_mut(64) {
            let mut word = stream.next_word();
            for bit in bits {
                *bit = u32::from(word & 1 == 1);
                word >>= 1;
            }
        }
    }

    fn see(&self, codes: &mut Vec<u32>) {
        codes.clone_from(&self.bits);
    }

    fn act(&mut self, action: u32) -> Outcome {
        let reward = if action == self.answer() { 1000.0 } else { 0.0 };
        Outcome { reward, is_over: true }
    }
}
