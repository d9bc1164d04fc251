//! The items for the settings of model calls, which a process and its tasks share.

use syn::{Lit, LitInt};

use crate::{
    parse::{item::Slot, row::Range},
    values::{effort::EffortValue, json::JsonObject, stop::Stop},
};

/// The range of temperatures.
pub(crate) const TEMPERATURE: Range = Range::Decimal {
    contains: |number| (0.0..=2.0).contains(&number),
    expected: "a temperature",
    help: "write a number from 0 to 2, such as `0.7`",
};

/// The range of the share of tokens that are sampled from.
pub(crate) const TOP_P: Range = Range::Decimal {
    contains: |share| share > 0.0 && share <= 1.0,
    expected: "a share of the probability mass",
    help: "write a number above 0 and at most 1, such as `0.9`",
};

/// The settings of model calls that a process or a task declares.
#[derive(Debug, Clone, Copy)]
pub struct SettingsItems<'a> {
    /// The temperature of the model.
    pub temperature: &'a Slot<Lit>,
    /// The share of the most probable tokens that are sampled from.
    pub top_p: &'a Slot<Lit>,
    /// The maximum number of tokens in a reply.
    pub max_tokens: &'a Slot<LitInt>,
    /// The texts at which a reply ends.
    pub stop: &'a Slot<Stop>,
    /// The seed of the sampling.
    pub seed: &'a Slot<LitInt>,
    /// How much a reasoning model thinks.
    pub effort: &'a Slot<EffortValue>,
    /// The additional members of the request.
    pub extra: &'a Slot<JsonObject>,
}

/// Declares an item table whose last rows are the settings of model calls, which `kinds` of tasks accept.
macro_rules! item_table_with_settings {
    (
        kinds: $kinds:expr;
        $(#[$doc:meta])*
        pub struct $Items:ident of $owner:literal { $($rows:tt)* }
    ) => {
        $crate::parse::table::item_table! {
            $(#[$doc])*
            pub struct $Items of $owner {
                $($rows)*
                /// The temperature of the model.
                temperature: $crate::parse::item::Slot<syn::Lit> {
                    form: "temperature: 0.7",
                    kinds: $kinds,
                    range: Some($crate::items::settings::TEMPERATURE),
                }
                /// The share of the most probable tokens that are sampled from.
                top_p: $crate::parse::item::Slot<syn::Lit> {
                    form: "top_p: 0.9",
                    kinds: $kinds,
                    range: Some($crate::items::settings::TOP_P),
                }
                /// The maximum number of tokens in a reply.
                max_tokens: $crate::parse::item::Slot<syn::LitInt> {
                    form: "max_tokens: 1000",
                    kinds: $kinds,
                    range: Some($crate::parse::row::Range::LIMIT),
                }
                /// The texts at which a reply ends.
                stop: $crate::parse::item::Slot<$crate::values::stop::Stop> {
                    form: "stop: [\"text\"]",
                    kinds: $kinds,
                }
                /// The seed of the sampling.
                seed: $crate::parse::item::Slot<syn::LitInt> {
                    form: "seed: 42",
                    kinds: $kinds,
                    range: Some($crate::parse::row::Range::SEED),
                }
                /// How much a reasoning model thinks before it replies.
                effort: $crate::parse::item::Slot<$crate::values::effort::EffortValue> {
                    form: "effort: low",
                    kinds: $kinds,
                }
                /// The additional members of the request.
                extra: $crate::parse::item::Slot<$crate::values::json::JsonObject> {
                    form: "extra: { \"member\": value }",
                    kinds: $kinds,
                }
            }
        }

        impl $Items {
            /// Returns the settings of model calls.
            pub const fn settings(&self) -> $crate::items::settings::SettingsItems<'_> {
                $crate::items::settings::SettingsItems {
                    temperature: &self.temperature,
                    top_p: &self.top_p,
                    max_tokens: &self.max_tokens,
                    stop: &self.stop,
                    seed: &self.seed,
                    effort: &self.effort,
                    extra: &self.extra,
                }
            }
        }
    };
}
pub(crate) use item_table_with_settings;
