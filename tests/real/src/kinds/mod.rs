//! The kinds of cases: an output with doc comments and a process for each, as a user writes them.

/// Declares a process that reads an output from the text of a case.
macro_rules! reads {
    ($process:ident, $output:ident, $prompt:literal) => {
        cot_process! {
            /// Reads an output from a text.
            pub(crate) process $process {
                state: Question<$output>,

                task read -> $output {
                    prompt: $prompt,
                    temperature: 0.2,
                    // The longest right value has half of them.
                    max_tokens: 384,
                    update: { answer = Some(output) },
                    next: done,
                }

                task done { end }
            }
        }
    };
}

mod business;
mod desk;
mod everyday;
mod labels;
mod order;

use cot_core::{
    CotOutput, Process,
    eval::{CaseError, Report},
    model::BoxFuture,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    BenchError,
    bench::{Bench, measure},
    peers::{Judged, PeerResult, judge_kind},
};

/// The state of all processes: the text of a case, and the value that was read from it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Question<T> {
    pub(crate) text: String,
    pub(crate) answer: Option<T>,
}

/// What a case asks for, without its types.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) measure: for<'a> fn(&'a Bench, &'a str) -> Measured<'a>,
    pub(crate) judge: fn(&PeerResult) -> Result<Judged, BenchError>,
}

type Measured<'a> = BoxFuture<'a, Result<Report, CaseError>>;

impl Kind {
    const fn new<P, T>(name: &'static str) -> Self
    where
        P: Process<State = Question<T>, Context = ()>,
        T: CotOutput + Serialize + DeserializeOwned + 'static,
    {
        Self {
            name,
            measure: |bench, kind| Box::pin(measure::<P, T>(bench, kind)),
            judge: judge_kind::<T>,
        }
    }
}

/// All kinds.
pub(crate) static KINDS: [Kind; 11] = [
    Kind::new::<everyday::ReadPerson, everyday::Person>("person"),
    Kind::new::<labels::FindSpam, labels::Spam>("spam"),
    Kind::new::<labels::FindTopics, labels::Topics>("topics"),
    Kind::new::<labels::FindSentiment, labels::Mood>("sentiment"),
    Kind::new::<order::ReadOrder, order::Order>("order"),
    Kind::new::<everyday::ReadMeeting, everyday::Meeting>("meeting"),
    Kind::new::<everyday::ReadCommands, everyday::Commands>("commands"),
    Kind::new::<everyday::ReadRecipe, everyday::Recipe>("recipe"),
    Kind::new::<business::ReadBill, business::Bill>("bill"),
    Kind::new::<business::ReadIncident, business::Incident>("incident"),
    Kind::new::<desk::Desk, desk::Choice>("desk"),
];
