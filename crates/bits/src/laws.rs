//! Compares every operation of [`Simd`](crate::Simd) at every level with its definition, word by word and
//! bit by bit.

use crate::{BLOCK_BITS, Block, Kernel, Level, Simd, invert, load};
use pellucid_testdata::cases;
use proptest::prelude::*;

/// The operands.
#[derive(Clone, Debug)]
struct Operands {
    blocks: [Block; 3],
    word: u64,
    bits: u64,
    shift: u32,
    mask: u8,
    at: usize,
    set: Vec<Block>,
    objects: [u32; 64],
    bytes: [u8; 64],
    byte: u8,
}

/// The results.
#[derive(Debug, PartialEq)]
struct Results {
    /// The blocks, with the names of the operations.
    blocks: Vec<(&'static str, Block)>,
    /// The words, with the names of the operations.
    words: Vec<(&'static str, u64)>,
    /// The compressed words.
    compressed: Vec<u64>,
}

struct Apply<'a>(&'a Operands);

impl Kernel for Apply<'_> {
    type Output = Results;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Results {
        let Operands { blocks, word, bits, shift, mask, at, set, objects, bytes, byte } = self.0;
        simd.prefetch(&blocks[0]);
        let [a, b, c] = load(simd, blocks);
        let [inverted] = invert(simd, [a]);
        let made = [
            ("load", a),
            ("splat true", simd.splat(true)),
            ("splat false", simd.splat(false)),
            ("and", simd.and(a, b)),
            ("or", simd.or(a, b)),
            ("xor", simd.xor(a, b)),
            ("not", simd.not(a)),
            ("invert", inverted),
            ("majority", simd.majority(a, b, c)),
            ("parity", simd.parity(a, b, c)),
            ("and_same", simd.and_same(a, b, c)),
            ("and3", simd.and3(a, b, c)),
            ("and_not", simd.and_not(a, b)),
            ("add_words", simd.add_words(a, b)),
            ("shift_words", simd.shift_words(a, *shift)),
            ("shift_words_down", simd.shift_words_down(a, *shift)),
            ("splat_word", simd.splat_word(*word)),
            ("keep_words", simd.keep_words(a, *mask)),
            ("count_words", simd.count_words(a, b)),
        ];
        let mut blocks = Vec::new();
        for (name, made) in made {
            let mut block = Block::ONES;
            simd.store(made, &mut block);
            blocks.push((name, block));
        }
        let mut count = simd.no_count();
        for bits in [a, b, c, a] {
            count = simd.count(count, bits);
        }
        let other = simd.count(simd.no_count(), b);
        let (first, second) = simd.totals(count, other);
        let words = vec![
            ("total", simd.total(count)),
            ("total of nothing", simd.total(simd.no_count())),
            ("totals, first", first),
            ("totals, second", second),
            ("zero_words", u64::from(simd.zero_words(a))),
            ("sum_words", simd.sum_words(a)),
            ("pack_bits", simd.pack_bits(*word, *bits)),
            ("spread_bits", simd.spread_bits(*word, *bits)),
            ("members", simd.members(set, objects)),
            ("within", simd.within(objects, objects[0]..objects[1])),
            ("equal_bytes", simd.equal_bytes(bytes, *byte)),
        ];
        let mut out = vec![Block([7; 8]); 4];
        simd.compress_words(a, *mask, &mut out, *at);
        let compressed: Vec<u64> = out.into_iter().flat_map(|block| block.0).collect();
        let end = at + mask.count_ones() as usize;
        Results { blocks, words, compressed: compressed[..end].to_vec() }
    }
}

/// Returns the results by the definition of each operation.
fn expected(operands: &Operands) -> Results {
    let Operands { blocks, word, bits, shift, mask, at, set, objects, bytes, byte } = operands;
    let [a, b, c] = blocks.each_ref().map(|block| block.0);
    let each = |of: &dyn Fn(u64, u64, u64) -> u64| {
        Block(std::array::from_fn(|word| of(a[word], b[word], c[word])))
    };
    let kept: Vec<u64> = (0..8).filter(|word| mask >> word & 1 == 1).map(|word| a[word]).collect();
    let blocks = vec![
        ("load", each(&|a, _, _| a)),
        ("splat true", Block([u64::MAX; 8])),
        ("splat false", Block([0; 8])),
        ("and", each(&|a, b, _| a & b)),
        ("or", each(&|a, b, _| a | b)),
        ("xor", each(&|a, b, _| a ^ b)),
        ("not", each(&|a, _, _| !a)),
        ("invert", each(&|a, _, _| !a)),
        ("majority", each(&|a, b, c| a & b | a & c | b & c)),
        ("parity", each(&|a, b, c| a ^ b ^ c)),
        ("and_same", each(&|a, b, c| a & (b & c | !b & !c))),
        ("and3", each(&|a, b, c| a & b & c)),
        ("and_not", each(&|a, b, _| a & !b)),
        ("add_words", each(&|a, b, _| a.wrapping_add(b))),
        ("shift_words", each(&|a, _, _| a << shift)),
        ("shift_words_down", each(&|a, _, _| a >> shift)),
        ("splat_word", Block([*word; 8])),
        (
            "keep_words",
            Block(std::array::from_fn(|word| if mask >> word & 1 == 1 { a[word] } else { 0 })),
        ),
        ("count_words", each(&|a, b, _| a.wrapping_add(u64::from(b.count_ones())))),
    ];
    let ones = |words: [u64; 8]| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    let places = |is_set: &dyn Fn(usize) -> bool| {
        (0..64).filter(|&place| is_set(place)).fold(0u64, |bits, place| bits | 1 << place)
    };
    let masked: Vec<u32> = (0..64).filter(|bit| bits >> bit & 1 == 1).collect();
    let packed = places(&|place| masked.get(place).is_some_and(|bit| word >> bit & 1 == 1));
    let spread =
        masked.iter().enumerate().fold(0, |all, (place, bit)| all | (word >> place & 1) << bit);
    let is_member = |place: usize| {
        let object = objects[place] as usize;
        set.get(object / BLOCK_BITS).is_some_and(|block| block.get(object % BLOCK_BITS))
    };
    let total = 2 * ones(a) + ones(b) + ones(c);
    let words = vec![
        ("total", total),
        ("total of nothing", 0),
        ("totals, first", total),
        ("totals, second", ones(b)),
        ("zero_words", places(&|place| place < 8 && a[place] == 0)),
        ("sum_words", a.iter().fold(0, |sum, &word| sum.wrapping_add(word))),
        ("pack_bits", packed),
        ("spread_bits", spread),
        ("members", places(&is_member)),
        ("within", places(&|place| (objects[0]..objects[1]).contains(&objects[place]))),
        ("equal_bytes", places(&|place| bytes[place] == *byte)),
    ];
    let compressed = std::iter::repeat_n(7, *at).chain(kept).collect();
    Results { blocks, words, compressed }
}

/// Generates words with no bits, all bits, few bits or random bits.
fn word() -> impl Strategy<Value = u64> {
    prop_oneof![
        2 => Just(0),
        1 => Just(u64::MAX),
        1 => (0u32..64).prop_map(|bit| 1 << bit),
        4 => any::<u64>(),
    ]
}

fn block() -> impl Strategy<Value = Block> {
    prop::collection::vec(word(), 8).prop_map(|words| Block(std::array::from_fn(|at| words[at])))
}

fn operands() -> impl Strategy<Value = Operands> {
    let blocks = prop::collection::vec(block(), 3);
    let numbers = (word(), word(), 0u32..64, any::<u8>(), 0usize..17);
    // Some objects are past the end of the set.
    let objects = prop::collection::vec(prop_oneof![6 => 0u32..2100, 1 => any::<u32>()], 64);
    let bytes = prop::collection::vec(prop::sample::select(vec![0u8, 1, 2, 127, 128, 255]), 65);
    let set = prop::collection::vec(block(), 0..5);
    (blocks, numbers, set, objects, bytes).prop_map(
        |(blocks, (word, bits, shift, mask, at), set, objects, bytes)| Operands {
            blocks: std::array::from_fn(|place| blocks[place]),
            word,
            bits,
            shift,
            mask,
            at,
            set,
            objects: std::array::from_fn(|place| objects[place]),
            bytes: std::array::from_fn(|place| bytes[place]),
            byte: bytes[64],
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(512)))]

    #[test]
    fn every_operation_agrees_with_its_definition(operands in operands()) {
        let expected = expected(&operands);
        for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
            let found = level.run(Apply(&operands));
            for (found, expected) in found.blocks.iter().zip(&expected.blocks) {
                prop_assert_eq!(found, expected, "{}", level);
            }
            for (found, expected) in found.words.iter().zip(&expected.words) {
                prop_assert_eq!(found, expected, "{}", level);
            }
            prop_assert_eq!(&found, &expected, "{}", level);
        }
    }
}
