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
