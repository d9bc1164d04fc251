//! Truncation of text.

/// Returns the longest prefix of at most `max` bytes that ends at a character boundary.
pub fn truncate(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}
