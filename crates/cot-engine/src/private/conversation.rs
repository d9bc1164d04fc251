//! Examples and turns, which precede the prompt of a task.

use std::{collections::VecDeque, marker::PhantomData};

use cot_model::Turn;
use serde::Serialize;

use super::signatures::{HasNoForm, NoForm};
use crate::process::examples::example::{Example, ExampleData};

/// A list of turns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of turns [COT0184]",
    label = "not a list of `cot_core::model::Turn`",
    note = "`turns` takes a `Vec<Turn>`, a `VecDeque<Turn>`, a slice, or an `Option` of one of these"
)]
pub trait Turns {
    /// Appends the turns to a list.
    fn append_to(&self, turns: &mut Vec<Turn>);
}

#[diagnostic::do_not_recommend]
impl Turns for [Turn] {
    fn append_to(&self, turns: &mut Vec<Turn>) {
        turns.extend_from_slice(self);
    }
}

#[diagnostic::do_not_recommend]
impl<const LENGTH: usize> Turns for [Turn; LENGTH] {
    fn append_to(&self, turns: &mut Vec<Turn>) {
        turns.extend_from_slice(self);
    }
}

#[diagnostic::do_not_recommend]
impl Turns for Vec<Turn> {
    fn append_to(&self, turns: &mut Vec<Turn>) {
        turns.extend_from_slice(self);
    }
}

#[diagnostic::do_not_recommend]
impl Turns for VecDeque<Turn> {
    fn append_to(&self, turns: &mut Vec<Turn>) {
        turns.extend(self.iter().cloned());
    }
}

#[diagnostic::do_not_recommend]
impl<T: Turns> Turns for Option<T> {
    fn append_to(&self, turns: &mut Vec<Turn>) {
        self.iter().for_each(|inner| inner.append_to(turns));
    }
}

#[diagnostic::do_not_recommend]
impl<T: Turns + ?Sized> Turns for &T {
    fn append_to(&self, turns: &mut Vec<Turn>) {
        (**self).append_to(turns);
    }
}

/// Returns the turns of an expression.
pub fn turns<T: Turns + ?Sized>(value: &T) -> Vec<Turn> {
    let mut turns = Vec::new();
    value.append_to(&mut turns);
    turns
}

/// The requirements on the function of `examples`. `O` is the output of the task.
#[diagnostic::on_unimplemented(
    message = "this function can't be the `examples` of the task [COT0183]",
    label = "has another signature",
    note = "expected a function without arguments that returns `Vec<Example<{O}>>`"
)]
pub trait ExamplesFunction<O, K> {
    /// Calls the function.
    fn examples(self) -> Vec<Example<O>>;
}

#[diagnostic::do_not_recommend]
impl<O, L: IntoIterator<Item = Example<O>>, F: FnOnce() -> L> ExamplesFunction<O, (L,)> for F {
    fn examples(self) -> Vec<Example<O>> {
        self().into_iter().collect()
    }
}

#[diagnostic::do_not_recommend]
impl<O, F: HasNoForm> ExamplesFunction<O, NoForm> for F {
    fn examples(self) -> Vec<Example<O>> {
        self.never()
    }
}

/// Calls the function of `examples`.
pub fn call_examples<O: Serialize, K, F: ExamplesFunction<O, K>>(
    _: PhantomData<O>,
    function: F,
) -> Vec<ExampleData> {
    function.examples().into_iter().map(ExampleData::from).collect()
}
