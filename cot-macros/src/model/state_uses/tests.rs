use proc_macro2::Delimiter;

use super::{FieldUse, StateUses};

fn outline(source: &str) -> (Vec<String>, Vec<String>, bool) {
    let uses = StateUses::from_expr(&syn::parse_str(source).unwrap());
    let names = |uses: &[FieldUse]| uses.iter().map(|used| used.field.to_string()).collect();
    (names(&uses.reads), names(&uses.options), uses.whole)
}

fn check(source: &str, reads: &[&str], options: &[&str], whole: bool) {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(outline(source), (owned(reads), owned(options), whole), "{source}");
}

#[test]
fn fields_are_read_wherever_they_stand() {
    check("state.plan", &["plan"], &[], false);
    check("state.plan.title.len() > 3", &["plan"], &[], false);
    check("f(&state.a, [state.b], { state.c })", &["a", "b", "c"], &[], false);
    check("format!(\"{} {}\", state.plan, state.other)", &["plan", "other"], &[], false);
    check("matches!(state.a, Some(ref x) if state.b > *x)", &["a", "b"], &[], false);
    check("0..state.a", &["a"], &[], false);
    check("|x| x.id == state.plan.id", &["plan"], &[], false);
    check("state.plan[0]", &["plan"], &[], false);
    check("(state.build)()", &["build"], &[], false);
}

#[test]
fn a_question_mark_reads_an_option() {
    check("state.plan?.is_some()", &[], &["plan"], false);
    check("format!(\"{:?}\", state.plan?)", &[], &["plan"], false);
    check("state.plan? == state.plan", &["plan"], &["plan"], false);
}

#[test]
fn the_whole_state_may_be_used() {
    for source in [
        "json(state)",
        "&state",
        "state",
        "state.total()",
        "state.pick::<u8>(1)",
        "Foo { ..state }",
        "Foo { state }",
        "state.0",
        "format!(\"{state:?}\")",
        "(state).plan",
    ] {
        check(source, &[], &[], true);
    }
}

#[test]
fn other_things_may_be_called_state() {
    for source in [
        "output.state",
        "output.state.plan",
        "module::state",
        "state::plan()",
        "state(1)",
        "state!(1)",
        "Foo { state: 1 }",
        "\"{states} state.plan\"",
    ] {
        check(source, &[], &[], false);
    }
}

#[test]
fn what_a_macro_has_passed_on_counts() {
    use quote::quote;
    let state = proc_macro2::Group::new(Delimiter::None, quote!(state));
    let mut uses = StateUses::default();
    uses.look_into(quote!(#state.plan));
    assert_eq!(uses.reads.len(), 1);
    assert!(!uses.whole);
}
