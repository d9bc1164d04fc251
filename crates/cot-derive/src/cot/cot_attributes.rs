//! The meaning of the `#[cot(…)]` attributes of a field, a variant or a type.

use quote::quote;
use syn::{Attribute, Expr, Ident, LitStr, Path};

use super::{
    item::{CotAttribute, Value},
    keys::Owner,
    parse, self_members,
};
use cot_syntax::code_text::whole_text;
use cot_syntax::diagnostics::Errors;

/// The `#[cot(…)]` attributes of a field, a variant or a type.
#[derive(Debug, Default)]
pub(crate) struct CotAttributes {
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) allow_loss: Option<Ident>,
    pub(crate) partial: Option<Ident>,
    /// The path of `cot-core`.
    pub(crate) crate_path: Option<Path>,
    pub(crate) rules: Vec<Rule>,
    /// Reasons of attributes without a rule. They apply to all rules.
    reasons: Vec<LitStr>,
    /// All keys, in order.
    pub(crate) keys: Vec<Ident>,
}

/// A rule, such as `#[cot(when = condition, required)]`.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) when: Option<Expr>,
    pub(crate) requirement: Requirement,
    because: Option<LitStr>,
}

/// The requirement of a rule.
#[derive(Debug, Clone)]
pub(crate) enum Requirement {
    Check(Path),
    Required(Ident),
    Absent(Ident),
}

/// Parses the `#[cot(…)]` attributes of a field, a variant or a type.
pub(crate) fn parse_attributes(
    attributes: &[Attribute],
    owner: Owner,
    errors: &Errors,
) -> CotAttributes {
    CotAttributes::from_attributes(parse::attributes(attributes, owner, errors), errors)
}

impl CotAttributes {
    pub(super) fn from_attributes(attributes: Vec<CotAttribute>, errors: &Errors) -> Self {
        let mut merged = Self::default();
        for attribute in attributes {
            check_condition(&attribute, errors);
            check_contradiction(&attribute, errors);
            merged.add(attribute);
        }
        merged
    }

    fn add(&mut self, attribute: CotAttribute) {
        let when = attribute.items.iter().find_map(|item| match &item.value {
            Value::Expr(when) => Some(&**when),
            _ => None,
        });
        let because = attribute.find("because").next().and_then(|item| match &item.value {
            Value::Text(reason) => Some(reason),
            _ => None,
        });
        let known = self.rules.len();
        for item in &attribute.items {
            let requirement = match &item.value {
                Value::Path(path) if item.key == "check" => Requirement::Check(path.clone()),
                Value::None if item.key == "required" => Requirement::Required(item.key.clone()),
                Value::None if item.key == "absent" => Requirement::Absent(item.key.clone()),
                _ => continue,
            };
            // A rule of presence without a condition, or a check with an invalid one, has been reported.
            if when.is_some()
                || matches!(requirement, Requirement::Check(_))
                    && attribute.find("when").next().is_none()
            {
                self.rules.push(Rule {
                    when: when.cloned(),
                    requirement,
                    because: because.cloned(),
                });
            }
        }
        if self.rules.len() == known {
            self.reasons.extend(because.cloned());
        }
        for item in attribute.items {
            match item.value {
                Value::Path(path) if item.key == "crate" => self.crate_path = Some(path),
                Value::Text(alias) if item.key == "alias" => self.aliases.push(alias),
                Value::None if item.key == "allow_loss" => self.allow_loss = Some(item.key.clone()),
                Value::None if item.key == "partial" => self.partial = Some(item.key.clone()),
                _ => {}
            }
            self.keys.push(item.key);
        }
    }

    /// Returns the reason that is appended to each message of a check.
    pub(crate) fn why(&self, rule: &Rule) -> String {
        let reason = rule.because.as_ref().or(self.reasons.first());
        match (reason, &rule.when) {
            (Some(reason), _) => format!(", because {}", phrase(reason)),
            (None, Some(when)) => format!(" (when {})", condition(when)),
            (None, None) => String::new(),
        }
    }

    /// Returns the message of a violated rule of presence: `what`, such as "is required", and the reason.
    pub(crate) fn message(&self, rule: &Rule, what: &str) -> String {
        match (&rule.because, &rule.when) {
            (Some(reason), _) => format!("{what}, because {}", phrase(reason)),
            (None, Some(when)) => format!("{what} when {}", condition(when)),
            (None, None) => what.to_owned(),
        }
    }

    /// Returns sentences for the description in the schema. `noted` returns the text of a rule of presence.
    pub(crate) fn notes(
        &self,
        noted: impl Fn(&Requirement) -> Option<&'static str>,
    ) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        let rules =
            self.rules.iter().filter_map(|rule| match (noted(&rule.requirement), &rule.because) {
                (Some(what), Some(reason)) => {
                    Some(format!("Sometimes {what}, because {}.", phrase(reason)))
                }
                (Some(what), None) => {
                    let when = rule.when.as_ref()?;
                    Some(sentence(&format!("{what} when {}", condition(when))))
                }
                (None, reason) => Some(sentence(&phrase(reason.as_ref()?))),
            });
        let reasons = self.reasons.iter().map(|reason| sentence(&phrase(reason)));
        for note in rules.chain(reasons) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }
}

/// Checks that a condition has a rule, and that rules of presence have a condition.
fn check_condition(attribute: &CotAttribute, errors: &Errors) {
    if attribute.is_invalid {
        return;
    }
    let when = attribute.flag("when");
    let presence = ["required", "absent"].map(|key| attribute.flag(key));
    let has_rule = attribute.find("check").next().is_some() || presence.iter().any(Option::is_some);
    if let (Some(when), false) = (when, has_rule) {
        errors.add_with_help(
            when.span(),
            "`when` without a rule",
            "add the rule: `required`, `absent` or `check = path`",
        );
    }
    for key in presence.into_iter().flatten().filter(|_| when.is_none()) {
        let always = match key == "required" {
            true => {
                "a field that is always required is not an `Option`, or has `#[schemars(length(min = 1))]`"
            }
            false => "a field that is always absent needs no place in the type",
        };
        errors.add_with_help(
            key.span(),
            format!("`{key}` without `when`"),
            format!("write `#[cot(when = condition, {key})]`; {always}"),
        );
    }
}

/// Checks that `required` and `absent` do not have the same condition.
fn check_contradiction(attribute: &CotAttribute, errors: &Errors) {
    if let (Some(_), Some(absent)) = (attribute.flag("required"), attribute.flag("absent")) {
        errors.add_with_help(
            absent.span(),
            "`required` and `absent` under one condition",
            "give each its own `#[cot(…)]` and its own condition",
        );
    }
}

/// Formats a condition for messages, with `name` in the place of `self.name`.
fn condition(when: &Expr) -> String {
    let named = self_members::replace(quote!(#when), &|member| Some(member.clone().into()));
    format!("`{}`", whole_text(named))
}

/// Formats a reason for the middle of a sentence.
fn phrase(reason: &LitStr) -> String {
    reason.value().trim().trim_end_matches('.').to_owned()
}

fn sentence(phrase: &str) -> String {
    let mut characters = phrase.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    let mut sentence: String = first.chain(characters).collect();
    if !sentence.ends_with(['!', '?', '…']) {
        sentence.push('.');
    }
    sentence
}
