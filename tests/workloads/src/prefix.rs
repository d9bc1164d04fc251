//! How much of the prompts of a run a prompt cache can serve.

/// The prompts of a run, and how much of each is a prefix of an earlier one.
#[derive(Debug, Default)]
pub struct Prompts {
    texts: Vec<String>,
    bytes: usize,
    shared: usize,
}

impl Prompts {
    /// Adds the next prompt, with its system message.
    pub fn add(&mut self, system: &str, prompt: &str) {
        let text = format!("{system}\n{prompt}");
        self.bytes += text.len();
        let prefixes = self.texts.iter().map(|earlier| common_prefix(earlier, &text));
        self.shared += prefixes.max().unwrap_or(0);
        self.texts.push(text);
    }

    /// Returns the bytes of all prompts.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the bytes that no cache serves.
    #[must_use]
    pub const fn unshared_bytes(&self) -> usize {
        self.bytes - self.shared
    }

    /// Returns the share of the bytes that are a prefix of an earlier prompt, from 0 to 1.
    #[must_use]
    pub const fn shared(&self) -> f64 {
        self.shared as f64 / self.bytes as f64
    }
}

fn common_prefix(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
}
