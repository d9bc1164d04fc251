//! Classification: one label, several labels.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Question;

/// Whether a message is spam.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Spam {
    class_label: SpamLabel,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SpamLabel {
    Spam,
    NotSpam,
}

reads!(FindSpam, Spam, "Is this message spam?\n${quoted(state.text)}");

/// What a message to the support is about.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Topics {
    /// All labels that apply, in the order in which the message has them.
    #[schemars(length(min = 1))]
    predicted_labels: Vec<Topic>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Topic {
    /// Software or an account does not work.
    TechIssue,
    /// Invoices, charges and payments.
    Billing,
    /// A device or a part of it does not work.
    Hardware,
    /// A question about anything else.
    GeneralQuery,
}

reads!(FindTopics, Topics, "Label this message to our support.\n${quoted(state.text)}");

/// The opinion in a review.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Mood {
    sentiment: Sentiment,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Sentiment {
    Positive,
    Neutral,
    Negative,
}

reads!(FindSentiment, Mood, "What does the author of this review think?\n${quoted(state.text)}");
