//! Replies where no schema says what they have to be: texts that think aloud.

use super::random::Random;
use crate::generate::text::line;

/// How a text marks its steps, and its conclusion: `N` is the number of a step.
type Manner = (&'static str, &'static str);

/// What is read.
const READ: [Manner; 8] = [
    ("**Step N:** ", "**Conclusion:** "),
    ("> Step N: ", "> Conclusion: "),
    ("Step N: ", "Conclusion: "),
    ("Step N. ", "Final answer: "),
    ("N. ", "Answer: "),
    ("N) ", "Therefore, "),
    ("- ", "So: "),
    ("N: ", "#### "),
];
/// What models write too, and what is not read.
const UNREAD: [Manner; 3] = [
    ("Number N may be ", "It may be "),
    ("(N) ", "It is "),
    ("Then, as number N, ", "In the end, "),
];
/// What has nothing of what is asked.
const ELSE: [&str; 5] = [
    "",
    "That is all there is to say.",
    "42",
    r#"{"steps":[{"number":1,"content":"It is late."}],"conclusion":"Go home."}"#,
    r#"{"thought":"I have to call a tool","tool":"search","input":{}}"#,
];

/// Most steps.
const MAX_STEPS: u64 = 5;

/// A text with steps, a conclusion, or mostly both.
pub(super) fn valid(random: &mut Random) -> String {
    thought(&READ, random)
}

/// The same, marked in a way that is not read.
pub(super) fn nearly_valid(random: &mut Random) -> String {
    thought(&UNREAD, random)
}

/// A text of another kind.
pub(super) fn invalid(random: &mut Random) -> String {
    random.pick(&ELSE).copied().unwrap_or_default().to_owned()
}

fn thought(manners: &[Manner], random: &mut Random) -> String {
    let (step, conclusion) = random.pick(manners).copied().unwrap_or_default();
    let steps = if random.percent(10) { 0 } else { random.between(1, MAX_STEPS) };
    let mut lines = Vec::new();
    if random.percent(20) {
        lines.push(line(random));
    }
    for number in 1..=steps {
        lines.push(step.replace('N', &number.to_string()) + &line(random));
        if random.percent(20) {
            lines.push(line(random));
        }
    }
    if steps == 0 || random.percent(90) {
        lines.push(conclusion.to_owned() + &line(random));
    }
    lines.join(if random.percent(20) { "\n\n" } else { "\n" })
}
