//! Small texts: a record, dates and times, a list of unions, amounts with units.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Question;

/// A person.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Person {
    name: String,
    #[schemars(range(max = 150))]
    age: u32,
}

reads!(ReadPerson, Person, "Extract the person.\n${quoted(state.text)}");

/// A meeting.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Meeting {
    /// As YYYY-MM-DD.
    #[schemars(regex(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    date: String,
    /// The time at which it begins, as HH:MM, with hours from 00 to 23.
    #[schemars(regex(pattern = "^[0-2][0-9]:[0-5][0-9]$"))]
    start: String,
    /// How long it takes.
    #[schemars(range(min = 5, max = 480))]
    minutes: u32,
    /// The room or place, if the text names one.
    place: Option<String>,
    /// The names of all who take part, in the order of the text.
    people: Vec<String>,
}

reads!(ReadMeeting, Meeting, "Extract the appointment.\n${quoted(state.text)}");

/// What a voice assistant has to do.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Commands {
    /// In the order in which they were said.
    #[schemars(length(min = 1, max = 5))]
    commands: Vec<Command>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Command {
    /// Wake the user.
    Alarm {
        /// As HH:MM, with hours from 00 to 23.
        #[schemars(regex(pattern = "^[0-2][0-9]:[0-5][0-9]$"))]
        time: String,
    },
    /// Set the brightness of a light.
    Light {
        room: Room,
        /// 0 is off.
        #[schemars(range(max = 100))]
        percent: u32,
    },
    /// Count down.
    Timer { seconds: u32 },
    /// Send a message.
    Message {
        to: String,
        /// The words to send.
        text: String,
    },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Room {
    Kitchen,
    Bedroom,
    Office,
}

reads!(ReadCommands, Commands, "What has the assistant to do?\n${quoted(state.text)}");

/// A recipe.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Recipe {
    /// The number of people for whom it is.
    servings: u32,
    #[schemars(length(min = 1))]
    ingredients: Vec<Ingredient>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Ingredient {
    /// As the recipe writes it.
    name: String,
    /// In the unit below.
    amount: f64,
    unit: Unit,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    /// For kilograms, too: 1 kg is 1000 grams.
    Gram,
    /// For litres, too: 1 l is 1000 millilitres.
    Millilitre,
    Tablespoon,
    /// Things that are counted.
    Piece,
}

reads!(ReadRecipe, Recipe, "Extract the recipe.\n${quoted(state.text)}");
