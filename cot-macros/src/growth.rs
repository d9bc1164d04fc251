//! Tests that the size of the expansion is linear in tasks and routes, for all shapes of processes.

use proc_macro2::{TokenStream, TokenTree};

use cot_syntax::diagnostics::Errors;

#[path = "../benches/expansion/shapes.rs"]
mod shapes;

use shapes::Shape;

#[test]
fn the_expansion_is_linear_in_tasks_and_ways() {
    for shape in Shape::ALL {
        let [small, large] = [20, 80].map(|tasks| {
            let errors = Errors::new();
            let source = shape.source(tasks).parse().unwrap();
            let tokens = count(crate::expand_process(source, &errors));
            assert!(errors.is_empty(), "{:?}", errors.messages());
            tokens as f64 / (tasks + shape.edges(tasks)) as f64
        });
        let name = shape.name();
        assert!(large < small * 1.05, "{name}: {small} tokens for each become {large}");
    }
}

fn count(tokens: TokenStream) -> usize {
    let size = |token| match token {
        TokenTree::Group(group) => count(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(size).sum()
}

#[test]
fn what_an_editor_sees_is_linear_and_smaller_than_the_expansion() {
    for shape in Shape::ALL {
        let [small, large] = [20, 80].map(|tasks| {
            let source: TokenStream = shape.source(tasks).parse().unwrap();
            let tokens = count(crate::editor::expand(&source));
            let whole = count(crate::expand_process(source, &Errors::new()));
            assert!(tokens < whole, "{}: {tokens} of {whole} tokens", shape.name());
            tokens as f64 / (tasks + shape.edges(tasks)) as f64
        });
        let name = shape.name();
        assert!(large < small * 1.2, "{name}: {small} tokens for each become {large}");
    }
}

#[test]
fn a_process_of_500_tasks_is_shown() {
    let source: TokenStream = Shape::ALL[0].source(500).parse().unwrap();
    let shown = crate::editor::expand(&source).to_string();
    assert!(shown.contains("struct __Tasks"));
}
