use std::{collections::BTreeSet, fmt::Write as _};

use cot_syntax::{
    ItemKey, ItemKeys, ON_FAILURES, PRIMERS, ProcessItems, TaskItems, ToolItems, ValueSyntax,
    WordSet,
};
use expect_test::expect_file;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

use super::{expand, template::MARKER};
use crate::broken::{broken, processes};
use cot_syntax::tokens::is_mark;

/// The failures that `on` can route.
const ROUTED_FAILURES: WordSet = WordSet { name: "RoutedFailure", words: &ON_FAILURES };

/// Writes the structs of keys and the constants of words, from the tables of the parser.
struct KeysFile {
    text: String,
    words: String,
    written: Vec<&'static str>,
}

impl KeysFile {
    fn table(&mut self, table: &'static dyn ItemKeys) {
        if self.is_written(table.name()) {
            return;
        }
        writeln!(
            self.text,
            "\n/// The keys of a {}.\n#[derive(Debug, Clone, Copy)]\npub struct {} {{",
            table.owner(),
            table.name()
        )
        .unwrap();
        let keys = table.keys();
        for key in &keys {
            self.key(key);
        }
        self.text.push_str("}\n");
        for key in keys {
            self.value(key.value);
        }
    }

    fn key(&mut self, ItemKey { key, doc, form, value }: &ItemKey) {
        if *key == "crate" {
            return;
        }
        let (doc, ty) = (doc.trim().replace("\n ", " "), type_of(*value));
        writeln!(self.text, "    /// {doc} Written `{form}`.\n    pub {key}: {ty},").unwrap();
    }

    fn value(&mut self, value: ValueSyntax) {
        match value {
            ValueSyntax::Items { table, otherwise } => {
                self.table(table);
                self.value(*otherwise);
            }
            ValueSyntax::Word(set) | ValueSyntax::Words(set) => self.words(set),
            _ => {}
        }
    }

    fn words(&mut self, set: &'static WordSet) {
        if self.is_written(set.name) {
            return;
        }
        let name = set.name;
        writeln!(
            self.words,
            "\n/// A word of the language.\n#[derive(Debug, Clone, Copy)]\npub struct {name};\n\nimpl {name} {{"
        )
        .unwrap();
        for word in set.words {
            writeln!(self.words, "    /// The word `{word}`.\n    pub const {word}: Self = Self;")
                .unwrap();
        }
        self.words.push_str("}\n");
    }

    fn is_written(&mut self, name: &'static str) -> bool {
        let is_written = self.written.contains(&name);
        self.written.push(name);
        is_written
    }
}

/// Returns the type of the field of an item.
fn type_of(value: ValueSyntax) -> String {
    match value {
        ValueSyntax::Items { table, .. } => table.name().to_owned(),
        ValueSyntax::Word(set) | ValueSyntax::Words(set) => set.name.to_owned(),
        other => format!("super::{other:?}"),
    }
}

#[test]
fn the_keys_that_editors_show_are_those_of_the_parser() {
    let header = |what: &str| {
        format!(
            "//! The {what} of `cot_process!`. A test of `cot-macros` writes this file from the tables of the parser.\n"
        )
    };
    let text = header("keys") + "\nuse super::words::*;\n";
    let lint =
        "\n#![allow(non_upper_case_globals, reason = \"constants have the names of words\")]\n";
    let mut file = KeysFile { text, words: header("words") + lint, written: Vec::new() };
    file.table(ProcessItems::TABLE);
    file.table(TaskItems::TABLE);
    file.table(ToolItems::TABLE);
    file.words(&ROUTED_FAILURES);
    file.words(&PRIMERS);
    expect_file!["../../../cot-core/src/__private/editor/keys.rs"].assert_eq(&file.text);
    expect_file!["../../../cot-core/src/__private/editor/words.rs"].assert_eq(&file.words);
}

/// Replaces the identifier with this number, or removes it. Returns whether there is one.
fn replace(
    tokens: TokenStream,
    at: &mut isize,
    with: &dyn Fn(&Ident) -> Option<Ident>,
) -> TokenStream {
    let mut written = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let inner = replace(group.stream(), at, with);
                written.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
            }
            TokenTree::Ident(word) => {
                let replaced = if *at == 0 { with(&word) } else { Some(word) };
                written.extend(replaced.map(TokenTree::Ident));
                *at -= 1;
            }
            token => written.extend([token]),
        }
    }
    written
}

/// The part of an expansion before the marker in which a word that leads to it may be missing without it.
const STEM: usize = 30;

/// The share of identifiers, in percent, at which the expansions must agree. The others are mostly keys of items
/// from which other items are derived, such as `state`.
const COMPLETED: usize = 95;

#[test]
fn up_to_the_marker_the_expansions_are_the_same() {
    let (mut total, mut others) = (0, Vec::new());
    for process in processes() {
        let replaced = |index, with: &dyn Fn(&Ident) -> Option<Ident>| {
            let mut at = index;
            let tokens = replace(process.clone(), &mut at, with);
            (at < 0).then(|| expand(&tokens).to_string())
        };
        let whole = expand(&process).to_string();
        for index in (0..).step_by(4) {
            // At the end of a word, and in its place.
            let Some(after) = replaced(index, &|word| Some(marked(word))) else { break };
            let instead = replaced(index, &|_| Some(Ident::new(MARKER, Span::call_site())));
            let without = replaced(index, &|_| None);
            let pairs = [(Some(&whole), Some(after)), (without.as_ref(), instead)];
            for (actual, speculative) in pairs {
                let (Some(actual), Some(speculative)) = (actual, speculative) else { continue };
                let code = speculative.split("struct __Tasks").next().unwrap();
                // The others are names that are declared, where there is nothing to complete.
                let Some(place) = code.find(MARKER) else { continue };
                total += 1;
                let before = &speculative[..place.saturating_sub(STEM)];
                if !actual.starts_with(before) {
                    others.push(
                        speculative[place.saturating_sub(60)..]
                            .chars()
                            .take(80)
                            .collect::<String>(),
                    );
                }
            }
        }
    }
    assert!(total > 300 && others.len() * 100 < total * (100 - COMPLETED), "{total}: {others:#?}");
}

/// Adds the marker to an identifier.
fn marked(word: &Ident) -> Ident {
    let name = word.to_string();
    match name.strip_prefix("r#") {
        Some(name) => Ident::new_raw(&format!("{name}{MARKER}"), word.span()),
        None => Ident::new(&format!("{name}{MARKER}"), word.span()),
    }
}

/// Finds the words in tokens outside of attributes, with their lines and columns.
fn words(tokens: TokenStream, found: &mut Vec<(String, usize, usize)>) {
    let mut is_attribute = false;
    for token in tokens {
        let follows_mark = std::mem::replace(&mut is_attribute, is_mark(&token, '#'));
        match token {
            TokenTree::Group(group) if !follows_mark => words(group.stream(), found),
            TokenTree::Ident(word) => {
                let at = word.span().start();
                found.push((word.to_string(), at.line, at.column));
            }
            _ => {}
        }
    }
}

/// Words that only the grammar needs.
const GRAMMAR: [&str; 15] = [
    "pub", "process", "null", "true", "false", "steps", "read", "in", "with", "if", "input",
    "model", "include", "async", "source",
];

/// Returns the words of a process that its view lacks.
fn words_without_view(process: &TokenStream) -> Vec<String> {
    let (mut written, mut shown) = (Vec::new(), Vec::new());
    words(process.clone(), &mut written);
    words(expand(process), &mut shown);
    let places: BTreeSet<_> = shown.into_iter().map(|(_, line, column)| (line, column)).collect();
    let lacks = |(word, line, column): &(String, usize, usize)| {
        !GRAMMAR.contains(&word.as_str()) && !places.contains(&(*line, *column))
    };
    let lacking = written.into_iter().filter(lacks);
    lacking.map(|(word, line, _)| format!("`{word}` in line {line}")).collect()
}

#[test]
fn the_view_contains_each_word_of_a_process() {
    for process in processes() {
        let lacking = words_without_view(&process);
        assert!(lacking.is_empty(), "not in the view: {lacking:?}");
    }
}

#[test]
fn without_a_token_the_view_contains_the_other_words() {
    for process in processes() {
        for (removed, rest) in broken(&process).step_by(7) {
            let lacking = words_without_view(&rest);
            assert!(
                lacking.len() < 8,
                "without {removed} at {:?}: {lacking:?}",
                removed.span().start()
            );
        }
    }
}
