//! The places of the state to which a process writes, and how stable what it shows of them is.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Member, Type};

use super::task::Task;
use cot_syntax::{PathSegment, StateField, StatePath};

/// How stable a text is. The variants are those of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stability {
    Fixed,
    PerRun,
    Growing,
    Volatile,
}

/// The places of the state to which a process writes.
#[derive(Debug, Default)]
pub(crate) struct StateWrites {
    /// The writes by the field with which they begin.
    by_field: BTreeMap<String, Vec<WrittenPlace>>,
    /// Whether a function can write anywhere.
    anywhere: bool,
}

#[derive(Debug)]
struct WrittenPlace {
    /// The names of the fields, from the outermost inward.
    fields: Vec<String>,
    /// Whether the write appends to the end of this very place.
    appends: bool,
}

impl StateWrites {
    pub(super) fn from_tasks(
        tasks: &[Task<'_>],
        fields: &[StateField],
        mirrors_history: bool,
    ) -> Self {
        let mut writes = Self::default();
        for task in tasks {
            let items = &task.syntax.items;
            writes.anywhere |= items.process_output.is_some();
            for write in items.update.iter().flat_map(|item| &item.value.writes) {
                writes.add(&write.path);
            }
        }
        for field in fields.iter().filter(|field| is_set(&field.ty)) {
            // An item of a set is not added at its end.
            let writes = writes.by_field.get_mut(&field.name.to_string());
            writes.into_iter().flatten().for_each(|write| write.appends = false);
        }
        if mirrors_history {
            let place = WrittenPlace { fields: vec!["history".to_owned()], appends: false };
            writes.by_field.entry("history".to_owned()).or_default().push(place);
        }
        writes
    }

    fn add(&mut self, path: &StatePath) {
        let mut fields = Vec::new();
        let mut appends = false;
        for segment in &path.segments {
            match segment {
                PathSegment::Field { member: Member::Named(name), .. } => {
                    fields.push(name.to_string());
                }
                PathSegment::Create(_) => {}
                PathSegment::Append(_) => appends = true,
                PathSegment::Field { .. } | PathSegment::Insert(..) => break,
            }
        }
        match fields.first().cloned() {
            Some(root) => {
                self.by_field.entry(root).or_default().push(WrittenPlace { fields, appends });
            }
            None => self.anywhere = true,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_field.is_empty() && !self.anywhere
    }

    /// Returns how stable a place of the state is, as it is shown as a whole.
    pub(super) fn place(&self, place: &[String]) -> Stability {
        let writes = place.first().and_then(|root| self.by_field.get(root));
        let writes = writes.into_iter().flatten();
        let kinds = writes.filter_map(|write| {
            let shared = write.fields.len().min(place.len());
            if write.fields[..shared] != place[..shared] {
                return None;
            }
            let grows = write.appends && write.fields.len() == place.len();
            Some(if grows { Stability::Growing } else { Stability::Volatile })
        });
        let written = kinds.max().unwrap_or(Stability::PerRun);
        if self.anywhere { Stability::Volatile } else { written }
    }
}

/// Returns whether a type is a set by its name.
fn is_set(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|last| last.ident.to_string().ends_with("Set"))
}

impl ToTokens for Stability {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let name = Ident::new(
            match self {
                Self::Fixed => "Fixed",
                Self::PerRun => "PerRun",
                Self::Growing => "Growing",
                Self::Volatile => "Volatile",
            },
            Span::mixed_site(),
        );
        tokens.extend(quote!(::cot_core::__private::Stability::#name));
    }
}
