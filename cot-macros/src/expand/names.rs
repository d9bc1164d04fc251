//! The names of the generated types.

use quote::format_ident;
use syn::Ident;

use crate::{check::names::name_clashes, model::Model};

/// The names of the generated types.
pub(in crate::expand) struct GeneratedNames {
    pub(in crate::expand) process: Ident,
    /// Whether a type of the user has the name of the process, which has been reported.
    pub(in crate::expand) is_taken: bool,
    pub(in crate::expand) task: Ident,
    pub(in crate::expand) output: Ident,
    pub(in crate::expand) outcome: Ident,
}

impl GeneratedNames {
    pub(in crate::expand) fn new(model: &Model<'_>) -> Self {
        let process = &model.syntax.name;
        let clashes = name_clashes(model);
        // A reported name belongs to the user's type: a second type of that name would cause more errors.
        let generated = |suffix: &str| {
            let name = format_ident!("{}{suffix}", process);
            match clashes.iter().any(|clash| **clash == name) {
                true => format_ident!("__{}", name),
                false => name,
            }
        };
        Self {
            is_taken: clashes.contains(&process),
            process: process.clone(),
            task: generated("Task"),
            output: generated("Output"),
            outcome: generated("Outcome"),
        }
    }
}
