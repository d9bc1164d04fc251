//! A process without a runner: the program performs the directives of the machine and passes the results
//! back.
//!
//! `cargo run -p cot-examples --example by_hand` uses a scripted model, unless the environment names a real one.

use std::{error::Error, time::Instant};

use cot_core::{
    Action, Event, MachinePoll,
    model::{OpenAiCompatible, ScriptedModel},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A guess at a number.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Guess {
    /// A number from 1 to 100.
    #[schemars(range(min = 1, max = 100))]
    pub number: u8,
}

/// The known range of the number.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Game {
    secret: u8,
    low: u8,
    high: u8,
    guesses: Vec<u8>,
}

cot_process! {
    /// Guesses a number.
    pub process Guessing {
        state: Game,
        max_steps: 10,

        task guess -> Guess {
            prompt: "Guess a number from ${state.low} to ${state.high}. Wrong so far: ${json(state.guesses)}",
            update: { guesses[] = output.number },
            process_output: narrow,
            next: { found if output.number == state.secret, guess },
        }

        task found { end }
    }
}

fn narrow(guess: &Guess, game: &mut Game) -> Result<(), Issues> {
    if !(game.low..=game.high).contains(&guess.number) {
        return Err(Issues::at("number", format!("must be from {} to {}", game.low, game.high)));
    }
    match guess.number {
        number if number < game.secret => game.low = number + 1,
        number if number > game.secret => game.high = number - 1,
        _ => {}
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let model = model()?;
    let game = Game { secret: 42, low: 1, high: 100, guesses: Vec::new() };
    let mut machine = Guessing::machine();
    machine.record(true);
    machine.start(game)?;
    while let MachinePoll::Waiting([directive, ..]) = machine.poll() {
        let (id, action) = (directive.id, directive.action.clone());
        machine.drain_events().for_each(|event| println!("{event}"));
        let asked = Instant::now();
        let event = match action {
            Action::CallModel(call) => match model.reply(&call.request).await {
                Ok(reply) => Event::Replied { id, reply, elapsed: asked.elapsed() },
                Err(error) => Event::Failed { id, error, elapsed: asked.elapsed() },
            },
            other => Event::Cancelled {
                reason: format!("only model calls are supported: {other:?}"),
                calls: 0,
            },
        };
        machine.handle(event);
    }
    machine.drain_events().for_each(|event| println!("{event}"));
    println!("{}", serde_json::to_string_pretty(&machine.state())?);
    match machine.outcome().and_then(|outcome| outcome.why()) {
        Some(why) => Err(why.into()),
        None => Ok(()),
    }
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}

/// Halves the range, after two rejected replies.
fn script() -> ScriptedModel {
    let guesses = ["250", "0", "50", "25", "37", "43", "40", "41", "42"];
    ScriptedModel::new(guesses.map(|number| format!("I say {{ \"number\": {number} }}")))
}
