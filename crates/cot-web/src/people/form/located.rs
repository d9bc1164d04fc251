//! Finds the fields that issues are about.

use std::collections::BTreeMap;

use cot_schema::Issue;

use super::pointer;

/// What is said at a field that has to be filled in.
pub(super) const REQUIRED: &str = "is required";

/// The messages at the fields of a form, by the pointers of the fields.
pub(super) type FieldIssues = BTreeMap<String, Vec<String>>;

/// The JSON paths of the parts of an answer, and the pointers of their fields.
#[derive(Debug, Default)]
pub(super) struct Located(Vec<(String, String)>);

impl Located {
    pub(super) fn add(&mut self, path: String, pointer: &str) {
        self.0.push((path, pointer.to_owned()));
    }

    /// Returns whether an issue says of a field that was left empty what is said at the field already.
    fn is_missing(&self, issue: &Issue, pointer: &str, said: &FieldIssues) -> bool {
        let is_said = |pointer: &str| {
            said.get(pointer)
                .is_some_and(|messages| messages.iter().any(|message| message == REQUIRED))
        };
        let member =
            issue.message.strip_prefix('`').and_then(|rest| rest.split_once("` is required"));
        let is_member = |(name, _): (&str, &str)| is_said(&pointer::member(pointer, name));
        is_said(pointer) || member.is_some_and(is_member)
    }

    /// Sorts an issue to the field of its path, or to the nearest one around it.
    pub(super) fn locate(&self, issue: &Issue, to: &mut FieldIssues) {
        let within = |place: &&(String, String)| {
            let rest = issue.path.strip_prefix(&place.0);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        // The last one of a path is that of the fields of its variant.
        let nearest = self.0.iter().filter(within).max_by_key(|(path, _)| path.len());
        let (path, pointer) =
            nearest.map_or(("$", pointer::ROOT), |(path, pointer)| (path, pointer));
        if self.is_missing(issue, pointer, to) {
            return;
        }
        let message = match issue.path.strip_prefix(path) {
            Some("") => issue.message.clone(),
            _ => format!("{}: {}", issue.path, issue.message),
        };
        let messages = to.entry(pointer.to_owned()).or_default();
        if !messages.contains(&message) {
            messages.push(message);
        }
    }
}
