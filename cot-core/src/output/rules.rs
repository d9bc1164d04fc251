//! What `#[cot(…)]` says of a type, beyond its schema.

use std::any::TypeId;

use schemars::SchemaGenerator;

use super::CotOutput;

/// Gathers what the types of an output say in `#[cot(…)]`. The derive writes the calls.
#[derive(Debug)]
pub struct Rules {
    generator: SchemaGenerator,
    visited: Vec<TypeId>,
    types: Vec<TypeRules>,
}

/// What one type says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TypeRules {
    /// The name of the type among the definitions of the schema.
    pub(crate) name: String,
    /// Of a struct, or of the variants of an enum that have fields.
    pub(crate) fields: Vec<FieldRule>,
    pub(crate) variants: Vec<VariantRule>,
}

/// What a field says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FieldRule {
    /// Its name in the JSON.
    pub name: &'static str,
    /// Other names that a model may give it.
    pub aliases: &'static [&'static str],
    /// Whether something of its value may be lost.
    pub allow_loss: bool,
    /// Sentences that the model reads in the field's description.
    pub notes: &'static [&'static str],
}

/// What a variant says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VariantRule {
    /// Its name in the JSON.
    pub name: &'static str,
    /// Other names that a model may give it.
    pub aliases: &'static [&'static str],
}

impl Rules {
    /// Rules for the schema that a generator made: it knows which definition is of which type.
    pub(super) const fn new(generator: SchemaGenerator) -> Self {
        Self { generator, visited: Vec::new(), types: Vec::new() }
    }

    /// Takes what a type says, once. `say` goes on with the types of its fields.
    pub fn of<T: CotOutput>(
        &mut self,
        fields: &[FieldRule],
        variants: &[VariantRule],
        say: impl FnOnce(&mut Self),
    ) {
        if self.visited.contains(&TypeId::of::<T>()) {
            return;
        }
        self.visited.push(TypeId::of::<T>());
        let reference = self.generator.subschema_for::<T>().to_value();
        let name = reference.get("$ref").and_then(|target| target.as_str()?.rsplit('/').next());
        if let Some(name) = name
            && !(fields.is_empty() && variants.is_empty())
        {
            self.types.push(TypeRules {
                name: name.to_owned(),
                fields: fields.to_vec(),
                variants: variants.to_vec(),
            });
        }
        say(self);
    }

    pub(super) fn into_types(self) -> Vec<TypeRules> {
        self.types
    }
}
