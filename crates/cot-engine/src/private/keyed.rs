//! Places within maps and lists: `map["key"].part`, `list[0].part`.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    fmt::Debug,
    hash::{BuildHasher, Hash},
};

use cot_schema::Issues;

/// A place in which `path[key]` finds another.
#[diagnostic::on_unimplemented(
    message = "nothing can be looked up in `{Self}`",
    label = "`[key]` does not fit this place",
    note = "`[key]` looks up in `HashMap`, `BTreeMap`, a JSON map, `Vec`, `VecDeque`, arrays, and an `Option` of one of these"
)]
pub trait Keyed {
    /// The keys.
    type Key: Debug;
    /// The values.
    type Value;

    /// The value of a key, if there is one.
    fn at(&mut self, key: &Self::Key) -> Option<&mut Self::Value>;
}

/// A place in which `path[key]?` creates what is missing.
#[diagnostic::on_unimplemented(
    message = "nothing can be created in `{Self}`",
    label = "`[key]?` does not fit this place",
    note = "`[key]?` creates a missing value, which has a `Default`, in `HashMap`, `BTreeMap`, and an `Option` of one of these"
)]
pub trait KeyedCreate: Keyed {
    /// The value of a key, which is the default where there is none.
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

/// `place[key]`: the value that is there.
///
/// # Errors
///
/// When there is none: nothing of the update is written then.
pub fn at<'a, C: Keyed>(
    place: &'a mut C,
    key: &C::Key,
    path: &str,
) -> Result<&'a mut C::Value, Issues> {
    place.at(key).ok_or_else(|| Issues::at("$", format!("`{path}[{key:?}]` is not there")))
}

/// `place[key]?`: the value, which is created where there is none.
pub fn at_or_default<C: KeyedCreate>(place: &mut C, key: C::Key) -> &mut C::Value {
    place.at_or_default(key)
}

/// The type of what is in a place. Never called: it stands in a branch that is never taken.
pub fn value_at<C: Keyed>(_place: &mut C) -> &mut C::Value {
    unreachable!("only the type is of interest")
}

/// The type of the keys of a place. Never called: it stands in a branch that is never taken.
pub fn key_at<C: Keyed>(_place: &mut C) -> C::Key {
    unreachable!("only the type is of interest")
}
