use super::*;

const PROCESS: &str = "pub process P { state: { #[cfg(a)] map: Map<K, V> = f::<A, B>(), b: u8 }, \
    /// A task.\n #[cfg(b)] #[cfg(c)] task x -> Y<Z> { next: { #[cfg(d)] y, z } }, \
    sequence s [#[cfg(e)] x, y] \
    task z { update: { a = { #[cfg(f)] g(); 1 }, #[cfg(g)] b = 2 } } goal: \"\" }";

fn kept(true_fields: &[usize]) -> String {
    let true_fields = Some(true_fields.iter().map(|index| field(*index)).collect());
    let mut walk = ConditionFilter { found: Vec::new(), true_fields };
    walk.process(PROCESS.parse().unwrap()).to_string().replace(' ', "")
}

fn plain(text: &str) -> String {
    text.parse::<TokenStream>().unwrap().to_string().replace(' ', "")
}

#[test]
fn what_does_not_hold_is_left_out() {
    let whole = PROCESS.replace("#[cfg(a)]", "").replace("#[cfg(b)] #[cfg(c)]", "");
    let whole = whole.replace("#[cfg(d)]", "").replace("#[cfg(e)]", "").replace("#[cfg(g)]", "");
    assert_eq!(kept(&[0, 1, 2, 3, 4, 5]), plain(&whole));
    let least = "pub process P { state: { b: u8 }, sequence s [y] \
        task z { update: { a = { #[cfg(f)] g(); 1 }, } } goal: \"\" }";
    assert_eq!(kept(&[]), plain(least));
    assert_eq!(kept(&[1, 3]), plain(least));
}

#[test]
fn a_comparison_opens_no_brackets() {
    let text = "process P { crate: ::a::b, task x -> Y { \
        transitions: { done: \"D\", #[cfg(a)] beta: \"B\" if state.n < 3, more: \"M\" }, \
        update: { #[cfg(b)] n = u32::MIN if output.rank < 3, last = f::<A, B>() } } }";
    let mut walk = ConditionFilter { found: Vec::new(), true_fields: Some(Vec::new()) };
    let kept = walk.process(text.parse().unwrap()).to_string().replace(' ', "");
    let expected = "process P { crate: ::a::b, task x -> Y { \
        transitions: { done: \"D\", more: \"M\" }, update: { last = f::<A, B>() } } }";
    assert_eq!(kept, plain(expected));
}

#[test]
fn a_path_that_begins_with_crate_is_no_item() {
    let path = |text: &str| {
        let path = crate_path(&text.parse().unwrap());
        path.map(|path| quote!(#path).to_string().replace(' ', ""))
    };
    let state = "process P { state: crate::Memory, crate: ::fw::cot, task a { end } }";
    assert_eq!(path(state).as_deref(), Some("::fw::cot"));
    assert_eq!(path("process P { state: crate::Memory, task a { end } }"), None);
}

#[test]
fn conditions_are_fields_in_their_order() {
    let tokens = defer(&PROCESS.parse().unwrap()).unwrap().to_string().replace(' ', "");
    let fields = "{#[cfg(a)]_0:(),#[cfg(b)]_1:(),#[cfg(c)]_2:(),#[cfg(d)]_3:(),#[cfg(e)]_4:(),#[cfg(g)]_5:(),}";
    assert!(tokens.ends_with(&format!("struct__PConditions{fields}")), "{tokens}");
    assert!(defer(&"process P { state: S, task a { end } }".parse().unwrap()).is_none());
}
