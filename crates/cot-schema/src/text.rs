//! Texts of bounded length.

/// The longest prefix of at most `max` bytes that ends between characters.
pub fn cut_text(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}
