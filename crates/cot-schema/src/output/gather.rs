//! Collects the attributes of output types. The derive generates the calls.

use std::any::TypeId;

use super::{output::CotOutput, rules::RulesCollector};
use crate::type_rules::{FieldRule, VariantRule};

impl RulesCollector {
    /// Adds the attributes of a type, unless they were added before. `say` adds those of its field types.
    pub fn add_type<T: CotOutput>(
        &mut self,
        fields: &[FieldRule],
        variants: &[VariantRule],
        say: fn(&mut Self),
    ) {
        self.add(TypeId::of::<T>(), Self::name_of::<T>, (fields, variants), say);
    }

    /// Adds a type. It has no type parameter, so that it is not compiled for each type.
    fn add(
        &mut self,
        id: TypeId,
        name_of: fn(&mut Self) -> Option<String>,
        (fields, variants): (&[FieldRule], &[VariantRule]),
        say: fn(&mut Self),
    ) {
        let flat = self.flat.take();
        let visit = (id, flat.clone());
        if self.visited.contains(&visit) {
            return;
        }
        self.visited.push(visit);
        let says = !(fields.is_empty() && variants.is_empty());
        if let Some(name) = flat.clone().or_else(|| name_of(self)).filter(|_| says) {
            let rules = self.entry(name);
            rules.fields.extend_from_slice(fields);
            rules.variants.extend_from_slice(variants);
        }
        let around = std::mem::replace(&mut self.home, flat);
        say(self);
        self.home = around;
    }

    /// Sets the sentences for the description of a type.
    pub fn set_notes<T: CotOutput>(&mut self, notes: &[&'static str]) {
        if let Some(name) = self.name_of::<T>() {
            self.entry(name).notes = notes.to_vec();
        }
    }

    /// Adds the attributes of a type that is flattened into `T`: its fields are listed under the definition
    /// of `T`.
    pub fn add_flattened<T: CotOutput>(&mut self, say: impl FnOnce(&mut Self)) {
        self.flat = self.home.clone().or_else(|| self.name_of::<T>());
        say(self);
        self.flat = None;
    }
}
