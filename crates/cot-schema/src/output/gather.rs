//! Gathers the rules of outputs. The derive writes the calls.

use std::any::TypeId;

use super::{output::CotOutput, rules::Rules};
use crate::type_rules::{FieldRule, VariantRule};

impl Rules {
    /// Takes what a type says, once. `say` goes on with the types of its fields.
    pub fn of<T: CotOutput>(
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

    /// Sentences about a type as a whole.
    pub fn note<T: CotOutput>(&mut self, notes: &[&'static str]) {
        if let Some(name) = self.name_of::<T>() {
            self.entry(name).notes = notes.to_vec();
        }
    }

    /// Goes on with a type whose fields are members of the type `T`: it has no definition of its own.
    pub fn flattened<T: CotOutput>(&mut self, say: impl FnOnce(&mut Self)) {
        self.flat = self.home.clone().or_else(|| self.name_of::<T>());
        say(self);
        self.flat = None;
    }
}
