//! Tools that are defined by output types.

use cot_core::CotOutput;
use cot_task_format::{Tool, parse};

/// What to look up.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema, CotOutput)]
struct Lookup {
    /// The place.
    place: String,
    days: Option<u8>,
}

#[test]
fn defines_a_tool_by_an_output_type() {
    let tool = Tool::for_type::<Lookup>("look_up", "Looks it up");
    let text = tool.to_block().to_string();
    let block = parse(&text).unwrap().blocks.remove(0);
    assert_eq!(Tool::from_block(&block).unwrap(), tool, "{text}");
    assert_eq!(Tool::from_openai(&tool.to_openai()).unwrap(), tool);
    assert!(text.contains("place ↦ {"), "{text}");
}
