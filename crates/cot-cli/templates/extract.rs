//! Reads an order out of a mail: a typed value whose words stand in the mail.

use std::{env, error::Error};

use cot_core::{
    model::{OpenAiCompatible, ScriptedModel},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// An order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    /// The name of the customer.
    customer: String,
    /// The ordered items, in the order of the mail.
    #[schemars(length(min = 1))]
    items: Vec<Item>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Item {
    /// The name, as the mail writes it.
    name: String,
    /// How many of it are ordered.
    #[schemars(range(min = 1, max = 1000))]
    count: u32,
}

cot_process! {
    /// Reads an order out of a mail.
    process ReadOrder {
        state: { input mail: String, order: Order },

        task read -> Order {
            prompt: "Read the order out of this mail:\n${quoted(state.mail)}",
            // A name that is not in the mail is asked for again.
            found_in: { customer: state.mail, items [].name: state.mail },
            update: order,
            next: done,
        }

        task done { end }
    }
}

const MAIL: &str = "Dear shop, please send two lamps and a desk. Kind regards, Ada Lovelace";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mail = env::args().nth(1).unwrap_or_else(|| MAIL.to_owned());
    let runner = ReadOrder::runner().model(model()?).observe(|event, _| println!("{event}"));
    let run = runner.run(ReadOrderState::new(mail)).await?;
    println!("{:#?}", run.state.order);
    Ok(())
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}

/// The first reply has a name that the mail does not have.
fn script() -> ScriptedModel {
    let order = |customer: &str| {
        json!({
            "customer": customer,
            "items": [{ "name": "lamps", "count": 2 }, { "name": "desk", "count": 1 }],
        })
    };
    ScriptedModel::new([order("Ada Byron"), order("Ada Lovelace")])
}

#[cfg(test)]
mod tests {
    use cot_core::eval::{Case, Eval};

    use super::*;

    #[tokio::test]
    async fn a_name_that_is_not_in_the_mail_is_asked_for_again() {
        let runner = ReadOrder::runner().model(script());
        let run = runner.run(ReadOrderState::new(MAIL.to_owned())).await.unwrap();
        assert_eq!(run.state.order.unwrap().customer, "Ada Lovelace");
        assert_eq!(run.usage.calls, 2);
    }

    /// With `model()` in place of `script()` and mails of yours, it measures how often a real model is right.
    #[tokio::test]
    async fn customers_are_found() {
        let mails = "name,state.mail,expected\nlamps,\"Please send two lamps and a desk. Ada Lovelace\",Ada Lovelace\n";
        let cases = Case::<ReadOrderState, String>::from_csv(mails).unwrap();
        let report = Eval::new("orders", cases)
            .variant("reader", ReadOrder::runner().model(script()))
            .score("customer", |trial| {
                let order = trial.state().order.as_ref();
                order.is_some_and(|order| order.customer == *trial.expected())
            })
            .run()
            .await;
        assert!(report.summary("reader").pass_rate() > 0.8, "{report}");
    }
}
