use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "camelCase")]
enum Answer {
    Field {
        #[schemars(regex(pattern = "^[a-z"), length(min = 9, max = 3))]
        name: String,
        #[schemars(length(max = 40))]
        width: u16,
    },
    #[serde(rename_all = "camelCase")]
    Jump {
        go_to: String,
        #[schemars(range(max = 1000))]
        percent: u8,
    },
}

fn is_output<T: CotOutput>() {}

fn main() {
    // The type is an output in spite of its mistakes, so that nothing else fails for it.
    is_output::<Answer>();
}
