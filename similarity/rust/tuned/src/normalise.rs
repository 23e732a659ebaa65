//! Letters are lowered, white space becomes blanks, and what is in no word is deleted, in
//! one pass over the bytes. No branch depends on the text: each byte is written, deleted
//! or not, and the place moves on by 0 or 1.

use memchr::memmem;

/// What becomes of each byte, 0 for nothing.
const TABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 128 {
        let c = i as u8;
        table[i] = match c {
            b'A'..=b'Z' => c.to_ascii_lowercase(),
            b'a'..=b'z' | b'0'..=b'9' | b'_' => c,
            b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' => b' ',
            _ => 0,
        };
        i += 1;
    }
    table
};

/// Two characters outside ASCII have a small letter inside: K and İ.
const KELVIN: &[u8] = "\u{212a}".as_bytes();
const DOTTED_I: &[u8] = "\u{130}".as_bytes();

/// Appends a text to `to`.
pub fn append(to: &mut Vec<u8>, mut text: &[u8]) {
    if !text.is_ascii() {
        while let Some((at, size, letter)) = next_letter(text) {
            append_bytes(to, &text[..at]);
            to.push(letter);
            text = &text[at + size..];
        }
    }
    append_bytes(to, text);
}

/// Returns where the first of the two characters is, its size and its small letter.
fn next_letter(text: &[u8]) -> Option<(usize, usize, u8)> {
    let kelvin = memmem::find(text, KELVIN);
    let before = &text[..kelvin.unwrap_or(text.len())];
    match memmem::find(before, DOTTED_I) {
        Some(at) => Some((at, DOTTED_I.len(), b'i')),
        None => kelvin.map(|at| (at, KELVIN.len(), b'k')),
    }
}

fn append_bytes(to: &mut Vec<u8>, text: &[u8]) {
    let start = to.len();
    to.resize(start + text.len(), 0);
    let mut n = start;
    for &c in text {
        let small = TABLE[usize::from(c)];
        // SAFETY: n grows by at most one for each of the bytes that to was resized for.
        unsafe { *to.get_unchecked_mut(n) = small };
        n += usize::from(small != 0);
    }
    to.truncate(n);
}

#[cfg(test)]
mod tests {
    use super::append;

    #[test]
    fn cases() {
        for (text, want) in [
            ("", ""),
            ("Don't\t\r\nSTOP!", "dont   stop"),
            (
                "\u{212a}elvin, d\u{130}g caf\u{e9} \u{b}x",
                "kelvin dig caf x",
            ),
            ("\u{130}\u{212a}\u{130}", "iki"),
        ] {
            let mut got = b">".to_vec();
            append(&mut got, text.as_bytes());
            assert_eq!(
                String::from_utf8(got).unwrap(),
                format!(">{want}"),
                "{text:?}"
            );
        }
    }

    /// Every character, after few and many others.
    #[test]
    fn characters() {
        for before in 0..70 {
            for c in '\0'..='\u{2fff}' {
                let text = format!("{}{c}Z", "y".repeat(before));
                let want: String = text
                    .to_lowercase()
                    .chars()
                    .map(|c| if "\t\n\x0c\r".contains(c) { ' ' } else { c })
                    .filter(|&c| c == ' ' || c == '_' || c.is_ascii_alphanumeric())
                    .collect();
                let mut got = Vec::new();
                append(&mut got, text.as_bytes());
                assert_eq!(got, want.as_bytes(), "{text:?}");
            }
        }
    }
}
