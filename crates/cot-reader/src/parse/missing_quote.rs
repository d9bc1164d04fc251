//! Detects missing closing quotes by the quote that opens the next string.

use super::{
    cursor::{Bracket, Parser},
    draft::Draft,
};

impl Parser<'_, '_> {
    /// Returns where the string ends if its closing quote is missing and the quote at `at` opens the next
    /// string.
    pub(super) fn missing_quote_end(&self, at: usize, draft: &Draft) -> Option<usize> {
        let before = self.slice(draft.start, at);
        let trimmed = before.trim_end_matches([' ', '\n', '\r', '\t']);
        let is_line = before.get(trimmed.len()..).is_some_and(|blank| blank.contains('\n'));
        if let Some(end) =
            self.missing_quote_end_of_object(trimmed).filter(|_| self.quoted_key_at(at))
        {
            return Some(draft.start + end);
        }
        let item = trimmed.strip_suffix(',');
        if let Some(end) = item.and_then(|item| self.end_before_closers(item))
            && self.quoted_key_at(at)
        {
            // `["b], "key":`: the list ends here, too.
            return Some(draft.start + end);
        }
        // A comma alone is rather a text than an empty one without its closing quote.
        if item.is_some_and(str::is_empty) || item.is_none() && !is_line {
            return None;
        }
        let is_item = match self.open.last()? {
            Bracket::Object => self.quoted_key_at(at),
            Bracket::List | Bracket::Tuple | Bracket::Set => {
                self.quoted_item_at(at) && !ends_quotation(self, at)
            }
        };
        is_item.then(|| draft.start + item.unwrap_or(trimmed).len())
    }

    /// Returns the end of a text without its trailing closing brackets if it opened none of them, within a
    /// limited distance.
    fn end_before_closers(&self, text: &str) -> Option<usize> {
        let is_closer = |c: char| matches!(c, '}' | ']') || c.is_ascii_whitespace();
        let content = text.trim_end_matches(is_closer);
        let closers = text.get(content.len()..)?;
        if content.is_empty() || closers.trim_ascii().is_empty() {
            return None;
        }
        let near = content.get(content.ceil_char_boundary(content.len().saturating_sub(400))..)?;
        self.fuel.burn(text.len() - content.len() + near.len());
        let has_opener = near.contains('{') && closers.contains('}')
            || near.contains('[') && closers.contains(']');
        (!has_opener).then_some(content.len())
    }

    /// Returns where the string ends if it was the last one of its object and another object follows:
    /// `"b}, {`.
    fn missing_quote_end_of_object(&self, before: &str) -> Option<usize> {
        let before = before.strip_suffix('{')?.trim_ascii_end();
        let before = before.strip_suffix(',').unwrap_or(before).trim_ascii_end();
        let is_object = self.open.last() == Some(&Bracket::Object);
        let item = before.strip_suffix('}').filter(|_| is_object)?;
        Some(item.trim_ascii_end().len())
    }
}

/// Returns whether the string at a position has one escaped quote without another: a quotation in the text
/// before it ends there.
fn ends_quotation(parser: &Parser<'_, '_>, at: usize) -> bool {
    let end = parser.quoted_end(at).unwrap_or(at);
    parser.slice(at, end).matches("\\\"").count() % 2 == 1
}
