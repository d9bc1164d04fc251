//! Types of which the derive can't know whether they are outputs.
//!
//! Each of these types has a method that only outputs have, and behind it, reached by dereferencing,
//! one that all types have: the compiler takes the first that there is. It must know the type, so that
//! this works in generated code alone.

use std::{marker::PhantomData, ops::Deref};

use serde::Serialize;

use super::{checker::checker::Checker, output::CotOutput, rules::Rules};

/// What is inside an output, of any type; or what is read for one.
#[derive(Debug)]
pub struct Part<'a, T>(pub &'a T);

/// A value of a type that is no output.
#[derive(Debug)]
pub struct PlainPart;

impl<T: CotOutput> Part<'_, T> {
    /// Runs the checks of an output, as part of a larger one.
    pub fn run_checks(&self, checker: &mut Checker<'_>) {
        self.0.run_checks(checker);
    }
}

/// A number of a type that may write it as a text.
#[derive(Debug)]
pub struct Bounded<'a, T>(pub &'a T);

impl<T: Serialize> Bounded<'_, T> {
    /// Holds the number to its bounds.
    pub fn check_range(&self, checker: &mut Checker<'_>, min: Option<&str>, max: Option<&str>) {
        checker.range(self.0, min, max);
    }
}

impl<T> Deref for Bounded<'_, T> {
    type Target = PlainPart;

    fn deref(&self) -> &PlainPart {
        &PlainPart
    }
}

impl<T> Deref for Part<'_, T> {
    type Target = PlainPart;

    fn deref(&self) -> &PlainPart {
        &PlainPart
    }
}

impl PlainPart {
    /// There are none.
    pub const fn run_checks(&self, _: &mut Checker<'_>) {}

    /// What can't be written is not looked at.
    pub const fn check_range(&self, _: &mut Checker<'_>, _: Option<&str>, _: Option<&str>) {}
}

/// A type, of which no value is at hand.
#[derive(Debug)]
pub struct Type<T>(PhantomData<fn() -> T>);

/// A type that is no output.
#[derive(Debug)]
pub struct PlainType;

impl<T> Type<T> {
    /// The type.
    pub const IT: Self = Self(PhantomData);
}

impl<T: CotOutput> Type<T> {
    /// Takes what an output says.
    pub fn gather_rules(&self, rules: &mut Rules) {
        T::gather_rules(rules);
    }
}

impl<T> Deref for Type<T> {
    type Target = PlainType;

    fn deref(&self) -> &PlainType {
        &PlainType
    }
}

impl PlainType {
    /// It says nothing.
    pub const fn gather_rules(&self, _: &mut Rules) {}
}
