//! The operations of state paths: append, insert, assign, create.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    hash::{BuildHasher, Hash},
    mem::{needs_drop, replace},
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A collection to which `path[]` appends.
#[diagnostic::on_unimplemented(
    message = "can't append to `{Self}` [COT0075]",
    label = "`[]` is not supported here",
    note = "`[]` appends to `Vec`, `VecDeque`, sets, `String`, and an `Option` of one of these"
)]
pub trait Append {
    /// The type of the items.
    type Item;
    /// Whether appending runs code of the item type, which may panic.
    const RUNS_CODE: bool = false;

    /// Appends one item.
    fn append(&mut self, item: Self::Item);
}

impl<T> Append for Vec<T> {
    type Item = T;

    fn append(&mut self, item: T) {
        self.push(item);
    }
}

impl<T> Append for VecDeque<T> {
    type Item = T;

    fn append(&mut self, item: T) {
        self.push_back(item);
    }
}

impl<T: Ord> Append for BTreeSet<T> {
    type Item = T;
    const RUNS_CODE: bool = true;

    fn append(&mut self, item: T) {
        self.insert(item);
    }
}

impl<T: Eq + Hash, S: BuildHasher> Append for HashSet<T, S> {
    type Item = T;
    const RUNS_CODE: bool = true;

    fn append(&mut self, item: T) {
        self.insert(item);
    }
}

impl Append for String {
    type Item = Self;

    fn append(&mut self, item: Self) {
        self.push_str(&item);
    }
}

impl<C: Append + Default> Append for Option<C> {
    type Item = C::Item;
    const RUNS_CODE: bool = C::RUNS_CODE;

    fn append(&mut self, item: C::Item) {
        self.get_or_insert_default().append(item);
    }
}

/// A collection into which `path[key]` inserts.
#[diagnostic::on_unimplemented(
    message = "can't insert into `{Self}` [COT0076]",
    label = "`[key]` is not supported here",
    note = "`[key]` inserts into `HashMap`, `BTreeMap`, a JSON map, and an `Option` of one of these"
)]
pub trait Insert {
    /// The type of the keys.
    type Key;
    /// The type of the values.
    type Value;

    /// Inserts a value, replacing the previous value of the key.
    fn insert(&mut self, key: Self::Key, value: Self::Value);
}

impl<K: Ord, V> Insert for BTreeMap<K, V> {
    type Key = K;
    type Value = V;

    fn insert(&mut self, key: K, value: V) {
        discard(Self::insert(self, key, value));
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> Insert for HashMap<K, V, S> {
    type Key = K;
    type Value = V;

    fn insert(&mut self, key: K, value: V) {
        discard(Self::insert(self, key, value));
    }
}

impl Insert for serde_json::Map<String, serde_json::Value> {
    type Key = String;
    type Value = serde_json::Value;

    fn insert(&mut self, key: String, value: serde_json::Value) {
        Self::insert(self, key, value);
    }
}

impl<C: Insert + Default> Insert for Option<C> {
    type Key = C::Key;
    type Value = C::Value;

    fn insert(&mut self, key: C::Key, value: C::Value) {
        self.get_or_insert_default().insert(key, value);
    }
}

/// Appends an item: `place[] = item`.
pub fn append<C: Append>(place: &mut C, item: C::Item) {
    place.append(item);
}

/// Inserts a value: `place[key] = value`.
pub fn insert<C: Insert>(place: &mut C, key: C::Key, value: C::Value) {
    place.insert(key, value);
}

/// Assigns a value: `place = value`.
pub fn assign<T>(place: &mut T, value: T) {
    discard(replace(place, value));
}

/// Drops a replaced value. The write stays even if the drop panics.
fn discard<T>(old: T) {
    if needs_drop::<T>() {
        let mut old = Some(old);
        survive(&mut || drop(old.take()));
    }
}

/// Calls a function that may panic. It has no type parameter, so that it is not compiled for each type.
fn survive(call: &mut dyn FnMut()) {
    let _ = catch_unwind(AssertUnwindSafe(call));
}

/// Returns whether `place[]` runs code of the item type. Only the type of the place matters.
pub fn runs_code<C: Append>(_place: Option<&mut C>) -> bool {
    C::RUNS_CODE
}

/// Returns the value of `place?`, inserting the default if it is missing.
pub fn value_or_default<T: Default>(place: &mut Option<T>) -> &mut T {
    place.get_or_insert_default()
}

/// Gives the type of a value that is assigned to a place. Never called: it is used in a branch that never
/// runs.
pub fn assigned_type<T>(_place: &mut T) -> T {
    unreachable!("only the type is of interest")
}

/// Gives the type of the items of a place. Never called.
pub fn appended_type<C: Append>(_place: &mut C) -> C::Item {
    unreachable!("only the type is of interest")
}

/// Gives the type of the values that are inserted into a place. Never called.
pub fn inserted_type<C: Insert>(_place: &mut C) -> C::Value {
    unreachable!("only the type is of interest")
}

/// Gives the type of the keys of a place. Never called.
pub fn inserted_key_type<C: Insert>(_place: &mut C) -> C::Key {
    unreachable!("only the type is of interest")
}
