use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Names {
    #[schemars(regex(pattern = r"^[a-z"))]
    unclosed_class: String,
    #[schemars(pattern("(a|b"))]
    unclosed_group: String,
    #[schemars(inner(regex(pattern = r"^\d{3,1}$")))]
    empty_repetition: Vec<String>,
    #[schemars(regex(pattern = "+x"))]
    nothing_to_repeat: Option<String>,
    #[schemars(regex(pattern = r"^\p{Nonsense}$"))]
    unknown_property: Box<str>,
    // JSON Schema has look-around and back-references, and takes these brackets for themselves.
    #[schemars(regex(pattern = r"^(?!goTo)(a|b)\1[[&&]\cJ$"))]
    fine: String,
}

fn main() {}
