//! What `cargo deny check licenses bans sources` says, without that command: `deny.toml` has the licences.

use std::{collections::BTreeSet, fs};

use serde_json::Value;

use crate::workspace::{cargo, root};

#[test]
#[ignore = "needs the manifests of all dependencies: run `cargo fetch` first"]
fn licences_are_allowed() {
    let allowed = allowed();
    let (mut refused, mut needed) = (Vec::new(), BTreeSet::new());
    for package in packages() {
        let text = package["license"].as_str().unwrap_or_default();
        match choose(text, &allowed) {
            Some(licences) => needed.extend(licences),
            None => refused.push(format!("{} has {text:?}", package["name"])),
        }
    }
    assert!(refused.is_empty(), "licences that `deny.toml` does not allow: {refused:#?}");
    assert_eq!(allowed, needed, "`deny.toml` allows exactly those that are needed");
}

#[test]
#[ignore = "needs the manifests of all dependencies: run `cargo fetch` first"]
fn dependencies_have_known_sources_and_versions() {
    for package in packages() {
        let source = package["source"].as_str();
        let is_registry =
            |source: &str| source.starts_with("registry+https://github.com/rust-lang/");
        assert!(source.is_none_or(is_registry), "{} is from {source:?}", package["name"]);
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let wild = dependencies.filter(|of| of["req"] == "*" && of["path"].is_null());
        assert!(source.is_some() || wild.count() == 0, "{} takes any version", package["name"]);
    }
}

#[test]
fn expressions_of_licences_are_read() {
    let allowed = ["MIT", "Zlib"].map(str::to_owned).into();
    let choose = |text| choose(text, &allowed).map(|licences| licences.join(" "));
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(choose("Apache-2.0 OR MIT"), some("MIT"));
    assert_eq!(choose("Apache-2.0/MIT"), some("MIT"));
    assert_eq!(choose("(MIT OR Apache-2.0) AND Zlib"), some("MIT Zlib"));
    assert_eq!(choose("Apache-2.0 WITH LLVM-exception OR MIT AND Zlib"), some("MIT Zlib"));
    assert_eq!(choose("MIT AND Apache-2.0"), None);
    assert_eq!(choose(""), None);
}

fn packages() -> Vec<Value> {
    let metadata = cargo(&["metadata", "--format-version", "1", "--offline", "--all-features"]);
    let mut metadata: Value = serde_json::from_str(&metadata).unwrap();
    let Value::Array(packages) = metadata["packages"].take() else { panic!("no packages") };
    packages
}

/// The words of the list `allow` in `deny.toml`.
fn allowed() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("deny.toml")).unwrap();
    let (_, list) = text.split_once("allow = [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    let lines = list.lines().filter_map(|line| line.split('"').nth(1));
    lines.map(str::to_owned).collect()
}

/// Chooses licences that are allowed and fulfil an expression, the first ones that do.
fn choose(expression: &str, allowed: &BTreeSet<String>) -> Option<Vec<String>> {
    let expression = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = expression.split_whitespace().peekable();
    let chosen = either(&mut words, allowed);
    chosen.filter(|_| words.next().is_none())
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> Option<Vec<String>> {
    let mut chosen = all(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        let other = all(words, allowed);
        chosen = chosen.or(other);
    }
    chosen
}

fn all(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> Option<Vec<String>> {
    let mut chosen = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        let other = one(words, allowed);
        chosen = chosen.zip(other).map(|(chosen, other)| [chosen, other].concat());
    }
    chosen
}

fn one(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> Option<Vec<String>> {
    let first = words.next()?;
    if first == "(" {
        let chosen = either(words, allowed);
        words.next_if_eq(&")")?;
        return chosen;
    }
    let mut licence = first.to_owned();
    if words.next_if_eq(&"WITH").is_some() {
        licence = format!("{licence} WITH {}", words.next()?);
    }
    allowed.contains(&licence).then(|| vec![licence])
}
