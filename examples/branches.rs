//! Plans a trip: searches for flights, hotels and sights at the same time, then writes the plan.
//!
//! `cargo run -p cot-examples --example branches` uses a scripted model whose replies take 300 ms each.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use cot_core::{
    LanguageModel,
    model::{BoxFuture, ModelError, ModelReply, ModelRequest, OpenAiCompatible},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What a search has found.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Offer {
    /// The offer in a sentence.
    #[schemars(length(min = 1, max = 200))]
    pub text: String,
    /// The price in euros.
    pub price: u32,
}

cot_process! {
    /// Plans a trip.
    pub process Trip {
        state: {
            input city: String,
            flight: Offer,
            hotel: Offer,
            sights: Vec<Offer> = vec![],
            plan: Offer,
        },
        history: none,

        parallel search [flight, hotel, sights] => plan { timeout: 1m, on: { timeout => too_slow } }

        task flight -> Offer {
            prompt: "Find a flight to ${state.city}.",
            update: flight,
            next: plan,
        }

        task hotel -> Offer { prompt: "Find a hotel in ${state.city}.", update: hotel, next: plan }

        // A branch can be a loop.
        task sights -> Offer {
            prompt: "Find sight ${state.sights.len() + 1} in ${state.city}.",
            update: sights[],
            next: { sights if state.sights.len() < 2, plan },
        }

        // Every branch has come here, so that all fields are set.
        task plan -> Offer {
            prompt: "Plan the trip: ${state.flight.text} ${state.hotel.text} ${json(&state.sights)}",
            update: plan,
            next: done,
        }

        task too_slow { fail: "no offers within a minute" }
        task done { end }
    }
}

/// A model that takes its time.
struct SlowModel;

impl LanguageModel for SlowModel {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(300)).await;
            let words = ["flight", "hotel", "sight 1", "sight 2"];
            let word =
                words.into_iter().find(|word| request.prompt().contains(&format!("{word} ")));
            let text = format!("A good {}.", word.unwrap_or("plan"));
            Ok(ModelReply::from(json!({ "text": text, "price": 100 })))
        })
    }
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(SlowModel),
    })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let began = Instant::now();
    let runner = Trip::runner().model(model()?).observe(|event, _| println!("{event}"));
    let run = runner.run(TripState::new("Rome".to_owned())).await?;
    let plan = run.state.plan.map_or_else(String::new, |plan| plan.text);
    println!("plan: {plan} ({} sights)", run.state.sights.len());
    // Three calls one after the other, not five.
    println!("time: {:.1} s", began.elapsed().as_secs_f64());
    Ok(())
}
