//! The cosine of two vectors of counts, weighted by idf: α = ln 2 for a word of one text,
//! β = ln(5/3) for a word of both.

use std::f64::consts::LN_2;

/// What a similarity is made of: Σ c² of the words that only the first text has, of those
/// that only the second has, of the words of both in each, and Σ c1·c2.
#[derive(Debug, Default, PartialEq)]
pub struct Sums {
    only: [u64; 2],
    both: [u64; 2],
    product: u64,
}

impl FromIterator<[u32; 2]> for Sums {
    /// Sums up the counts of words in both texts.
    fn from_iter<I: IntoIterator<Item = [u32; 2]>>(counts: I) -> Self {
        let mut sums = Self::default();
        let mut all = [0; 2];
        for counts in counts {
            let [n1, n2] = counts.map(u64::from);
            all[0] += n1 * n1;
            all[1] += n2 * n2;
            sums.both[0] += n1 * n1 * u64::from(n2 > 0);
            sums.both[1] += n2 * n2 * u64::from(n1 > 0);
            sums.product += n1 * n2;
        }
        sums.only = [all[0] - sums.both[0], all[1] - sums.both[1]];
        sums
    }
}

impl Sums {
    /// Returns the similarity in thousandths, rounded, a half up.
    pub fn thousandths(&self) -> u32 {
        if self.product == 0 {
            return 0;
        }
        let (a, b) = (LN_2 * LN_2, (5.0_f64 / 3.0).ln().powi(2));
        let norm = |i: usize| a * self.only[i] as f64 + b * self.both[i] as f64;
        let similarity = b * self.product as f64 / (norm(0) * norm(1)).sqrt();
        let guess = (1000.0 * similarity).round().min(1000.0) as u32;
        if self.only == [0, 0] {
            self.exact(guess)
        } else {
            guess
        }
    }

    /// Returns the thousandths where all words are of both texts: β² cancels out, and
    /// halves occur, which floating point may take for more or less.
    fn exact(&self, guess: u32) -> u32 {
        let mut n = guess;
        while n > 0 && !self.reaches(2 * n - 1) {
            n -= 1;
        }
        while n < 1000 && self.reaches(2 * n + 1) {
            n += 1;
        }
        n
    }

    /// Reports whether the similarity is m/2000 or more.
    fn reaches(&self, m: u32) -> bool {
        let squared = |n: u64| u128::from(n) * u128::from(n);
        squared(2000 * self.product)
            >= squared(m.into()) * u128::from(self.both[0]) * u128::from(self.both[1])
    }
}

/// Says what a similarity in thousandths means.
pub fn interpret(thousandths: u32) -> &'static str {
    match thousandths {
        0..=200 => "Dissimilar",
        201..=400 => "Slightly Similar",
        401..=600 => "Moderately Similar",
        601..=800 => "Quite Similar",
        _ => "Highly Similar",
    }
}

#[cfg(test)]
mod tests {
    use super::Sums;

    #[test]
    fn halves() {
        for (both, product, want) in [
            ([1, 256], 1, 63),          // 62.5
            ([2000, 2000], 401, 201),   // 200.5
            ([2000, 2000], 1999, 1000), // 999.5
            ([4_000_000, 1], 1, 1),     // 0.5
            ([4_000_001, 1], 1, 0),     // less
            ([3, 3], 3, 1000),
        ] {
            let sums = Sums {
                only: [0, 0],
                both,
                product,
            };
            assert_eq!(sums.thousandths(), want, "{sums:?}");
        }
    }
}
