//! Parses a value for the places of what is in it.

use cot_schema::internal::PathSegment;

use crate::parse::{
    cursor::{Parser, Policy},
    fuel::Fuel,
    run::unescaped_with_places,
    strict_start,
    trace::trace::Trace,
};

/// Parses the value at a position under a path, and returns a trace for each policy that may matter; that of valid
/// JSON is the last.
pub(crate) fn trace(text: &str, start: usize, path: &[PathSegment], fuel: &Fuel) -> Vec<Trace> {
    if let Some((plain, places)) = unescaped_with_places(text, start) {
        let place = |at: usize| places.get(at).copied().unwrap_or(text.len());
        let (trace, _) = trace_once(&plain, 0, path, (Policy::Early, true), fuel);
        return vec![trace.map(place)];
    }
    let (early, is_ambiguous) = trace_once(text, start, path, (Policy::Early, false), fuel);
    let again = |policy| trace_once(text, start, path, (policy, false), fuel).0;
    let late = is_ambiguous.then(|| again(Policy::Late));
    // Strings such as `","` look like mistakes even where there are none.
    let is_repaired = early.is_malformed || !early.repairs.is_empty();
    let is_valid = || text.get(start..).and_then(strict_start).is_some();
    let is_whole = !early.is_malformed && is_ambiguous;
    let exact = (is_repaired && (is_whole || is_valid())).then(|| again(Policy::Exact));
    let exact = exact.filter(|exact| !exact.is_malformed);
    [Some(early), late, exact].into_iter().flatten().collect()
}

/// Parses with one policy. Also returns whether the other policy could lead to another result.
fn trace_once(
    text: &str,
    start: usize,
    path: &[PathSegment],
    (policy, is_escaped): (Policy, bool),
    fuel: &Fuel,
) -> (Trace, bool) {
    let mut parser = Parser::new(text, start, policy, fuel);
    parser.path = path.to_vec();
    parser.trace = Some(Box::default());
    parser.bare_backslashes = is_escaped.then_some(true);
    let result = parser.value();
    let mut trace = *parser.trace.take().unwrap_or_default();
    (trace.end, trace.is_malformed) = match &result {
        Ok(_) => (parser.at, false),
        Err(stop) => (stop.at, true),
    };
    (trace, parser.is_ambiguous)
}
