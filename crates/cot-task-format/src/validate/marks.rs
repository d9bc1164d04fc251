//! Rules for tags, references, confidences and repeated keys.

use std::collections::{HashMap, HashSet};

use super::common::unique;
use crate::{
    block::{Block, BlockKind},
    diagnostic::{Code, Diagnostic, Findings, quote_excerpt},
    position::Position,
    report::Report,
    value::{Expr, Located, Object, Value},
};

pub(super) fn check(blocks: &[Block], report: &mut Report, findings: &mut Findings) {
    let mut exprs = Vec::new();
    for block in blocks {
        // The keys `call` and `think` can be repeated in an act.
        if block.kind != BlockKind::Act
            && let Value::Object(object) = &block.content.value
        {
            check_keys(object, findings);
        }
        collect_marked(&block.content, &mut exprs, findings);
    }
    check_tags(&exprs, findings);
    check_confidence(&exprs, findings);
    report.tags_defined = names(exprs.iter().flat_map(|expr| expr.tags()));
    report.tags_referenced = names(exprs.iter().flat_map(|expr| expr.references()));
}

/// Returns the confidences of a structure that are outside 0 to 1.
pub fn confidence_errors(block: &Block) -> Vec<Diagnostic> {
    let (mut exprs, mut findings) = (Vec::new(), Findings::default());
    collect_marked(&block.content, &mut exprs, &mut Findings::default());
    check_confidence(&exprs, &mut findings);
    findings.into_sorted()
}

/// Collects all expressions with marks. Nested ones come before the outer ones, the order in which
/// marks are read.
fn collect_marked<'b>(expr: &'b Expr, exprs: &mut Vec<&'b Expr>, findings: &mut Findings) {
    match &expr.value {
        Value::Array(items) => items.iter().for_each(|item| collect_marked(item, exprs, findings)),
        Value::Object(object) => {
            for entry in &object.entries {
                if let Value::Object(object) = &entry.expr.value {
                    check_keys(object, findings);
                }
                collect_marked(&entry.expr, exprs, findings);
            }
        }
        _ => {}
    }
    if expr.marks().is_some() {
        exprs.push(expr);
    }
}

/// Reports keys that occur twice in an object.
fn check_keys(object: &Object, findings: &mut Findings) {
    let mut seen = HashSet::new();
    for entry in &object.entries {
        if !seen.insert(entry.key.as_str()) {
            let message = format!("the key {} is given twice", quote_excerpt(&entry.key));
            findings.add(Code::DuplicateKey, entry.position, message);
        }
    }
}

/// Reports tags that are defined twice, and references to tags that are not defined before them.
fn check_tags(exprs: &[&Expr], findings: &mut Findings) {
    let all = exprs.iter().flat_map(|expr| expr.tags());
    let mut first: HashMap<&str, Position> = HashMap::new();
    for Located { value: text, position } in all {
        first.entry(text).or_insert(*position);
    }
    let mut known = HashSet::new();
    for expr in exprs {
        for Located { value: text, position } in expr.references() {
            if !known.contains(text.as_str()) {
                let message = match first.get(text.as_str()) {
                    Some(later) => {
                        format!("the tag {} is defined later, at {later}", quote_excerpt(text))
                    }
                    None => format!("no tag {} is defined", quote_excerpt(text)),
                };
                findings.add(Code::UndefinedReference, *position, message);
            }
        }
        for Located { value: text, position } in expr.tags() {
            if !known.insert(text.as_str()) {
                let message = format!("the tag {} is defined already", quote_excerpt(text));
                findings.add(Code::DuplicateTag, *position, message);
            }
        }
    }
}

/// Reports confidences outside 0 to 1.
fn check_confidence(exprs: &[&Expr], findings: &mut Findings) {
    for Located { value: text, position } in exprs.iter().filter_map(|expr| expr.confidence()) {
        if !(0.0..=1.0).contains(&text.as_f64()) {
            let message = format!("a confidence lies between 0 and 1, not at {text}");
            findings.add(Code::ConfidenceOutOfRange, *position, message);
        }
    }
}

fn names<'b>(names: impl Iterator<Item = &'b Located<String>>) -> Vec<String> {
    unique(names.map(|name| name.value.as_str())).into_iter().map(str::to_owned).collect()
}
