use std::fmt::Write as _;

use cot_syntax::{
    ItemKey, ItemKeys, ON_FAILURES, ProcessItems, TaskItems, ToolItems, ValueSyntax, WordSet,
};
use expect_test::expect_file;

/// The failures that `on` can route.
const ROUTED_FAILURES: WordSet = WordSet { name: "RoutedFailure", words: &ON_FAILURES };

/// Writes the structs of keys and the constants of words, from the tables of the parser.
struct KeysFile {
    text: String,
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
        let doc = doc.trim().replace("\n ", "\n    /// ");
        let form = form.replace("` or `", "` or\n    /// `");
        let ty = type_of(*value);
        writeln!(self.text, "    /// {doc}\n    ///\n    /// `{form}`\n    pub {key}: {ty},")
            .unwrap();
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
            self.text,
            "\n/// A word of the language.\n#[derive(Debug, Clone, Copy)]\npub struct {name};\n\nimpl {name} {{"
        )
        .unwrap();
        for word in set.words {
            writeln!(self.text, "    /// The word `{word}`.\n    pub const {word}: Self = Self;")
                .unwrap();
        }
        self.text.push_str("}\n");
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
    let header = "//! The keys and words of `cot_process!`. A test of `cot-macros` writes this file from the tables of the \
        parser.\n\n#![allow(non_upper_case_globals, reason = \"constants have the names of words\")]\n"
        .to_owned();
    let mut file = KeysFile { text: header, written: Vec::new() };
    file.table(ProcessItems::TABLE);
    file.table(TaskItems::TABLE);
    file.table(ToolItems::TABLE);
    file.words(&ROUTED_FAILURES);
    expect_file!["../../../cot-core/src/__private/editor/keys.rs"].assert_eq(&file.text);
}
