//! Types that stand for numbers as texts, such as those of money.

use std::{borrow::Cow, fmt, time::Duration};

use cot_core::{CotOutput, Event, Machine, model::ScriptedModel, prelude::*};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::told;

/// A number as its digits, with the schema and the JSON of `rust_decimal::Decimal`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
struct Decimal(String);

impl JsonSchema for Decimal {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "number"], "pattern": r"^-?\d+(\.\d+)?([eE]\d+)?$" })
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Digits)
    }
}

struct Digits;

impl de::Visitor<'_> for Digits {
    type Value = Decimal;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a decimal number")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Decimal, E> {
        Ok(Decimal(text.to_owned()))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Decimal, E> {
        Ok(Decimal(number.to_string()))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Decimal, E> {
        Ok(Decimal(number.to_string()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Decimal, E> {
        Ok(Decimal(number.to_string()))
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Payment {
    #[schemars(range(min = 0, max = 1_000_000))]
    amount: Decimal,
    #[schemars(range(min = -0.5))]
    #[serde(default)]
    discount: Option<Decimal>,
    #[serde(default)]
    free: Option<Box<Decimal>>,
}

#[test]
fn a_range_holds_for_numbers_in_texts() {
    assert_eq!(told!(Payment, { "amount": "-5" }), ["$.amount: must be at least 0"]);
    assert_eq!(told!(Payment, { "amount": -5 }), ["$.amount: must be at least 0"]);
    assert_eq!(
        told!(Payment, { "amount": "1000000.00000000000000000001", "discount": "-0.6" }),
        ["$.amount: must be at most 1000000", "$.discount: must be at least -0.5"]
    );
    assert_eq!(told!(Payment, { "amount": "1e9" }), ["$.amount: must be at most 1000000"]);
    for amount in ["0", "-0", "0.00", "1000000.000", "999999.99", "1e6"] {
        assert_eq!(told!(Payment, { "amount": amount, "discount": "-.5" }).len(), 1, "{amount}");
        assert_eq!(told!(Payment, { "amount": amount, "discount": "-0.50" }), [""; 0], "{amount}");
    }
    assert_eq!(told!(Payment, { "amount": 12, "discount": null, "free": "-7" }), [""; 0]);
}

type Score = f32;

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Rated {
    #[schemars(range(min = 0.7, max = 1))]
    score: Score,
}

#[test]
fn a_number_is_held_to_its_range_as_it_was_written() {
    assert_eq!(told!(Rated, { "score": 0.7 }), [""; 0]);
    assert_eq!(told!(Rated, { "score": 0.6 }), ["$.score: must be at least 0.7"]);
}

cot_process! {
    process Till {
        state: { paid: Vec<Payment> = vec![] },
        task pay -> Payment { prompt: "How much?", update: paid[], next: done }
        task done { end }
    }
}

cot_process! {
    process Payer {
        state: { rated: Rated },
        max_retries: 0,
        task decide { transitions: { pay with model } }

        task pay -> Rated {
            inputs: Payment,
            ask: "Pay ${inputs.amount.0}?",
            update: { rated = output },
            next: done,
        }

        task done { end }
    }
}

#[test]
fn inputs_that_a_model_supplies_keep_their_digits() {
    let mut machine = Machine::<Payer>::new();
    machine.start(PayerState::new()).unwrap();
    let call = &machine.poll().directives()[0];
    assert!(call.as_model_call().is_some(), "asks a model");
    let id = call.id;
    let amount = "123456.12345678901234567890";
    let reply = format!(
        r#"{{ "intent": "", "goTo": "pay", "stepAfter": "", "inputs": {{ "amount": {amount} }} }}"#
    );
    machine.handle(Event::Replied { id, reply: reply.into(), elapsed: Duration::ZERO });
    let question = machine.poll().directives()[0].as_question().expect("asks a person");
    assert_eq!(question.text, format!("Pay {amount}?"));
}

#[tokio::test]
async fn money_keeps_its_digits() {
    for (reply, amount) in [
        (r#"{ "amount": 12.10 }"#, "12.10"),
        (r#"{ "amount": 7 }"#, "7"),
        (r#"{ "amount": 123456.12345678901234567890 }"#, "123456.12345678901234567890"),
        (r#"{ "amount": "0.1" }"#, "0.1"),
    ] {
        let run = Till::runner().model(ScriptedModel::new([reply])).run(TillState::new()).await;
        assert_eq!(run.unwrap().state.paid[0].amount, Decimal(amount.to_owned()), "{reply}");
    }
}
