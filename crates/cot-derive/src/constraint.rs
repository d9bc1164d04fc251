//! Checks the constraints that `schemars` adds to a schema against the types of their fields.

use super::{
    attributes::{Source, SourceItem},
    bounds, pattern,
    shape::Shape,
};
use cot_syntax::diagnostics::Errors;

/// A key that constrains the values of a field.
struct ConstraintKey {
    name: &'static str,
    /// The crates besides `schemars` whose attributes have the key.
    readers: &'static [Source],
    constrains: fn(&Shape) -> bool,
    /// Further checks of the key.
    check: fn(&SourceItem, &Shape, &Errors),
}

const EVERYONE: &[Source] = &[Source::Validate, Source::Garde];

const KEYS: &[ConstraintKey] = &[
    ConstraintKey {
        name: "length",
        readers: EVERYONE,
        constrains: has_length,
        check: bounds::check_length,
    },
    ConstraintKey {
        name: "range",
        readers: EVERYONE,
        constrains: is_number,
        check: bounds::check_range,
    },
    ConstraintKey {
        name: "regex",
        readers: &[Source::Validate],
        constrains: is_text,
        check: pattern::check_regex,
    },
    ConstraintKey {
        name: "pattern",
        readers: &[Source::Garde],
        constrains: is_text,
        check: pattern::check_pattern,
    },
    ConstraintKey {
        name: "contains",
        readers: EVERYONE,
        constrains: is_text,
        check: check_nothing,
    },
    ConstraintKey { name: "email", readers: EVERYONE, constrains: is_text, check: check_nothing },
    ConstraintKey { name: "url", readers: EVERYONE, constrains: is_text, check: check_nothing },
    ConstraintKey { name: "ip", readers: EVERYONE, constrains: is_text, check: check_nothing },
    ConstraintKey { name: "ipv4", readers: EVERYONE, constrains: is_text, check: check_nothing },
    ConstraintKey { name: "ipv6", readers: EVERYONE, constrains: is_text, check: check_nothing },
    ConstraintKey {
        name: "inner",
        readers: &[Source::Garde],
        constrains: has_items,
        check: check_inner,
    },
];

/// Checks the constraints of a field with a given shape.
pub(super) fn check(items: &[SourceItem], shape: &Shape, errors: &Errors) {
    for item in items {
        let Some(key) = KEYS.iter().find(|key| key.reads(item)) else {
            continue;
        };
        if *shape == Shape::Unknown || (key.constrains)(shape) {
            (key.check)(item, shape, errors);
        } else {
            errors.add_with_help(
                item.span(),
                format!("`{}` can't constrain {}", key.name, shape.noun()),
                help(key, shape),
            );
        }
    }
}

impl ConstraintKey {
    /// Returns the syntax of the key in an attribute.
    fn written(&self) -> String {
        let is_flag = matches!(self.name, "email" | "url" | "ip" | "ipv4" | "ipv6");
        if is_flag { self.name.to_owned() } else { format!("{}(…)", self.name) }
    }

    fn reads(&self, item: &SourceItem) -> bool {
        item.key == self.name
            && (item.source == Source::Schemars || self.readers.contains(&item.source))
    }
}

fn help(key: &ConstraintKey, shape: &Shape) -> String {
    match shape {
        Shape::Sequence(items) if (key.constrains)(items) => {
            format!("to constrain its items, write `inner({})`", key.written())
        }
        Shape::Text => "a string takes `length(…)`, `regex(…)`, `email` and `url`".to_owned(),
        Shape::Integer(_) | Shape::Float => "a number takes `range(min = …, max = …)`".to_owned(),
        Shape::Sequence(_) => "a collection takes `length(…)` and `inner(…)`".to_owned(),
        Shape::Map | Shape::Bool | Shape::Unknown => {
            format!("no constraint applies to {}; remove it", shape.noun())
        }
    }
}

fn check_inner(item: &SourceItem, shape: &Shape, errors: &Errors) {
    let items = match shape {
        Shape::Sequence(items) => items,
        _ => &Shape::Unknown,
    };
    check(&item.nested(), items, errors);
}

fn check_nothing(_: &SourceItem, _: &Shape, _: &Errors) {}

fn has_length(shape: &Shape) -> bool {
    matches!(shape, Shape::Text | Shape::Sequence(_))
}

fn has_items(shape: &Shape) -> bool {
    matches!(shape, Shape::Sequence(_))
}

fn is_number(shape: &Shape) -> bool {
    matches!(shape, Shape::Integer(_) | Shape::Float)
}

fn is_text(shape: &Shape) -> bool {
    matches!(shape, Shape::Text)
}
