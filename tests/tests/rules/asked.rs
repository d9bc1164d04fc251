//! A model that breaks a rule is told so, and asked again.

use cot_core::{CotOutput, Issues, model::ScriptedModel, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    #[cot(check = even, because = "shoes come in pairs")]
    shoes: u32,
    #[cot(when = self.shoes > 10, required)]
    reason: Option<String>,
}

fn even(number: &u32) -> Result<(), Issues> {
    if number.is_multiple_of(2) { Ok(()) } else { Err(Issues::at("$", "must be even")) }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Till {
    orders: Vec<Order>,
}

cot_process! {
    process Shop {
        state: Till,
        task ask -> Order { update: { orders[] = output }, next: done }
        task done { end }
    }
}

#[tokio::test]
async fn broken_rules_are_told_all_at_once_until_they_are_kept() {
    let model =
        ScriptedModel::new([json!({ "shoes": 11 }), json!({ "shoes": 12, "reason": "a party" })]);
    let model = std::sync::Arc::new(model);
    let run =
        Shop::runner().model(std::sync::Arc::clone(&model)).run(Till::default()).await.unwrap();
    assert_eq!(run.state.orders, [Order { shoes: 12, reason: Some("a party".to_owned()) }]);
    let requests = model.requests();
    assert_eq!(requests.len(), 2);
    let (first, second) = (requests[0].prompt(), requests[1].prompt());
    for issue in [
        "- $.shoes: must be even, because shoes come in pairs; you gave 11\n",
        "- $.reason: is required when `shoes > 10`\n",
    ] {
        assert!(second.contains(issue) && !first.contains(issue), "{second}");
    }
    assert!(first.contains("Required when `shoes > 10`."), "{first}");
}
