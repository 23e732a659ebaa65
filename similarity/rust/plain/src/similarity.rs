//! The similarity of two texts: words by two regular expressions, counts in maps, the
//! cosine of the vectors of tf·idf.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use regex::Regex;

static OTHERS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[^0-9A-Za-z_\t\n\f\r ]").expect("the expression is right"));
static SPACES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[\t\n\f\r ]+").expect("the expression is right"));

type Counts = HashMap<String, u32>;

/// Returns the similarity of two texts, from 0 to 1, rounded to three decimals.
pub fn compare(text1: &str, text2: &str) -> f64 {
    let (counts1, counts2) = (count(text1), count(text2));
    let vocabulary: HashSet<&String> = counts1.keys().chain(counts2.keys()).collect();

    let mut vector1 = Vec::with_capacity(vocabulary.len());
    let mut vector2 = Vec::with_capacity(vocabulary.len());
    for word in vocabulary {
        let (n1, n2) = (counts1.get(word).copied(), counts2.get(word).copied());
        let texts = f64::from(u8::from(n1.is_some()) + u8::from(n2.is_some()));
        let idf = (1.0 + 2.0 / (texts + 1.0)).ln();
        vector1.push(f64::from(n1.unwrap_or(0)) * idf);
        vector2.push(f64::from(n2.unwrap_or(0)) * idf);
    }
    (1000.0 * cosine(&vector1, &vector2)).round() / 1000.0
}

/// Says what a similarity means.
pub fn interpret(similarity: f64) -> &'static str {
    match similarity {
        s if s <= 0.2 => "Dissimilar",
        s if s <= 0.4 => "Slightly Similar",
        s if s <= 0.6 => "Moderately Similar",
        s if s <= 0.8 => "Quite Similar",
        _ => "Highly Similar",
    }
}

/// Counts the words of a text. An empty text counts as one empty word.
fn count(text: &str) -> Counts {
    let text = text.to_lowercase();
    let text = OTHERS.replace_all(&text, "");
    let text = SPACES.replace_all(&text, " ");
    let mut counts = Counts::new();
    for word in text.trim_matches(' ').split(' ') {
        *counts.entry(word.to_owned()).or_insert(0) += 1;
    }
    counts
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let norms = norm(a) * norm(b);
    if norms == 0.0 { 0.0 } else { dot / norms }
}

#[cfg(test)]
mod tests {
    use super::{compare, interpret};

    #[test]
    fn cases() {
        for (text1, text2, similarity, interpretation) in [
            ("", "", 1.0, "Highly Similar"),
            ("", "a", 0.0, "Dissimilar"),
            ("a", " \t\n\u{c}\r", 0.0, "Dissimilar"),
            ("Don't  STOP", "dont stop", 1.0, "Highly Similar"),
            (
                "\u{212a}elvin d\u{130}g",
                "kelvin dig",
                1.0,
                "Highly Similar",
            ),
            ("caf\u{e9} a\u{b}b", "caf ab", 1.0, "Highly Similar"),
            ("a b", "a c", 0.352, "Slightly Similar"),
            ("a a a b", "a b b b", 0.6, "Moderately Similar"),
        ] {
            let got = compare(text1, text2);
            assert_eq!(got, similarity, "{text1:?}, {text2:?}");
            assert_eq!(interpret(got), interpretation, "{text1:?}, {text2:?}");
        }
    }
}
