//! Method lookup for types that may or may not implement `CotOutput`.
//!
//! The derive can't know whether the type of a field is an output. Each wrapper here has a method that
//! exists only for outputs, and dereferences to a type with a method of the same name that does nothing. The
//! compiler picks the first that applies. This requires concrete types, so that it works in generated code
//! only.

use std::{marker::PhantomData, ops::Deref};

use serde::Serialize;

use super::{checker::checker::Checker, output::CotOutput, rules::RulesCollector};

/// A part of an output, of any type.
#[derive(Debug)]
pub struct OutputPart<'a, T>(pub &'a T);

/// The fallback for parts whose types are not outputs.
#[derive(Debug)]
pub struct NonOutputPart;

impl<T: CotOutput> OutputPart<'_, T> {
    /// Runs the checks of a nested output.
    pub fn run_checks(&self, checker: &mut Checker<'_>) {
        self.0.run_checks(checker);
    }

    /// Returns the name of a member in the JSON.
    pub fn json_key<'m>(&self, member: &'m str) -> Option<&'m str> {
        T::json_key(member)
    }
}

/// A number whose type may serialize it as a string.
#[derive(Debug)]
pub struct RangeChecked<'a, T>(pub &'a T);

impl<T: Serialize> RangeChecked<'_, T> {
    /// Checks the number against its bounds.
    pub fn check_range(&self, checker: &mut Checker<'_>, min: Option<&str>, max: Option<&str>) {
        checker.range(self.0, min, max);
    }
}

impl<T> Deref for RangeChecked<'_, T> {
    type Target = NonOutputPart;

    fn deref(&self) -> &NonOutputPart {
        &NonOutputPart
    }
}

impl<T> Deref for OutputPart<'_, T> {
    type Target = NonOutputPart;

    fn deref(&self) -> &NonOutputPart {
        &NonOutputPart
    }
}

impl NonOutputPart {
    /// Returns the name in Rust: that in the JSON of a type that is no output is not known.
    #[must_use]
    pub const fn json_key<'m>(&self, member: &'m str) -> Option<&'m str> {
        Some(member)
    }

    /// Does nothing: the type has no checks.
    pub const fn run_checks(&self, _: &mut Checker<'_>) {}

    /// Does nothing: the type can't be serialized.
    pub const fn check_range(&self, _: &mut Checker<'_>, _: Option<&str>, _: Option<&str>) {}
}

/// A type without a value.
#[derive(Debug)]
pub struct OutputType<T>(PhantomData<fn() -> T>);

/// The fallback for types that are not outputs.
#[derive(Debug)]
pub struct NonOutputType;

impl<T> OutputType<T> {
    /// The only value.
    pub const NEW: Self = Self(PhantomData);
}

impl<T: CotOutput> OutputType<T> {
    /// Adds the attributes of an output type.
    pub fn gather_rules(&self, rules: &mut RulesCollector) {
        T::gather_rules(rules);
    }
}

impl<T> Deref for OutputType<T> {
    type Target = NonOutputType;

    fn deref(&self) -> &NonOutputType {
        &NonOutputType
    }
}

impl NonOutputType {
    /// Does nothing: the type has no attributes.
    pub const fn gather_rules(&self, _: &mut RulesCollector) {}
}
