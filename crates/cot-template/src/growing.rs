//! A text that grows from prompt to prompt.

/// The text of a template function that only grows at its end from prompt to prompt of a run, such as that of a
/// conversation.
///
/// A function in the place of a template returns it: `fn(&Cx<'_, P>) -> GrowingText`. Prompt caches then serve
/// the beginning that two prompts have in common, and stores keep it once. A text that also changes elsewhere
/// costs cached tokens and bytes, never a wrong prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrowingText(String);

impl GrowingText {
    /// Creates a text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
