//! The segments of a prompt.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::part::PartName;

/// The texts of a request, split into segments by part and stability.
///
/// The segments show how much of a request can be served from a vendor's prompt cache, which matches
/// prefixes, and which parts cause the cost. They are in the order in which servers read them: the tools and the
/// system message, if any; the segments that concatenate to the prompt; and the rounds, which are the calls of
/// tools with their results. `Display` prints a table.
///
/// ```
/// use cot_core::PromptSegments;
///
/// let json = r#"[
///     {"part": "prompt", "stability": "fixed", "text": "Sum up: "},
///     {"part": "prompt", "stability": "volatile", "text": "a text"}
/// ]"#;
/// let segments: PromptSegments = serde_json::from_str(json)?;
/// assert_eq!(segments.prompt(), "Sum up: a text");
/// assert_eq!((segments.bytes(), segments.longest_fixed_prefix()), (14, 8));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PromptSegments(Vec<Segment>);

/// A section of text that belongs to one part and is of one stability.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Segment {
    /// The part that contains the text.
    pub part: PartName,
    /// How stable the text is.
    pub stability: Stability,
    /// The text.
    pub text: String,
}

/// How stable a text is: which prompts contain the same text at the same place.
///
/// The variants are in the order in which the parts of a prompt are arranged by default, so that a server's
/// prompt cache can serve the longest prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stability {
    /// The same in every run: text from the declaration of the process or from the library.
    Fixed,
    /// The same in all prompts of a run: the goal, and fields of the state that nothing writes.
    PerRun,
    /// Text to whose end each prompt may append: the history, and lists that are only appended to.
    Growing,
    /// Text that may differ in every prompt: other values, results of functions, guarded transitions, errors.
    Volatile,
}

impl Stability {
    /// All stabilities, the most stable first.
    pub const ALL: [Self; 4] = [Self::Fixed, Self::PerRun, Self::Growing, Self::Volatile];

    /// Returns the name of the stability, such as `per run`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::PerRun => "per run",
            Self::Growing => "growing",
            Self::Volatile => "volatile",
        }
    }
}

impl PromptSegments {
    /// Returns an iterator over the segments, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Segment> {
        self.0.iter()
    }

    /// Concatenates the segments of the prompt.
    #[must_use]
    pub fn prompt(&self) -> String {
        let others = [PartName::Tools, PartName::System, PartName::Rounds];
        self.texts(|segment| !others.contains(&segment.part))
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

    /// Returns the length of the segments of one stability in bytes.
    #[must_use]
    pub fn stable_bytes(&self, stability: Stability) -> usize {
        self.0.iter().filter(|segment| segment.stability == stability).map(Segment::bytes).sum()
    }

    /// Returns the length of a part in bytes.
    #[must_use]
    pub fn part_bytes(&self, part: PartName) -> usize {
        self.0.iter().filter(|segment| segment.part == part).map(Segment::bytes).sum()
    }

    /// Returns the number of bytes before the first segment that is not fixed: the maximum that different
    /// runs can share in a prompt cache.
    #[must_use]
    pub fn longest_fixed_prefix(&self) -> usize {
        self.prefix(Stability::Fixed)
    }

    /// Returns the number of bytes before the first volatile segment: about the maximum that the prompts of
    /// one run can share in a prompt cache.
    #[must_use]
    pub fn longest_stable_prefix(&self) -> usize {
        self.prefix(Stability::Growing)
    }

    fn prefix(&self, least: Stability) -> usize {
        let stable = self.0.iter().take_while(|segment| segment.stability <= least);
        stable.map(Segment::bytes).sum()
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

impl fmt::Display for Stability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for PromptSegments {
    /// Formats a table with a line for each segment, followed by the totals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.bytes();
        writeln!(f, "{:<12} {:<9} {:>9} {:>7}", "part", "stability", "bytes", "share")?;
        for Segment { part, stability, text } in self {
            let share = share(text.len(), total);
            writeln!(f, "{part:<12} {stability:<9} {:>9} {share:>7}", text.len())?;
        }
        let mut line =
            |name: &str, bytes| writeln!(f, "{name:<22} {bytes:>9} {:>7}", share(bytes, total));
        line("total", total)?;
        for stability in Stability::ALL {
            line(stability.as_str(), self.stable_bytes(stability))?;
        }
        line("longest fixed prefix", self.longest_fixed_prefix())?;
        line("longest stable prefix", self.longest_stable_prefix())?;
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

    fn segment(part: PartName, stability: Stability, bytes: usize) -> Segment {
        Segment { part, stability, text: "x".repeat(bytes) }
    }

    fn segments() -> PromptSegments {
        use Stability::{Fixed, Growing, PerRun, Volatile};
        let segments = [
            segment(PartName::System, Fixed, 50),
            segment(PartName::Intro, Fixed, 100),
            segment(PartName::Goal, PerRun, 30),
            segment(PartName::History, Growing, 120),
            segment(PartName::Prompt, Volatile, 50),
            segment(PartName::Output, Fixed, 50),
        ];
        segments.into_iter().collect()
    }

    #[test]
    fn prints_a_table() {
        let table = "\
part         stability     bytes   share
system       fixed            50  12.5 %
intro        fixed           100  25.0 %
goal         per run          30   7.5 %
history      growing         120  30.0 %
prompt       volatile         50  12.5 %
output       fixed            50  12.5 %
total                        400 100.0 %
fixed                        200  50.0 %
per run                       30   7.5 %
growing                      120  30.0 %
volatile                      50  12.5 %
longest fixed prefix         150  37.5 %
longest stable prefix        300  75.0 %
estimated tokens             100";
        assert_eq!(segments().to_string(), table);
        assert_eq!(PromptSegments::default().estimated_tokens(), 0);
        assert!(PromptSegments::default().to_string().contains("0.0 %"));
    }

    #[test]
    fn survives_serialization() {
        let json = serde_json::to_value(segments()).unwrap();
        assert_eq!(json[1]["part"], "intro");
        assert_eq!(json[2]["stability"], "per_run");
        assert_eq!(serde_json::from_value::<PromptSegments>(json).unwrap(), segments());
    }
}
