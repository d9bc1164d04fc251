//! Generates reasoning texts, for requests without a schema.

use super::random::Random;
use crate::generate::text::line;

/// The markers of a text for its steps and its conclusion. `N` is the number of a step.
type Markers = (&'static str, &'static str);

/// Markers that the reader recognizes.
const RECOGNIZED: [Markers; 8] = [
    ("**Step N:** ", "**Conclusion:** "),
    ("> Step N: ", "> Conclusion: "),
    ("Step N: ", "Conclusion: "),
    ("Step N. ", "Final answer: "),
    ("N. ", "Answer: "),
    ("N) ", "Therefore, "),
    ("- ", "So: "),
    ("N: ", "#### "),
];
/// Markers that models also write, and that the reader does not recognize.
const UNRECOGNIZED: [Markers; 3] = [
    ("Number N may be ", "It may be "),
    ("(N) ", "It is "),
    ("Then, as number N, ", "In the end, "),
];
/// Texts with neither steps nor a conclusion.
const WITHOUT_REASONING: [&str; 5] = [
    "",
    "That is all there is to say.",
    "42",
    r#"{"steps":[{"number":1,"content":"It is late."}],"conclusion":"Go home."}"#,
    r#"{"thought":"I have to call a tool","tool":"search","input":{}}"#,
];

/// The maximum number of steps.
const MAX_STEPS: u64 = 5;

/// Generates a text with steps, a conclusion, or in most cases both.
pub(super) fn valid(random: &mut Random) -> String {
    reasoning(&RECOGNIZED, random)
}

/// Generates a text with markers that are not recognized.
pub(super) fn nearly_valid(random: &mut Random) -> String {
    reasoning(&UNRECOGNIZED, random)
}

/// Generates a text with neither steps nor a conclusion.
pub(super) fn invalid(random: &mut Random) -> String {
    random.pick(&WITHOUT_REASONING).copied().unwrap_or_default().to_owned()
}

fn reasoning(markers: &[Markers], random: &mut Random) -> String {
    let (step, conclusion) = random.pick(markers).copied().unwrap_or_default();
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
