//! Snapshot tests of expansions, which also check that the same input gives the same tokens. Accept a
//! change with `UPDATE_EXPECT=1 cargo test -p cot-macros`.

use expect_test::{ExpectFile, expect_file};
use proc_macro2::TokenStream;

fn check(source: &str, expected: &ExpectFile) {
    check_as(crate::process, source, expected);
}

fn check_as(expand: fn(TokenStream) -> TokenStream, source: &str, expected: &ExpectFile) {
    let expand = || expand(source.parse::<TokenStream>().unwrap());
    let tokens = expand();
    assert_eq!(tokens.to_string(), expand().to_string(), "the same input gives the same tokens");
    let file = syn::parse2(tokens).expect("the expansion is a list of items");
    expected.assert_eq(&prettyplease::unparse(&file));
}

#[test]
fn a_hub_with_one_spoke() {
    check(include_str!("hub.in.rs"), &expect_file!["hub.out.rs"]);
}

#[test]
fn routes_choices_and_terminals() {
    check(include_str!("routes.in.rs"), &expect_file!["routes.out.rs"]);
}

#[test]
fn a_wrong_process_still_gives_its_types() {
    check(include_str!("wrong.in.rs"), &expect_file!["wrong.out.rs"]);
}

#[test]
fn every_kind_of_task_and_inputs() {
    check(include_str!("kinds.in.rs"), &expect_file!["kinds.out.rs"]);
}

#[test]
fn a_state_that_the_process_declares() {
    check(include_str!("declared.in.rs"), &expect_file!["declared.out.rs"]);
}

#[test]
fn tools_and_their_uses() {
    check(include_str!("tools.in.rs"), &expect_file!["tools.out.rs"]);
}

#[test]
fn an_output_with_rules() {
    let source = include_str!("fields.in.rs");
    check_as(crate::output, source, &expect_file!["fields.out.rs"]);
}

#[test]
fn an_output_of_variants() {
    let source = include_str!("variants.in.rs");
    check_as(crate::output, source, &expect_file!["variants.out.rs"]);
}
