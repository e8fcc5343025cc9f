//! From the parser's character counts to byte offsets, in constant time for each look-up.
//! In: a text, once. Out: the byte at which its n-th character starts.

/// Every so many characters one offset is kept; the rest is walked.
const STEP: usize = 64;

/// Where the characters of a text start.
pub(super) struct CharOffsets<'t> {
    text: &'t str,
    /// Byte offset of every `STEP`-th character; `None` if every character is one byte.
    kept: Option<Vec<u32>>,
}

impl<'t> CharOffsets<'t> {
    /// Looks through the text once.
    pub(super) fn new(text: &'t str) -> Self {
        let kept = (!text.is_ascii()).then(|| {
            text.char_indices().step_by(STEP).map(|(at, _)| u32::try_from(at).unwrap_or(u32::MAX)).collect()
        });
        CharOffsets { text, kept }
    }

    /// The byte at which the character starts; the text's length if there are fewer characters.
    pub(super) fn byte(&self, character: usize) -> usize {
        let Some(kept) = &self.kept else {
            return character.min(self.text.len());
        };
        let Some(&start) = kept.get(character / STEP) else {
            return self.text.len();
        };
        let start = start as usize;
        self.text[start..]
            .char_indices()
            .nth(character % STEP)
            .map_or(self.text.len(), |(walked, _)| start + walked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_offsets_are_the_counts() {
        let offsets = CharOffsets::new("abc");
        assert_eq!([0, 2, 3, 9].map(|character| offsets.byte(character)), [0, 2, 3, 3]);
    }

    #[test]
    fn wide_characters_are_counted_once() {
        // 100 characters of 2 bytes, then one of 4.
        let text = format!("{}\u{1F600}x", "ä".repeat(100));
        let offsets = CharOffsets::new(&text);
        assert_eq!(
            [0, 1, 63, 64, 65, 100, 101, 102].map(|character| offsets.byte(character)),
            [0, 2, 126, 128, 130, 200, 204, 205]
        );
    }
}
