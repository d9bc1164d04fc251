//! The collector of `#[cot(…)]` attributes.

use std::any::TypeId;

use schemars::{JsonSchema, SchemaGenerator};

use super::reference::definition_of;
use crate::type_rules::TypeRules;

/// Collects the `#[cot(…)]` attributes of an output type and of the types inside it. The derive generates
/// the calls.
#[derive(Debug)]
pub struct RulesCollector {
    generator: SchemaGenerator,
    /// The types that were added, each with the definition that it is flattened into.
    pub(super) visited: Vec<(TypeId, Option<String>)>,
    /// The definition that receives the fields of the next type, if that is flattened.
    pub(super) flat: Option<String>,
    /// The definition that receives the fields of the current type, if that is flattened.
    pub(super) home: Option<String>,
    types: Vec<TypeRules>,
    has_checks: bool,
}

impl RulesCollector {
    /// Creates an empty collector. The generator of the schema knows the name of the definition of each
    /// type.
    pub(super) const fn new(generator: SchemaGenerator) -> Self {
        Self {
            generator,
            visited: Vec::new(),
            flat: None,
            home: None,
            types: Vec::new(),
            has_checks: false,
        }
    }

    /// Records that values of the type have checks to be run.
    pub const fn mark_checks(&mut self) {
        self.has_checks = true;
    }

    /// Returns whether any type has checks.
    pub(super) const fn have_checks(&self) -> bool {
        self.has_checks
    }

    /// Returns the name of the definition of a type, if it has one.
    pub(super) fn name_of<T: JsonSchema>(&mut self) -> Option<String> {
        definition_of(&self.generator.subschema_for::<T>().to_value()).map(str::to_owned)
    }

    /// Returns the rules of a definition, inserting empty ones if there are none.
    pub(super) fn entry(&mut self, name: String) -> &mut TypeRules {
        let known = self.types.iter().position(|rules| rules.name == name);
        let place = known.unwrap_or_else(|| {
            self.types.push(TypeRules { name, ..TypeRules::default() });
            self.types.len() - 1
        });
        &mut self.types[place]
    }

    pub(super) fn into_types(self) -> Vec<TypeRules> {
        self.types
    }
}
