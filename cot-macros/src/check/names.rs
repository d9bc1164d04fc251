//! Checks the names of the generated types.

use proc_macro2::Ident;
use quote::format_ident;
use syn::{
    Type,
    visit::{self, Visit},
};

use crate::model::Model;
use cot_syntax::{StateField, StateItem, diagnostics::Errors};

/// Checks that no type that the process uses has the name of a generated type.
pub(super) fn check_generated_names_are_free(model: &Model<'_>, errors: &Errors) {
    let process = &model.syntax.name;
    let mut reported: Vec<String> = Vec::new();
    for name in name_clashes(model) {
        let word = name.to_string();
        if reported.contains(&word) {
            continue;
        }
        let message = match *name == *process {
            true => format!("`{word}` is the process itself, and can't be a type that it uses"),
            false => format!("`{word}` is a type that process `{process}` generates"),
        };
        errors.add_with_help(
            name.span(),
            message,
            format!(
                "give your type or the process another name, or move the type into a module and \
                 write its path, as `types::{word}`"
            ),
        );
        reported.push(word);
    }
}

/// Returns the uses of types whose names are generated. The user can only mean a type of their own.
pub(crate) fn name_clashes<'a>(model: &Model<'a>) -> Vec<&'a Ident> {
    let items = &model.syntax.items;
    let generated = |suffix: &str| format_ident!("{}{suffix}", model.syntax.name).to_string();
    let process = generated("");
    // These types can't be deserialized. The enum of tasks can, and is allowed in a state or in inputs.
    let unreadable = [process, generated("Output"), generated("Outcome")];
    let mut whole = unreadable.to_vec();
    whole.push(generated("Task"));
    let mut found = Vec::new();
    let mut look = |ty: &'a Type, names: &[String]| {
        let mut finder = TypeFinder { names, found: Vec::new() };
        finder.visit_type(ty);
        found.append(&mut finder.found);
    };
    match items.state.as_ref().map(|item| &item.value) {
        Some(StateItem::Type(ty)) => look(ty, &whole),
        Some(StateItem::Inline(state)) => {
            // An attribute of serde may exclude the field from the JSON.
            let plain = |field: &&StateField| {
                !field.attributes.iter().any(|attribute| attribute.path().is_ident("serde"))
            };
            state.fields.iter().filter(plain).for_each(|field| look(&field.ty, &unreadable));
        }
        None => {}
    }
    for task in &model.tasks {
        task.syntax.output.iter().for_each(|ty| look(ty, &whole));
        task.syntax.items.inputs.iter().for_each(|item| look(&item.value, &unreadable));
    }
    found
}

/// Finds types with these names that are written without a path.
struct TypeFinder<'n, 'a> {
    names: &'n [String],
    found: Vec<&'a Ident>,
}

impl<'a> Visit<'a> for TypeFinder<'_, 'a> {
    fn visit_type_path(&mut self, path: &'a syn::TypePath) {
        if let (None, Some(segment)) = (&path.qself, path.path.segments.first())
            && path.path.segments.len() == 1
            && path.path.leading_colon.is_none()
            && self.names.iter().any(|name| segment.ident == name)
        {
            self.found.push(&segment.ident);
        }
        visit::visit_type_path(self, path);
    }
}
