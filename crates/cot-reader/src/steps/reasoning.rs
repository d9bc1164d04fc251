//! The result of parsing reasoning.

use std::{fmt::Write, sync::OnceLock};

use cot_schema::{
    CotOutput, OutputSchema,
    internal::{Checker, RulesCollector},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{extract::extract_steps_and_conclusion, step::Step};
use crate::partial::incoming::Incoming;

/// The steps and the conclusion of a text. It is the output of tasks with `reason`; with `-> Reasoning`, a
/// task requests the same data as JSON.
///
/// ```
/// use cot_core::reasoning::Reasoning;
///
/// let reasoning = Reasoning::parse("1. 6 * 7 is 42.\nAnswer: 42");
/// assert_eq!(reasoning.conclusion.as_deref(), Some("42"));
/// assert_eq!(
///     reasoning.to_json(),
///     r#"{"steps":[{"number":1,"content":"6 * 7 is 42."}],"conclusion":"42"}"#
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(description = "Steps of reasoning and their conclusion.")]
pub struct Reasoning {
    /// The steps, in the order of the text.
    #[schemars(description = "The steps, in order.")]
    pub steps: Vec<Step>,
    /// The conclusion, never empty; `None` where the text has none.
    #[schemars(description = "What follows from the steps.")]
    pub conclusion: Option<String>,
}

/// A [`Reasoning`] that is still being received.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ReasoningPartial {
    /// The steps received so far.
    pub steps: Incoming<Vec<Incoming<Step>>>,
    /// The conclusion received so far.
    pub conclusion: Incoming<Option<String>>,
}

// Written by hand, since this crate does not depend on the derive.
impl CotOutput for Reasoning {
    type Partial = ReasoningPartial;

    fn output_schema() -> &'static OutputSchema {
        static SCHEMA: OnceLock<OutputSchema> = OnceLock::new();
        SCHEMA.get_or_init(OutputSchema::for_output::<Self>)
    }

    fn gather_rules(_: &mut RulesCollector) {}

    fn run_checks(&self, _: &mut Checker<'_>) {}
}

impl Reasoning {
    /// Parses a text by [`extract_steps_and_conclusion`].
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (steps, conclusion) = extract_steps_and_conclusion(text);
        Self { steps, conclusion }
    }

    /// Formats the reasoning as a text from which [`parse`](Self::parse) parses the same value.
    #[doc(hidden)]
    #[must_use]
    pub fn to_text(&self) -> String {
        // With these markers, steps and conclusion may contain lines that begin with numbers or words of a
        // conclusion.
        let steps =
            self.steps.iter().map(|step| format!("**Step {}:** {}", step.number, step.content));
        let conclusion = self.conclusion.iter().map(|conclusion| format!("####\n{conclusion}"));
        steps.chain(conclusion).collect::<Vec<_>>().join("\n")
    }

    /// Formats the reasoning as one line of JSON. Step numbers of any size are JSON numbers.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = String::from("{\"steps\":[");
        for (index, step) in self.steps.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let content = Value::from(step.content.as_str());
            // Writing to a string can't fail.
            let _ = write!(json, "{comma}{{\"number\":{},\"content\":{content}}}", step.number);
        }
        let conclusion = Value::from(self.conclusion.as_deref());
        let _ = write!(json, "],\"conclusion\":{conclusion}}}");
        json
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_json_is_that_of_serde() {
        for text in ["", "Answer: \"x\"\n", "- \u{7}\\\n* ü", "2) a\n1) b\n#### \"c\""] {
            let reasoning = Reasoning::parse(text);
            assert_eq!(reasoning.to_json(), serde_json::to_string(&reasoning).unwrap(), "{text}");
        }
    }

    #[test]
    fn a_large_number_is_a_number_all_the_same() {
        let large = Reasoning::parse("99999999999999999999. x");
        let json = r#"{"steps":[{"number":99999999999999999999,"content":"x"}],"conclusion":null}"#;
        assert_eq!(large.to_json(), json);
        let value = serde_json::to_value(&large).unwrap();
        assert_eq!(value["steps"][0]["number"], json!("99999999999999999999"));
        assert_eq!(Reasoning::output_schema().validate(&value), Ok(()));
        assert_eq!(serde_json::from_value::<Reasoning>(value).unwrap(), large);
    }
}
