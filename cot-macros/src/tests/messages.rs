//! Tests of the error messages of the macros, without a compiler. Each invalid program in
//! `tests/ui/<kind>/<mistake>.rs` is expanded, and its errors are printed in the format of rustc and
//! compared with the `.stderr` file beside it. Errors of rustc itself are in `tests/ui/rustc` and need a
//! compiler. Accept a change with `UPDATE_EXPECT=1 cargo test -p cot-macros messages`.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use expect_test::expect_file;
use proc_macro2::{LineColumn, TokenStream};
use quote::ToTokens;
use syn::visit::{self, Visit};

use cot_syntax::diagnostics::Errors;

#[test]
fn each_mistake_has_its_message() {
    let cases = cases();
    assert!(cases.len() > 200, "only {} cases found", cases.len());
    let (refused, accepted): (Vec<_>, Vec<_>) = cases
        .into_iter()
        .map(|case| (messages(&case), case))
        .partition(|(messages, _)| !messages.is_empty());
    for (messages, case) in refused {
        expect_file![case.with_extension("stderr")].assert_eq(&messages);
    }
    assert!(accepted.is_empty(), "the macros report no error in these: {accepted:#?}");
}

/// Lists the invalid programs whose errors all come from the macros.
pub(crate) fn cases() -> Vec<PathBuf> {
    let folders = entries(&root()).into_iter().filter(|path| {
        let has_cases = |name| !["accepted", "rustc", "src"].contains(&name);
        path.is_dir() && path.file_name().and_then(|name| name.to_str()).is_some_and(has_cases)
    });
    let files = folders.flat_map(|folder| entries(&folder));
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut entries: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

/// Returns all errors of a program, in the format of rustc.
fn messages(case: &Path) -> String {
    let source = fs::read_to_string(case).unwrap();
    let path = case.strip_prefix(root()).unwrap().to_str().unwrap();
    let errors = errors_of(&source).into_iter();
    let rendered: Vec<_> = errors.map(|error| render(&error, &source, path)).collect();
    rendered.join("\n\n").lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Returns the errors of the macros in a program.
pub(crate) fn errors_of(source: &str) -> Vec<syn::Error> {
    let tokens: TokenStream = source.parse().unwrap();
    let mut calls = MacroCalls::default();
    calls.visit_file(&syn::parse2(tokens).unwrap());
    calls.errors.into_distinct().collect()
}

/// Expands all invocations of our macros in a file, in the order of rustc, and collects their errors.
#[derive(Default)]
struct MacroCalls {
    errors: Errors,
}

impl MacroCalls {
    fn derive(&mut self, attributes: &[syn::Attribute], item: &impl ToTokens) {
        let derives = |attribute: &syn::Attribute| {
            attribute.path().is_ident("derive")
                && attribute.to_token_stream().to_string().contains("CotOutput")
        };
        if attributes.iter().any(derives) {
            cot_derive::expand(item.to_token_stream(), &self.errors);
        }
    }
}

impl<'ast> Visit<'ast> for MacroCalls {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if call.path.is_ident("cot_process") {
            crate::expand_process(call.tokens.clone(), &self.errors);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.derive(&item.attrs, item);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.derive(&item.attrs, item);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.derive(&item.attrs, item);
        visit::visit_item_union(self, item);
    }
}

fn render(error: &syn::Error, source: &str, path: &str) -> String {
    let span = place(error, source);
    let message = error.to_string();
    let snippet = Snippet::source(source).path(path).annotation(AnnotationKind::Primary.span(span));
    let report = [Level::ERROR.primary_title(message.as_str()).element(snippet)];
    Renderer::plain().render(&report)
}

/// Returns the place that an error underlines.
pub(crate) fn place(error: &syn::Error, source: &str) -> Range<usize> {
    offset(source, error.span().start())..offset(source, error.span().end())
}

/// Returns the byte offset of a line and column.
fn offset(source: &str, at: LineColumn) -> usize {
    let before: usize = source.split_inclusive('\n').take(at.line - 1).map(str::len).sum();
    let column = source[before..].char_indices().nth(at.column);
    column.map_or(source.len(), |(column, _)| before + column)
}
