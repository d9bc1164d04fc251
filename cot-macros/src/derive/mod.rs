//! `#[derive(CotOutput)]`: checks the attributes of `serde`, `schemars` and the derive itself, and
//! implements the trait.

mod aliases;
mod attributes;
mod bounds;
mod case;
mod checks;
mod constraint;
mod cot;
mod expand;
mod expressible;
mod form;
mod gather;
mod json_keys;
mod layer;
mod locals;
mod names;
mod partial;
mod pattern;
mod reserved;
mod rules;
mod shape;

pub(crate) use expand::expand;
