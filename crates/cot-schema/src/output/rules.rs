//! What `#[cot(…)]` says of a type, beyond its schema.

use std::any::TypeId;

use schemars::{JsonSchema, SchemaGenerator};

use super::reference::definition_of;
use crate::type_rules::{FieldRule, TypeRules, VariantRule};

/// Gathers what the types of an output say in `#[cot(…)]`. The derive writes the calls.
#[derive(Debug)]
pub struct Rules {
    generator: SchemaGenerator,
    /// The types that have said it, each with the definition that they are flattened into.
    visited: Vec<(TypeId, Option<String>)>,
    /// The definition that has the fields of the type that comes next.
    flat: Option<String>,
    /// The definition that has the fields of the type that speaks, if that has none of its own.
    home: Option<String>,
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

    /// Takes what a type says, once. `say` goes on with the types of its fields.
    pub fn of<T: JsonSchema + 'static>(
        &mut self,
        fields: &[FieldRule],
        variants: &[VariantRule],
        say: impl FnOnce(&mut Self),
    ) {
        let flat = self.flat.take();
        let visit = (TypeId::of::<T>(), flat.clone());
        if self.visited.contains(&visit) {
            return;
        }
        self.visited.push(visit);
        let says = !(fields.is_empty() && variants.is_empty());
        if let Some(name) = flat.clone().or_else(|| self.name_of::<T>()).filter(|_| says) {
            let rules = self.entry(name);
            rules.fields.extend_from_slice(fields);
            rules.variants.extend_from_slice(variants);
        }
        let around = std::mem::replace(&mut self.home, flat);
        say(self);
        self.home = around;
    }

    /// Says that there is something to check in a value of the type.
    pub const fn checks(&mut self) {
        self.has_checks = true;
    }

    pub(super) const fn have_checks(&self) -> bool {
        self.has_checks
    }

    /// Sentences about a type as a whole.
    pub fn note<T: JsonSchema>(&mut self, notes: &[&'static str]) {
        if let Some(name) = self.name_of::<T>() {
            self.entry(name).notes = notes.to_vec();
        }
    }

    /// Goes on with a type whose fields are members of the type `T`: it has no definition of its own.
    pub fn flattened<T: JsonSchema>(&mut self, say: impl FnOnce(&mut Self)) {
        self.flat = self.home.clone().or_else(|| self.name_of::<T>());
        say(self);
        self.flat = None;
    }

    /// The name of a type's definition, if it has one.
    fn name_of<T: JsonSchema>(&mut self) -> Option<String> {
        definition_of(&self.generator.subschema_for::<T>().to_value()).map(str::to_owned)
    }

    fn entry(&mut self, name: String) -> &mut TypeRules {
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
