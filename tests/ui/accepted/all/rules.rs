//! Every rule of an output, with every lint that users may deny.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, unused_results)]
#![deny(clippy::all, clippy::pedantic)]
#![expect(
    clippy::struct_field_names,
    clippy::trivially_copy_pass_by_ref,
    reason = "the lint is about functions that a process prescribes"
)]

use std::collections::{BTreeMap, BTreeSet};

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A field.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cot(check = whole, check = Field::is_sound, because = "the store asks for it")]
pub struct Field {
    #[cot(alias = "title", alias = "label", check = named::<20>)]
    pub(crate) r#type: String,
    #[cot(when = self.r#type == "choice" && self.count != Some(3), required)]
    #[cot(when = !self.tags.is_empty(), absent, because = "tags stand for themselves")]
    options: Option<Vec<String>>,
    /// In pieces.
    #[cot(check = counts::even, because = "they come in pairs")]
    count: Option<u32>,
    #[cot(allow_loss, when = self.options.is_none(), required)]
    tags: BTreeSet<String>,
    #[cot(partial, when = { let many = 3; self.count > Some(many) }, check = parts)]
    #[serde(default)]
    parts: Vec<Part>,
    by_name: BTreeMap<String, Vec<Option<Part>>>,
    #[cot(partial)]
    next: Option<Box<Self>>,
    plain: Plain,
}

/// What has no rules.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Plain {
    text: String,
}

/// A part.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub enum Part {
    /// One.
    #[cot(alias = "single")]
    One(Box<Part>, u32),
    /// Many.
    #[serde(alias = "several")]
    Many {
        /// How many.
        #[cot(check = counts::some)]
        count: u32,
        /// Why.
        #[cot(when = self.count > 3, required, because = "many need a reason")]
        reason: Option<String>,
        /// Nothing of it is checked.
        unused: Plain,
    },
    /// None.
    None,
}

impl Field {
    fn is_sound(&self) -> Result<(), Issues> {
        if self.count == Some(0) { Err(Issues::at("count", "is none")) } else { Ok(()) }
    }
}

fn whole(field: &Field) -> Result<(), Issues> {
    field.is_sound()
}

fn named<const MOST: usize>(name: &str) -> Result<(), Issues> {
    if name.len() > MOST { Err(Issues::at("$", "is too long")) } else { Ok(()) }
}

fn parts(parts: &[Part]) -> Result<(), Issues> {
    if parts.is_empty() { Err(Issues::at("$", "are missing")) } else { Ok(()) }
}

mod counts {
    use cot_core::Issues;

    pub(super) fn even(count: &u32) -> Result<(), Issues> {
        if count % 2 == 1 { Err(Issues::at("$", "odd")) } else { Ok(()) }
    }

    pub(super) fn some(count: &u32) -> Result<(), Issues> {
        if *count == 0 { Err(Issues::at("$", "none")) } else { Ok(()) }
    }
}

mod private {
    use cot_core::CotOutput;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
    pub(super) struct Inner {
        inner: Hidden,
        checker: u8,
        rules: u8,
        value: Option<Hidden>,
    }

    #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
    struct Hidden {
        result: u8,
    }
}

pub(super) fn main() {
    /// Local.
    #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
    struct Local {
        #[cot(check = counts::some)]
        count: u32,
        parts: Vec<Part>,
    }
    println!("{}", Local::output_schema().text());
    println!("{} {}", Field::output_schema().text(), private::Inner::output_schema().text());
}
