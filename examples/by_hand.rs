//! A process driven without the runner: the machine says what to do, and is told what came of it.
//!
//! `cargo run -p cot-examples --example by_hand`

use std::{error::Error, time::Duration};

use cot_core::{Directive, Event, Machine, model::ModelReply, prelude::*};
use cot_examples::say;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A guess at a number.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Guess {
    /// From 1 to 100.
    #[schemars(range(min = 1, max = 100))]
    pub number: u8,
}

/// What is known of the number.
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

fn main() -> Result<(), Box<dyn Error>> {
    let mut machine = Guessing::machine();
    machine.start(Game { secret: 42, low: 1, high: 100, guesses: Vec::new() })?;
    let outcome = loop {
        match machine.poll() {
            Directive::CallModel(call) => {
                let reply = answer(call.attempt, &machine);
                say("guess", &reply.text);
                machine.handle(Event::Replied { id: call.id, reply, elapsed: Duration::ZERO });
            }
            Directive::Finished(outcome) => break outcome,
            Directive::Idle => return Err("the machine was not started".into()),
        }
    };
    say("outcome", format_args!("{outcome:?} after {} calls", machine.usage().calls));
    Ok(())
}

/// Stands in for a model: halves the range, but its very first answer is out of it.
fn answer(attempt: u32, machine: &Machine<Guessing>) -> ModelReply {
    match machine.state() {
        Some(game) if game.guesses.is_empty() && attempt == 1 => ModelReply::new("I say 250!"),
        Some(game) => ModelReply::new(format!(
            "{{\"number\": {}}}",
            (u16::from(game.low) + u16::from(game.high)) / 2
        )),
        None => ModelReply::new(""),
    }
}
