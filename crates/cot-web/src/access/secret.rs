//! Secret values: keys that sign, and comparisons that take the same time for any difference.

use std::fmt::Write;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// A key that signs and compares. Its `Debug` output does not show it.
#[derive(Clone)]
pub(crate) struct Key([u8; 64]);

impl Key {
    /// Creates a random key.
    ///
    /// # Panics
    ///
    /// If the operating system gives no random bytes.
    pub(crate) fn random() -> Self {
        Self(random_bytes())
    }

    /// Signs parts, none of which can be taken for a part of another one.
    pub(crate) fn sign(&self, parts: &[&str]) -> String {
        hex(&self.mac(parts).finalize().into_bytes())
    }

    /// Returns whether two texts are equal, in a time that does not depend on where they differ.
    pub(crate) fn is_equal(&self, a: &str, b: &str) -> bool {
        let expected = self.mac(&[a]).finalize().into_bytes();
        self.mac(&[b]).verify_slice(&expected).is_ok()
    }

    fn mac(&self, parts: &[&str]) -> Hmac<Sha256> {
        // A key as long as a block of the hash, which HMAC uses as it is.
        let mut mac = <Hmac<Sha256> as KeyInit>::new(&self.0.into());
        for part in parts {
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part.as_bytes());
        }
        mac
    }
}

/// Returns a random text of 32 hexadecimal digits.
pub(crate) fn random_text() -> String {
    hex(&random_bytes::<16>())
}

#[expect(clippy::expect_used, reason = "a site without random numbers could keep nobody out")]
fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_hold_for_their_parts_alone() {
        let key = Key::random();
        let signature = key.sign(&["a", "bc"]);
        assert_eq!(key.sign(&["a", "bc"]), signature);
        assert_ne!(key.sign(&["ab", "c"]), signature);
        assert_ne!(Key::random().sign(&["a", "bc"]), signature);
        assert!(key.is_equal("secret", "secret") && !key.is_equal("secret", "secre"));
    }
}
