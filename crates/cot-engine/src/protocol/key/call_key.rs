//! Keys that identify calls independently of the machine.

use std::{
    borrow::Cow,
    cmp::Ordering,
    fmt::{self, Write as _},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

/// A visit of a task, as part of a key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VisitKey {
    /// The name of the task.
    pub task: Cow<'static, str>,
    /// The number of the visit, from 1.
    pub number: u32,
    /// The number of the item, in a for-each task.
    pub item: Option<usize>,
    /// The attempt, from 1. Each attempt at a sub-process makes calls with different keys.
    pub attempt: u32,
}

/// Identifies a call by its position in the run, independently of the machine: two runs of a process that do
/// the same make calls with the same keys in the same order.
///
/// Its text is like `research#1/summarize#2[5]@1`: the first visit of `research`, the second visit of
/// `summarize`, item 5, attempt 1. In the second attempt at the sub-process, it begins with `research#1@2`; in the
/// sub-process of an item of a for-each task, with the item, as in `research#1[3]/search#1@1`.
/// The async `check` of an output has the key of the call that gave the output, with the suffix `+check`. In a
/// task with tools, the call of the model after two rounds of tool calls has the suffix `+round-2`, the third tool
/// call of the visit `+tool-3`, with the attempt of the tool, and the question whether to make it `+approve-3`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CallKey {
    /// The visits of the tasks that run the sub-processes, outermost first; `None` outside of sub-processes.
    pub(super) outer: Option<Arc<[VisitKey]>>,
    /// The visit of the task that makes the call.
    visit: VisitKey,
    part: CallPart,
}

/// What is called, among the calls that an attempt of a visit makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum CallPart {
    /// The model, the function or the person that the task asks first.
    Main,
    /// The model, after so many rounds of tool calls.
    Round(u32),
    /// The person who approves the tool call with this number.
    Approval(u32),
    /// The tool call with this number.
    Tool(u32),
    /// The async `check` of the output.
    Check,
}

impl VisitKey {
    /// Writes the visit without the number of the attempt.
    fn write(&self, f: &mut impl fmt::Write) -> fmt::Result {
        write!(f, "{}#{}", self.task, self.number)?;
        match self.item {
            Some(item) => write!(f, "[{item}]"),
            None => Ok(()),
        }
    }
}

impl CallKey {
    pub(crate) const fn new(outer: Option<Arc<[VisitKey]>>, visit: VisitKey) -> Self {
        Self { outer, visit, part: CallPart::Main }
    }

    /// Returns the key of another call of the same attempt.
    pub(crate) fn with_part(self, part: CallPart) -> Self {
        Self { part, ..self }
    }

    /// Returns the text of the key without the number of the attempt.
    pub(crate) fn without_attempt(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` does not fail.
        let _ = self.write_path(&mut text).and_then(|()| write!(text, "{}", self.part));
        text
    }

    fn outer(&self) -> &[VisitKey] {
        self.outer.as_deref().unwrap_or_default()
    }

    /// Returns the name of the task that makes the call.
    #[must_use]
    pub fn task(&self) -> &str {
        &self.visit.task
    }

    /// Returns the visits of the tasks that run the sub-processes, outermost first, and of the task itself.
    #[doc(hidden)]
    pub fn visits(&self) -> impl Iterator<Item = &VisitKey> {
        self.outer().iter().chain([&self.visit])
    }

    /// Returns the number of the visit of the task, from 1.
    #[must_use]
    pub const fn visit(&self) -> u32 {
        self.visit.number
    }

    /// Returns the number of the item, in a for-each task.
    #[must_use]
    pub const fn item(&self) -> Option<usize> {
        self.visit.item
    }

    /// Returns whether the call belongs to an item of a for-each task, or to a sub-process of one, at any depth.
    #[doc(hidden)]
    #[must_use]
    pub fn is_of_item(&self) -> bool {
        self.visits().any(|visit| visit.item.is_some())
    }

    /// Returns whether the call is the async `check` of an output.
    #[must_use]
    pub const fn is_check(&self) -> bool {
        matches!(self.part, CallPart::Check)
    }

    /// Returns the number of the tool call within the visit, from 1, if the call is one.
    #[must_use]
    pub const fn tool_call(&self) -> Option<u32> {
        match self.part {
            CallPart::Tool(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the number of the tool call that a person is asked to approve, if the call is that question.
    #[must_use]
    pub const fn approval(&self) -> Option<u32> {
        match self.part {
            CallPart::Approval(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the number of the rounds of tool calls in the visit before the call of the model.
    #[must_use]
    pub const fn round(&self) -> u32 {
        match self.part {
            CallPart::Round(number) => number,
            _ => 0,
        }
    }

    /// Returns the number of the attempt, from 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.visit.attempt
    }

    /// Returns the visits as they are compared. The attempt of the call itself is compared after all of them.
    fn path(&self) -> impl Iterator<Item = (&str, u32, Option<usize>, u32)> {
        let outer = self.outer().iter();
        let outer = outer.map(|outer| (&*outer.task, outer.number, outer.item, outer.attempt));
        outer.chain([(self.task(), self.visit(), self.item(), 1)])
    }
}

impl Ord for CallKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let rest = |key: &Self| (key.attempt(), key.part);
        self.path().cmp(other.path()).then_with(|| rest(self).cmp(&rest(other)))
    }
}

impl PartialOrd for CallKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl CallKey {
    /// Writes the key without the number of the attempt.
    fn write_path(&self, f: &mut impl fmt::Write) -> fmt::Result {
        for visit in self.outer() {
            visit.write(f)?;
            if visit.attempt > 1 {
                write!(f, "@{}", visit.attempt)?;
            }
            f.write_str("/")?;
        }
        self.visit.write(f)
    }
}

impl fmt::Display for CallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_path(f)?;
        write!(f, "@{}{}", self.attempt(), self.part)
    }
}

impl fmt::Display for CallPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Main => Ok(()),
            Self::Round(number) => write!(f, "+{ROUND}{number}"),
            Self::Approval(number) => write!(f, "+{APPROVAL}{number}"),
            Self::Tool(number) => write!(f, "+{TOOL}{number}"),
            Self::Check => write!(f, "+{CHECK}"),
        }
    }
}

impl From<CallKey> for String {
    fn from(key: CallKey) -> Self {
        key.to_string()
    }
}

/// The error of parsing a [`CallKey`].
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not the key of a call: one is like `task#1@1`, `task#1[0]@2` or `outer#1/task#1@1`"
)]
pub struct ParseCallKeyError(String);

impl TryFrom<String> for CallKey {
    type Error = ParseCallKeyError;

    fn try_from(text: String) -> Result<Self, ParseCallKeyError> {
        parse_key(&text).ok_or(ParseCallKeyError(text))
    }
}

// The suffixes of keys, after a plus sign.
const CHECK: &str = "check";
const ROUND: &str = "round-";
const APPROVAL: &str = "approve-";
const TOOL: &str = "tool-";

fn parse_key(text: &str) -> Option<CallKey> {
    let (text, part) = match text.rsplit_once('+') {
        Some((text, part)) => (text, parse_part(part)?),
        None => (text, CallPart::Main),
    };
    let (path, attempt) = text.rsplit_once('@')?;
    let mut outer = path.split('/').map(parse_visit).collect::<Option<Vec<_>>>()?;
    let visit = outer.pop().filter(|visit| visit.attempt == 1)?;
    let visit = VisitKey { attempt: attempt.parse().ok()?, ..visit };
    let outer = (!outer.is_empty()).then(|| outer.into());
    Some(CallKey { outer, visit, part })
}

fn parse_part(text: &str) -> Option<CallPart> {
    if text == CHECK {
        return Some(CallPart::Check);
    }
    let number = |prefix: &str| text.strip_prefix(prefix)?.parse::<u32>().ok();
    let round = number(ROUND).map(CallPart::Round);
    let part = round.or_else(|| number(APPROVAL).map(CallPart::Approval));
    let part = part.or_else(|| number(TOOL).map(CallPart::Tool));
    part.filter(|part| part.number() > 0)
}

impl CallPart {
    /// Returns the number in the suffix.
    const fn number(self) -> u32 {
        match self {
            Self::Round(number) | Self::Approval(number) | Self::Tool(number) => number,
            Self::Main | Self::Check => 0,
        }
    }
}

fn parse_visit(text: &str) -> Option<VisitKey> {
    let (task, number) = text.rsplit_once('#')?;
    let (number, attempt) = match number.split_once('@') {
        Some((number, attempt)) => (number, attempt.parse().ok().filter(|attempt| *attempt > 1)?),
        None => (number, 1),
    };
    let (number, item) = match number.strip_suffix(']') {
        Some(number) => {
            let (number, item) = number.split_once('[')?;
            (number, Some(item.parse().ok()?))
        }
        None => (number, None),
    };
    let (task, number) = (task.to_owned().into(), number.parse().ok()?);
    let visit = VisitKey { task, number, item, attempt };
    Some(visit).filter(|visit| !visit.task.is_empty() && !visit.task.contains(['[', ']']))
}
