//! Elements of maps and lists as places: `map["key"].part`, `list[0].part`.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    fmt::Debug,
    hash::{BuildHasher, Hash},
};

use crate::issue::Issues;

/// A collection in which `path[key]` looks up a value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be indexed in a state path [COT0073]",
    label = "`[key]` is not supported here",
    note = "`[key]` is supported for `HashMap`, `BTreeMap`, a JSON map, `Vec`, `VecDeque`, arrays, and an `Option` of one of these"
)]
pub trait Keyed {
    /// The type of the keys.
    type Key: Debug;
    /// The type of the values.
    type Value;

    /// Returns the value of a key.
    fn at(&mut self, key: &Self::Key) -> Option<&mut Self::Value>;
}

/// A collection in which `path[key]?` inserts a missing value.
#[diagnostic::on_unimplemented(
    message = "`[key]?` can't create an element of `{Self}` [COT0074]",
    label = "`[key]?` is not supported here",
    note = "`[key]?` creates a missing element with its `Default`, in `HashMap`, `BTreeMap`, and an `Option` of one of these"
)]
pub trait KeyedCreate: Keyed {
    /// Returns the value of a key, inserting the default if it is missing.
    fn at_or_default(&mut self, key: Self::Key) -> &mut Self::Value;
}

impl<K: Ord + Debug, V> Keyed for BTreeMap<K, V> {
    type Key = K;
    type Value = V;

    fn at(&mut self, key: &K) -> Option<&mut V> {
        self.get_mut(key)
    }
}

impl<K: Ord + Debug, V: Default> KeyedCreate for BTreeMap<K, V> {
    fn at_or_default(&mut self, key: K) -> &mut V {
        self.entry(key).or_default()
    }
}

impl<K: Eq + Hash + Debug, V, S: BuildHasher> Keyed for HashMap<K, V, S> {
    type Key = K;
    type Value = V;

    fn at(&mut self, key: &K) -> Option<&mut V> {
        self.get_mut(key)
    }
}

impl<K: Eq + Hash + Debug, V: Default, S: BuildHasher> KeyedCreate for HashMap<K, V, S> {
    fn at_or_default(&mut self, key: K) -> &mut V {
        self.entry(key).or_default()
    }
}

impl Keyed for serde_json::Map<String, serde_json::Value> {
    type Key = String;
    type Value = serde_json::Value;

    fn at(&mut self, key: &String) -> Option<&mut serde_json::Value> {
        self.get_mut(key)
    }
}

impl<T> Keyed for Vec<T> {
    type Key = usize;
    type Value = T;

    fn at(&mut self, key: &usize) -> Option<&mut T> {
        self.get_mut(*key)
    }
}

impl<T> Keyed for VecDeque<T> {
    type Key = usize;
    type Value = T;

    fn at(&mut self, key: &usize) -> Option<&mut T> {
        self.get_mut(*key)
    }
}

impl<T, const LENGTH: usize> Keyed for [T; LENGTH] {
    type Key = usize;
    type Value = T;

    fn at(&mut self, key: &usize) -> Option<&mut T> {
        self.get_mut(*key)
    }
}

impl<C: Keyed> Keyed for Option<C> {
    type Key = C::Key;
    type Value = C::Value;

    fn at(&mut self, key: &C::Key) -> Option<&mut C::Value> {
        self.as_mut()?.at(key)
    }
}

impl<C: KeyedCreate + Default> KeyedCreate for Option<C> {
    fn at_or_default(&mut self, key: C::Key) -> &mut C::Value {
        self.get_or_insert_default().at_or_default(key)
    }
}

/// Returns the value at `place[key]`.
///
/// # Errors
///
/// If the key is missing. Nothing of the update is applied then.
pub fn value_at_key<'a, C: Keyed>(
    place: &'a mut C,
    key: &C::Key,
    path: &str,
) -> Result<&'a mut C::Value, Issues> {
    place.at(key).ok_or_else(|| Issues::at("$", format!("`{path}[{key:?}]` is not there")))
}

/// Returns the value at `place[key]?`, inserting the default if it is missing.
pub fn value_at_key_or_default<C: KeyedCreate>(place: &mut C, key: C::Key) -> &mut C::Value {
    place.at_or_default(key)
}

/// Gives the type of the values of a place. Never called: it is used in a branch that never runs.
pub fn value_at<C: Keyed>(_place: &mut C) -> &mut C::Value {
    unreachable!("only the type is of interest")
}

/// Gives the type of the keys of a place. Never called: it is used in a branch that never runs.
pub fn key_at<C: Keyed>(_place: &mut C) -> C::Key {
    unreachable!("only the type is of interest")
}
