//! What `#[cot(…)]` says of a type, beyond its schema.

use std::any::TypeId;

use schemars::{JsonSchema, SchemaGenerator};

use super::reference::definition_of;
use crate::type_rules::TypeRules;

/// Gathers what the types of an output say in `#[cot(…)]`. The derive writes the calls.
#[derive(Debug)]
pub struct Rules {
    generator: SchemaGenerator,
    /// The types that have said it, each with the definition that they are flattened into.
    pub(super) visited: Vec<(TypeId, Option<String>)>,
    /// The definition that has the fields of the type that comes next.
    pub(super) flat: Option<String>,
    /// The definition that has the fields of the type that speaks, if that has none of its own.
    pub(super) home: Option<String>,
    types: Vec<TypeRules>,
    has_checks: bool,
}

impl Rules {
    /// Rules for the schema that a generator made: it knows which definition is of which type.
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

    /// Says that there is something to check in a value of the type.
    pub const fn checks(&mut self) {
        self.has_checks = true;
    }

    pub(super) const fn have_checks(&self) -> bool {
        self.has_checks
    }

    /// The name of a type's definition, if it has one.
    pub(super) fn name_of<T: JsonSchema>(&mut self) -> Option<String> {
        definition_of(&self.generator.subschema_for::<T>().to_value()).map(str::to_owned)
    }

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
