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

use serde::{Deserialize, Serialize};

use crate::ask::Asker;

/// The state of all processes: the text of a case, and the value that was read from it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Question<T> {
    pub(crate) text: String,
    pub(crate) answer: Option<T>,
}

/// What a case asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Person,
    Spam,
    Topics,
    Sentiment,
    Order,
    Meeting,
    Commands,
    Recipe,
    Bill,
    Incident,
    Desk,
}

impl Kind {
    /// Returns what runs the process of the kind.
    pub(crate) fn asker(self) -> Asker {
        match self {
            Self::Person => Asker::new::<everyday::ReadPerson, everyday::Person>(),
            Self::Spam => Asker::new::<labels::FindSpam, labels::Spam>(),
            Self::Topics => Asker::new::<labels::FindTopics, labels::Topics>(),
            Self::Sentiment => Asker::new::<labels::FindSentiment, labels::Mood>(),
            Self::Order => Asker::new::<order::ReadOrder, order::Order>(),
            Self::Meeting => Asker::new::<everyday::ReadMeeting, everyday::Meeting>(),
            Self::Commands => Asker::new::<everyday::ReadCommands, everyday::Commands>(),
            Self::Recipe => Asker::new::<everyday::ReadRecipe, everyday::Recipe>(),
            Self::Bill => Asker::new::<business::ReadBill, business::Bill>(),
            Self::Incident => Asker::new::<business::ReadIncident, business::Incident>(),
            Self::Desk => Asker::new::<desk::Desk, desk::Choice>(),
        }
    }
}
