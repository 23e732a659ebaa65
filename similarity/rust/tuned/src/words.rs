//! Counts of words, in a hash table with open addressing. A word of up to sixteen bytes
//! is its own key, in a register; of a longer one the key is a hash, and the word is
//! looked up where it stands. For the same texts hashbrown's map with slices as keys and
//! foldhash takes 1.9 times as long.

use foldhash::fast::RandomState;
use std::hash::BuildHasher;

use crate::{cosine::Sums, normalise};

/// The length of a word up to which it is its own key.
const MAX_KEY: usize = 16;

/// Set in the keys of longer words only, since words are ASCII.
const LONG: u128 = 1 << 127;

/// What is left of sixteen bytes that begin with a word of some length.
const MASKS: [u128; MAX_KEY + 1] = {
    let mut masks = [0; MAX_KEY + 1];
    let mut size = 1;
    while size <= MAX_KEY {
        masks[size] = u128::MAX >> (128 - 8 * size);
        size += 1;
    }
    masks
};

/// Blocks of the text are looked through for blanks at once.
const BLOCK: usize = 64;

/// A word with its counts in both texts.
#[derive(Clone, Copy)]
struct Word {
    key: u128,
    start: u32,
    size: u32,
    counts: [u32; 2],
}

/// Counts the words of two texts. It keeps its memory for the next two.
#[derive(Default)]
pub struct Counter {
    text: Vec<u8>,
    words: Vec<Word>,
    slots: Vec<u32>, // the index of a word, plus one; a power of two of them
    state: RandomState,
}

/// What a counter may keep of the text, in bytes, and of the words.
const MAX_KEPT_TEXT: usize = 1 << 20;
const MAX_KEPT_WORDS: usize = 1 << 16;

impl Counter {
    /// Counts the words of two texts.
    pub fn count(&mut self, text1: &[u8], text2: &[u8]) -> Sums {
        self.reset();
        let mut text = std::mem::take(&mut self.text);
        normalise::append(&mut text, text1);
        let middle = text.len();
        text.push(b' ');
        normalise::append(&mut text, text2);
        let end = text.len();
        text.resize(end + BLOCK + MAX_KEY, b' ');
        self.count_words::<0>(&text, 0, middle);
        self.count_words::<1>(&text, middle + 1, end);
        self.text = text;
        self.words.iter().map(|w| w.counts).collect()
    }

    fn reset(&mut self) {
        if self.text.capacity() > MAX_KEPT_TEXT || self.words.capacity() > MAX_KEPT_WORDS {
            *self = Self::default();
        }
        self.text.clear();
        self.words.clear();
        self.slots.resize(self.slots.len().max(1 << 10), 0);
        self.slots.fill(0);
    }

    /// Counts the words from start to end for the text SIDE. A blank stands at the end. A text without a word has an empty one.
    fn count_words<const SIDE: usize>(&mut self, text: &[u8], start: usize, end: usize) {
        let (mut from, mut none) = (start, true);
        for at in (start..=end).step_by(BLOCK) {
            let mut blanks = blanks(text[at..at + BLOCK].try_into().expect("it is a block"));
            while blanks != 0 {
                let to = at + blanks.trailing_zeros() as usize;
                if to > end {
                    break;
                }
                if to > from {
                    self.add::<SIDE>(text, from, to);
                    none = false;
                }
                blanks &= blanks - 1;
                from = to + 1;
            }
        }
        if none {
            self.add::<SIDE>(text, end, end);
        }
    }

    #[inline(always)]
    fn add<const SIDE: usize>(&mut self, text: &[u8], from: usize, to: usize) {
        let key = self.key(text, from, to);
        let mask = self.slots.len() - 1;
        let mut at = self.state.hash_one(key) as usize & mask;
        while self.slots[at] != 0 {
            let word = &mut self.words[self.slots[at] as usize - 1];
            if word.key == key && (key & LONG == 0 || word.is(text, from, to)) {
                word.counts[SIDE] += 1;
                return;
            }
            at = (at + 1) & mask;
        }
        let mut word = Word {
            key,
            start: from as u32,
            size: (to - from) as u32,
            counts: [0; 2],
        };
        word.counts[SIDE] = 1;
        self.words.push(word);
        self.slots[at] = self.words.len() as u32;
        if 2 * self.words.len() > self.slots.len() {
            self.grow();
        }
    }

    #[inline(always)]
    fn key(&self, text: &[u8], from: usize, to: usize) -> u128 {
        if to - from > MAX_KEY {
            return LONG | u128::from(self.state.hash_one(&text[from..to]));
        }
        let bytes = text[from..from + MAX_KEY].try_into();
        u128::from_le_bytes(bytes.expect("they are sixteen")) & MASKS[to - from]
    }

    /// Doubles the slots.
    #[cold]
    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        self.slots.clear();
        self.slots.resize(mask + 1, 0);
        for (i, word) in self.words.iter().enumerate() {
            let mut at = self.state.hash_one(word.key) as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = i as u32 + 1;
        }
    }
}

impl Word {
    /// Reports whether the text has this word, a long one, from from to to.
    fn is(&self, text: &[u8], from: usize, to: usize) -> bool {
        let start = self.start as usize;
        text[start..start + self.size as usize] == text[from..to]
    }
}

/// Returns where there are blanks in a block, a bit each.
#[cfg(target_arch = "x86_64")]
fn blanks(block: &[u8; BLOCK]) -> u64 {
    use std::arch::x86_64::*;

    // SAFETY: every x86-64 has SSE2, and the four loads are of the block.
    let part = |i: usize| unsafe {
        let bytes = _mm_loadu_si128(block.as_ptr().add(16 * i).cast());
        let equal = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b' ' as i8));
        u64::from(_mm_movemask_epi8(equal) as u32) << (16 * i)
    };
    part(0) | part(1) | part(2) | part(3)
}

#[cfg(not(target_arch = "x86_64"))]
fn blanks(block: &[u8; BLOCK]) -> u64 {
    let bit = |(i, &c): (usize, &u8)| u64::from(c == b' ') << i;
    block.iter().enumerate().map(bit).fold(0, |a, b| a | b)
}

#[cfg(test)]
mod tests {
    use super::Counter;
    use crate::cosine::Sums;
    use std::collections::HashMap;

    fn naive(text1: &str, text2: &str) -> Sums {
        let mut counts = HashMap::<&str, [u32; 2]>::new();
        for (side, text) in [text1, text2].into_iter().enumerate() {
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            let words = if words.is_empty() { vec![""] } else { words };
            for word in words {
                counts.entry(word).or_default()[side] += 1;
            }
        }
        counts.into_values().collect()
    }

    #[test]
    fn texts() {
        let mut counter = Counter::default();
        let mut random = 1u64;
        let mut below = |n: u64| {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (random >> 33) % n
        };
        for i in 0..20_000 {
            let length = if i % 1000 == 0 { 20_000 } else { 40 };
            let mut text = || {
                let mut text = String::new();
                for _ in 0..below(length) {
                    match below(10) {
                        0..3 => text += " ",
                        3 => text += &"long".repeat(below(7) as usize),
                        4 => text += &below(3000).to_string(),
                        c => text.push((b'a' + c as u8) as char),
                    }
                }
                text
            };
            let (text1, text2) = (text(), text());
            let got = counter.count(text1.as_bytes(), text2.as_bytes());
            assert_eq!(got, naive(&text1, &text2), "{text1:?}, {text2:?}");
        }
    }
}
