//! Shared code of the examples: the choice of a model on the command line, a model that ends its program, and a
//! printer of events.

mod mortal;

use std::{error::Error, fmt::Display, path::PathBuf};

use cot_core::{
    LanguageModel, RunEvent, TaskId,
    model::{AcceptedMedia, OpenAiCompatible},
};
pub use mortal::Mortal;

/// The options of the command line.
#[derive(Debug, Default)]
pub struct Arguments {
    base_url: Option<String>,
    model: Option<String>,
    /// A file to read instead of the built-in input.
    pub input: Option<PathBuf>,
    /// The answer of a human.
    pub answer: Option<String>,
    /// The number of replies after which the program ends itself.
    pub die_after: Option<usize>,
}

/// The usage of the examples.
const USAGE: &str = "options:
  --base-url URL   a server that speaks the chat-completions API, such as http://127.0.0.1:8080/v1
  --model NAME     the model to ask there; its key, if it needs one, is in OPENAI_API_KEY
  --input FILE     JSON to start from
  --answer TEXT    what a person answers, where the process asks one
  --die-after N    have the program die after so many replies, where the example survives that
without --base-url, a scripted model answers: no key, no network";

impl Arguments {
    /// Parses the command line.
    ///
    /// # Errors
    ///
    /// Fails for an unknown option or a missing value, with the usage.
    pub fn read() -> Result<Self, Box<dyn Error>> {
        Self::parse(lexopt::Parser::from_env())
            .map_err(|error| format!("{error}\n\n{USAGE}").into())
    }

    fn parse(mut parser: lexopt::Parser) -> Result<Self, lexopt::Error> {
        use lexopt::prelude::*;
        let mut arguments = Self::default();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("base-url") => arguments.base_url = Some(parser.value()?.string()?),
                Long("model") => arguments.model = Some(parser.value()?.string()?),
                Long("answer") => arguments.answer = Some(parser.value()?.string()?),
                Long("die-after") => arguments.die_after = Some(parser.value()?.parse()?),
                Long("input") => arguments.input = Some(parser.value()?.into()),
                other => return Err(other.unexpected()),
            }
        }
        Ok(arguments)
    }

    /// Creates a client for the given server, or returns the scripted model.
    ///
    /// # Errors
    ///
    /// Fails if the base URL or the key is invalid.
    pub fn model(
        &self,
        script: impl LanguageModel + 'static,
    ) -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
        let Some(base_url) = &self.base_url else {
            say("model", "scripted (choose a real one with --base-url and --model)");
            return Ok(Box::new(script));
        };
        let name = self.model.as_deref().unwrap_or("default");
        say("model", format_args!("{name} at {base_url}"));
        // A server whose model reads text only refuses images itself.
        let mut model = OpenAiCompatible::builder(base_url, name).accepts(AcceptedMedia::ALL);
        if let Ok(key) = std::env::var("OPENAI_API_KEY") {
            model = model.key(key);
        }
        Ok(Box::new(model.build()?))
    }
}

/// Prints the events of a run, one per line.
pub fn print_event<T: TaskId, O: std::fmt::Debug>(event: &RunEvent<T, O>) {
    match event {
        RunEvent::TaskStarted { task, step, .. } => {
            say("task", format_args!("{task} (step {step})"));
        }
        RunEvent::Prompt { attempt, request, .. } => {
            say("  attempt", format_args!("{attempt}, {} bytes of prompt", request.prompt().len()));
        }
        RunEvent::RateLimited { wait, .. } => {
            say("  waits", format_args!("{wait:.1?} for the rate limit"));
        }
        RunEvent::AttemptFailed { attempt, will_retry, .. } => {
            for issue in &attempt.issues {
                say("  issue", issue);
            }
            say("  then", if *will_retry { "asks again" } else { "gives up" });
        }
        RunEvent::ItemDone { item, .. } => say("  item", format_args!("{item} is done")),
        RunEvent::Asked { .. } => say("  asks", "a human"),
        RunEvent::Waiting { task, duration } => {
            say("waits", format_args!("{duration:?} before {task}"));
        }
        RunEvent::Nested { process, event, .. } => {
            say("  within", format_args!("{process}: {event:?}"));
        }
        RunEvent::Committed { output, .. } => say("  output", format_args!("{output:?}")),
        RunEvent::Transitioned { go_to, intent, step_after, .. } => {
            say("  goes to", format_args!("{go_to}: {intent} (then: {step_after})"));
        }
        RunEvent::Finished { ending, .. } => say("outcome", format_args!("{ending:?}")),
        _ => {}
    }
}

/// Prints one line.
pub fn say(what: &str, text: impl Display) {
    println!("{what:<9} {text}");
}
