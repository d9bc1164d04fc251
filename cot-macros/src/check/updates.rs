//! Checks state writes.

use quote::ToTokens;

use crate::model::{Model, same_tokens};
use cot_syntax::{PathSegment, StatePath, diagnostics::Errors};

/// Checks that no write of an update overwrites an earlier one. Appends can repeat, and a write to a part
/// can follow a write to the whole.
pub(super) fn check_no_write_is_hidden(model: &Model<'_>, errors: &Errors) {
    for update in model.tasks.iter().filter_map(|task| task.syntax.items.update.as_ref()) {
        let writes = &update.value.writes;
        let paths: Vec<&StatePath> = writes.iter().map(|it| &it.path).collect();
        // A write with a guard preserves the earlier write if the guard does not hold.
        for (index, path) in paths.iter().enumerate().filter(|(at, _)| writes[*at].guard.is_none())
        {
            if let Some(hidden) = paths[..index].iter().find(|before| overwrites(path, before)) {
                report(path, hidden, errors);
            }
        }
    }
}

/// Returns whether a write overwrites an earlier one: it writes the same place, or a place that contains it.
fn overwrites(path: &StatePath, before: &StatePath) -> bool {
    let (inner, outer) = (place_segments(before), place_segments(path));
    let within = inner.len() >= outer.len();
    let both_append = path.appends() && before.appends();
    within && !both_append && outer.iter().zip(&inner).all(|(a, b)| same_tokens(a, b))
}

/// Returns the segments that identify the place that a path writes. A `?` does not change the place.
fn place_segments(path: &StatePath) -> Vec<BareSegment<'_>> {
    let steps = path.segments.iter().filter(|segment| !matches!(segment, PathSegment::Create(_)));
    steps.map(BareSegment).collect()
}

/// A segment without the dot before it.
struct BareSegment<'a>(&'a PathSegment);

impl ToTokens for BareSegment<'_> {
    fn to_tokens(&self, tokens: &mut proc_macro2::TokenStream) {
        match self.0 {
            PathSegment::Field { member, .. } => member.to_tokens(tokens),
            other => other.to_tokens(tokens),
        }
    }
}

fn text(path: &StatePath) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

fn report(path: &StatePath, hidden: &StatePath, errors: &Errors) {
    if place_segments(path).len() == place_segments(hidden).len() {
        errors.add_over_with_help(
            path,
            "this path is written twice in one update",
            "the second write would overwrite the first: remove one of the two",
        );
        return;
    }
    let (whole, part) = (text(path), text(hidden));
    errors.add_over_with_help(
        path,
        format!("this write overwrites the one to `{part}` before it"),
        format!("write `{whole}` first and `{part}` after it, or remove one of the two"),
    );
}
