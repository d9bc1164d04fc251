//! `#[derive(CotOutput)]`, as a function from tokens to tokens: `cot-macros` exports it as a macro.
//!
//! It checks the attributes of `serde`, `schemars` and the derive itself, and implements the trait.

// # Where things are
//
// `attributes`, `layer` and `cot/` read attributes; `form` is what they make of a type; `rules`, `constraint`,
// `reserved` and `expressible` check it; `expand` writes the implementation from `gather` (the schema), `checks` (the
// validator) and `partial` (the type of what has arrived).

mod aliases;
mod attributes;
mod bounds;
mod case;
mod checks;
mod closed;
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

pub use expand::expand;
