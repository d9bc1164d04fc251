//! What the compiler refuses: one case for each rule, in folders by kind, with the message that a
//! user reads. Bless a change with `TRYBUILD=overwrite cargo test -p cot-tests --test ui`.

#[test]
fn the_compiler_refuses() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*/*.rs");
    cases.pass("ui/accepted/*/*.rs");
}
