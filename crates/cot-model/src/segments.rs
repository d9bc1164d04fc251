//! The segments of a prompt.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::part::PartName;

/// The system message and prompt of a request, split into fixed and variable segments.
///
/// The segments show how much of a prompt can be served from a vendor's prompt cache, which matches
/// prefixes, and which parts cause the cost. The system message, if any, comes first. The other segments
/// concatenate to the prompt. `Display` prints a table.
///
/// ```
/// use cot_core::PromptSegments;
///
/// let json = r#"[
///     {"part": "prompt", "kind": "fixed", "text": "Sum up: "},
///     {"part": "prompt", "kind": "variable", "text": "a text"}
/// ]"#;
/// let segments: PromptSegments = serde_json::from_str(json)?;
/// assert_eq!(segments.prompt(), "Sum up: a text");
/// assert_eq!((segments.bytes(), segments.fixed_bytes()), (14, 8));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PromptSegments(Vec<Segment>);

/// A section of text that belongs to one part and is of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Segment {
    /// The part that contains the text.
    pub part: PartName,
    /// Whether the text is fixed or variable.
    pub kind: SegmentKind,
    /// The text.
    pub text: String,
}

/// The kind of a segment: whether its text is the same in every prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SegmentKind {
    /// Fixed text from the declaration of the process or from the library.
    Fixed,
    /// Text that can differ: values in templates, results of template functions, the goal, history and
    /// errors, and transitions with a guard.
    Variable,
}

impl PromptSegments {
    /// Joins the segments of a system message and of a prompt.
    #[doc(hidden)]
    #[must_use]
    pub fn new(system: Vec<Segment>, prompt: Vec<Segment>) -> Self {
        let mut segments = system;
        segments.extend(prompt);
        Self(segments)
    }

    /// Appends a segment.
    #[doc(hidden)]
    pub fn push(&mut self, segment: Segment) {
        self.0.push(segment);
    }

    /// Returns an iterator over the segments, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Segment> {
        self.0.iter()
    }

    /// Concatenates the segments of the prompt.
    #[must_use]
    pub fn prompt(&self) -> String {
        self.texts(|segment| segment.part != PartName::System)
    }

    /// Concatenates the segments of the system message. Returns an empty string if there are none.
    #[must_use]
    pub fn system(&self) -> String {
        self.texts(|segment| segment.part == PartName::System)
    }

    /// Returns the total length in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.iter().map(Segment::bytes).sum()
    }

    /// Returns the length of the fixed segments in bytes.
    #[must_use]
    pub fn fixed_bytes(&self) -> usize {
        self.0.iter().filter(|segment| segment.is_fixed()).map(Segment::bytes).sum()
    }

    /// Returns the length of a part in bytes.
    #[must_use]
    pub fn part_bytes(&self, part: PartName) -> usize {
        self.0.iter().filter(|segment| segment.part == part).map(Segment::bytes).sum()
    }

    /// Returns the number of bytes before the first variable segment: the maximum that different runs can
    /// share in a prompt cache.
    #[must_use]
    pub fn longest_fixed_prefix(&self) -> usize {
        self.0.iter().take_while(|segment| segment.is_fixed()).map(Segment::bytes).sum()
    }

    /// Estimates the number of tokens as a quarter of the bytes. The exact number depends on the tokenizer
    /// of the model.
    #[must_use]
    pub fn estimated_tokens(&self) -> usize {
        self.bytes().div_ceil(BYTES_PER_TOKEN)
    }

    fn texts(&self, belongs: impl Fn(&Segment) -> bool) -> String {
        self.0.iter().filter(|segment| belongs(segment)).map(|segment| &*segment.text).collect()
    }
}

/// Average number of bytes per token in English text and JSON.
const BYTES_PER_TOKEN: usize = 4;

impl Segment {
    /// Returns the length of the text in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    fn is_fixed(&self) -> bool {
        self.kind == SegmentKind::Fixed
    }
}

impl FromIterator<Segment> for PromptSegments {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self(segments.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a PromptSegments {
    type Item = &'a Segment;
    type IntoIter = std::slice::Iter<'a, Segment>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for SegmentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Fixed => "fixed",
            Self::Variable => "variable",
        })
    }
}

impl fmt::Display for PromptSegments {
    /// Formats a table with a line for each segment, followed by the totals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.bytes();
        writeln!(f, "{:<12} {:<9} {:>9} {:>7}", "part", "kind", "bytes", "share")?;
        for Segment { part, kind, text } in self {
            let share = share(text.len(), total);
            writeln!(f, "{part:<12} {kind:<9} {:>9} {share:>7}", text.len())?;
        }
        for (name, bytes) in [
            ("total", total),
            ("fixed", self.fixed_bytes()),
            ("longest fixed prefix", self.longest_fixed_prefix()),
        ] {
            writeln!(f, "{name:<22} {bytes:>9} {:>7}", share(bytes, total))?;
        }
        write!(f, "{:<22} {:>9}", "estimated tokens", self.estimated_tokens())
    }
}

fn share(bytes: usize, total: usize) -> String {
    let permille = (bytes * 1000).checked_div(total).unwrap_or(0);
    format!("{}.{} %", permille / 10, permille % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(part: PartName, kind: SegmentKind, bytes: usize) -> Segment {
        Segment { part, kind, text: "x".repeat(bytes) }
    }

    fn segments() -> PromptSegments {
        use SegmentKind::{Fixed, Variable};
        PromptSegments::new(
            vec![segment(PartName::System, Fixed, 50)],
            vec![
                segment(PartName::Intro, Fixed, 100),
                segment(PartName::History, Variable, 200),
                segment(PartName::Output, Fixed, 50),
            ],
        )
    }

    #[test]
    fn prints_a_table() {
        let table = "\
part         kind          bytes   share
system       fixed            50  12.5 %
intro        fixed           100  25.0 %
history      variable        200  50.0 %
output       fixed            50  12.5 %
total                        400 100.0 %
fixed                        200  50.0 %
longest fixed prefix         150  37.5 %
estimated tokens             100";
        assert_eq!(segments().to_string(), table);
        assert_eq!(PromptSegments::default().estimated_tokens(), 0);
        assert!(PromptSegments::default().to_string().contains("0.0 %"));
    }

    #[test]
    fn survives_serialization() {
        let json = serde_json::to_value(segments()).unwrap();
        assert_eq!(json[1]["part"], "intro");
        assert_eq!(json[2]["kind"], "variable");
        assert_eq!(serde_json::from_value::<PromptSegments>(json).unwrap(), segments());
    }
}
