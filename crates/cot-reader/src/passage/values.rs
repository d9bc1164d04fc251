//! The types of sources, and of the values that are looked up in them.

use std::{borrow::Cow, rc::Rc, sync::Arc};

use serde_json::Value;

/// Receives the texts and numbers of a value.
pub trait ValueVisitor {
    /// Receives a text.
    fn text(&mut self, text: &str);
    /// Receives a number, with its notation in Rust.
    fn number(&mut self, number: &str, value: Value);
    /// Enters an item of a list.
    fn enter(&mut self, index: usize);
    /// Leaves the item that was entered last.
    fn leave(&mut self);
}

/// A text in which values can be looked up, or several.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a source of `found_in` [COT0192]",
    label = "is no text",
    note = "a source is a text, an `Option` of one, or a list of texts"
)]
pub trait SourceText {
    /// Passes each text on, with its name.
    fn texts<'s>(&'s self, name: &str, add: &mut dyn FnMut(String, &'s str));
}

/// A value that can be looked up in a text.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` can't be looked up by `found_in` [COT0191]",
    label = "is neither a text nor a number",
    note = "a member of `found_in` is a text, a number, an `Option` of these, or a list: `items[].name` names the members of the items of a list"
)]
pub trait FoundValue {
    /// Passes the texts and numbers of the value on.
    fn look(&self, visitor: &mut dyn ValueVisitor);
}

impl SourceText for str {
    fn texts<'s>(&'s self, name: &str, add: &mut dyn FnMut(String, &'s str)) {
        add(name.to_owned(), self);
    }
}

impl FoundValue for str {
    fn look(&self, visitor: &mut dyn ValueVisitor) {
        visitor.text(self);
    }
}

impl SourceText for String {
    fn texts<'s>(&'s self, name: &str, add: &mut dyn FnMut(String, &'s str)) {
        self.as_str().texts(name, add);
    }
}

impl FoundValue for String {
    fn look(&self, visitor: &mut dyn ValueVisitor) {
        visitor.text(self);
    }
}

impl SourceText for Cow<'_, str> {
    fn texts<'s>(&'s self, name: &str, add: &mut dyn FnMut(String, &'s str)) {
        (**self).texts(name, add);
    }
}

impl FoundValue for Cow<'_, str> {
    fn look(&self, visitor: &mut dyn ValueVisitor) {
        visitor.text(self);
    }
}

impl<T: SourceText> SourceText for Option<T> {
    fn texts<'s>(&'s self, name: &str, add: &mut dyn FnMut(String, &'s str)) {
        self.iter().for_each(|inner| inner.texts(name, add));
    }
}

impl<T: FoundValue> FoundValue for Option<T> {
    fn look(&self, visitor: &mut dyn ValueVisitor) {
        self.iter().for_each(|inner| inner.look(visitor));
    }
}

impl<T: SourceText> SourceText for [T] {
    fn texts<'s>(&'s self, name: &str, add: &mut dyn FnMut(String, &'s str)) {
        for (index, item) in self.iter().enumerate() {
            item.texts(&format!("{name}[{index}]"), add);
        }
    }
}

impl<T: FoundValue> FoundValue for [T] {
    fn look(&self, visitor: &mut dyn ValueVisitor) {
        for (index, item) in self.iter().enumerate() {
            visitor.enter(index);
            item.look(visitor);
            visitor.leave();
        }
    }
}

/// Implements the traits for types that refer to another one.
macro_rules! through {
    ($([$($generic:tt)*] $ty:ty => $inner:ty),*) => {$(
        impl<$($generic)*> SourceText for $ty where $inner: SourceText {
            fn texts<'s>(&'s self, name: &str, add: &mut dyn FnMut(String, &'s str)) {
                <$inner as SourceText>::texts(self, name, add);
            }
        }

        impl<$($generic)*> FoundValue for $ty where $inner: FoundValue {
            fn look(&self, visitor: &mut dyn ValueVisitor) {
                <$inner as FoundValue>::look(self, visitor);
            }
        }
    )*};
}

through! {
    [T: ?Sized] &T => T,
    [T: ?Sized] Box<T> => T,
    [T: ?Sized] Arc<T> => T,
    [T: ?Sized] Rc<T> => T,
    [T] Vec<T> => [T],
    [T, const LENGTH: usize] [T; LENGTH] => [T]
}

/// Implements the lookup for types of numbers.
macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl FoundValue for $ty {
            fn look(&self, visitor: &mut dyn ValueVisitor) {
                visitor.number(&self.to_string(), (*self).into());
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64);
