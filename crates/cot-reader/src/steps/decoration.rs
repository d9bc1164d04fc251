//! Strips the Markdown decoration at the beginning of a line.

/// A line without the decoration before its first word.
pub(super) struct Line<'t> {
    /// The text from the first word to the end of the whole text.
    pub(super) rest: &'t str,
    pub(super) is_heading: bool,
    /// The closing mark of the emphasis or bracket that opens before the first word.
    pub(super) close: Option<&'static str>,
}

/// The opening and closing marks of emphasis and brackets.
const PAIRS: [(&str, &str); 6] =
    [("***", "***"), ("**", "**"), ("__", "__"), ("*", "*"), ("_", "_"), ("【", "】")];

impl<'t> Line<'t> {
    /// Parses the first line of a text.
    pub(super) fn parse(text: &'t str) -> Self {
        let plain = |rest| Self { rest, is_heading: false, close: None };
        let is_plain = |text: &str| text.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
        if is_plain(text) {
            return plain(text);
        }
        let text = text.trim_start_matches(is_blank);
        if is_plain(text) || text.starts_with('\n') {
            return plain(text);
        }
        let rest = text.trim_start_matches(|c| c == '>' || is_blank(c));
        let (is_heading, rest) = match after_hashes(rest) {
            Some(rest) => (true, rest),
            None => (false, after_bullet_of_bold(rest).unwrap_or(rest)),
        };
        let rest = rest.trim_start_matches(is_sign);
        let pair = PAIRS.iter().find_map(|(open, close)| Some((rest.strip_prefix(open)?, *close)));
        let (rest, close) = match pair {
            Some((inner, close)) if !inner.starts_with(char::is_whitespace) => (inner, Some(close)),
            _ => (rest, None),
        };
        Self { rest: rest.trim_start_matches(is_sign), is_heading, close }
    }

    /// Returns whether the line is a heading or begins with emphasis.
    pub(super) const fn is_decorated(&self) -> bool {
        self.is_heading || self.close.is_some()
    }
}

/// Returns the text after the hashes of a heading.
fn after_hashes(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('#');
    let is_heading = (1..=6).contains(&(text.len() - rest.len())) && rest.starts_with(is_blank);
    is_heading.then(|| rest.trim_start_matches(is_blank))
}

/// Returns the text after a bullet, if it is bold.
fn after_bullet_of_bold(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['-', '*', '•', '+'])?;
    let bold = rest.trim_start_matches(is_blank);
    (bold.len() < rest.len() && (bold.starts_with("**") || bold.starts_with("__"))).then_some(bold)
}

/// Returns whether a character is white space within a line or an invisible direction mark.
pub(super) fn is_blank(c: char) -> bool {
    match c {
        ' ' | '\t' | '\r' => true,
        '\n' => false,
        '!'..='~' => false,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_whitespace(),
    }
}

/// Returns whether a character is an arrow, check mark, emoji or blank.
pub(super) fn is_sign(c: char) -> bool {
    is_blank(c)
        || matches!(c,
            '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}'
            | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}' | '\u{200d}')
}
