//! A text that is written while constants are evaluated.

const MAX_BYTES: usize = 500;

/// A bounded text that is extended by whole words only.
pub(super) struct ConstText {
    bytes: [u8; MAX_BYTES],
    length: usize,
}

impl ConstText {
    pub(super) const fn new() -> Self {
        Self { bytes: [0; MAX_BYTES], length: 0 }
    }

    pub(super) const fn push(&mut self, word: &str) {
        let word = word.as_bytes();
        if self.length + word.len() > MAX_BYTES {
            return;
        }
        let mut index = 0;
        while index < word.len() {
            self.bytes[self.length] = word[index];
            self.length += 1;
            index += 1;
        }
    }

    pub(super) const fn push_number(&mut self, number: u64) {
        let (mut digits, mut at, mut rest) = ([b'0'; 20], 20, number);
        while at == 20 || rest > 0 {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        if let Ok(text) = str::from_utf8(digits.split_at(at).1) {
            self.push(text);
        }
    }

    /// Fails to compile with the text.
    #[track_caller]
    #[expect(
        clippy::panic,
        reason = "called in constants alone, where it is an error of the compiler"
    )]
    pub(super) const fn panic(&self) {
        if let Ok(text) = str::from_utf8(self.bytes.split_at(self.length).0) {
            panic!("{}", text);
        }
    }
}
