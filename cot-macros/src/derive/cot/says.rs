//! Groups of items become what they say.

use quote::quote;
use syn::{Attribute, Expr, Ident, LitStr, Path};

use super::{
    item::{Group, Value},
    keys::Owner,
    own, parse,
};
use crate::code_text::whole_text;
use cot_syntax::diagnostics::Errors;

/// What is said of a field, a variant or a type.
#[derive(Debug, Default)]
pub(in crate::derive) struct Says {
    pub(in crate::derive) aliases: Vec<LitStr>,
    pub(in crate::derive) allow_loss: Option<Ident>,
    pub(in crate::derive) partial: Option<Ident>,
    /// Where `cot-core` is found.
    pub(in crate::derive) crate_path: Option<Path>,
    pub(in crate::derive) rules: Vec<Rule>,
    /// Reasons that belong to no rule of their own.
    reasons: Vec<LitStr>,
    /// All keys, in their order.
    pub(in crate::derive) keys: Vec<Ident>,
}

/// A rule, as `#[cot(when = condition, required)]`.
#[derive(Debug)]
pub(in crate::derive) struct Rule {
    pub(in crate::derive) when: Option<Expr>,
    pub(in crate::derive) what: What,
    because: Option<LitStr>,
}

/// What a rule asks for.
#[derive(Debug, Clone)]
pub(in crate::derive) enum What {
    Check(Path),
    Required(Ident),
    Absent(Ident),
}

/// Reads what is said of a field, a variant or a type.
pub(in crate::derive) fn read(attributes: &[Attribute], owner: Owner, errors: &Errors) -> Says {
    Says::of(parse::groups(attributes, owner, errors), errors)
}

impl Says {
    pub(super) fn of(groups: Vec<Group>, errors: &Errors) -> Self {
        let mut says = Self::default();
        for group in groups {
            check_condition(&group, errors);
            check_contradiction(&group, errors);
            says.take(group);
        }
        says
    }

    fn take(&mut self, group: Group) {
        let when = group.items.iter().find_map(|item| match &item.value {
            Value::Expr(when) => Some(&**when),
            _ => None,
        });
        let because = group.find("because").next().and_then(|item| match &item.value {
            Value::Text(reason) => Some(reason),
            _ => None,
        });
        let known = self.rules.len();
        for item in &group.items {
            let what = match &item.value {
                Value::Path(path) if item.key == "check" => What::Check(path.clone()),
                Value::None if item.key == "required" => What::Required(item.key.clone()),
                Value::None if item.key == "absent" => What::Absent(item.key.clone()),
                _ => continue,
            };
            // Without its condition, it makes no sense; that has been reported.
            if when.is_some()
                || matches!(what, What::Check(_)) && group.find("when").next().is_none()
            {
                self.rules.push(Rule { when: when.cloned(), what, because: because.cloned() });
            }
        }
        if self.rules.len() == known {
            self.reasons.extend(because.cloned());
        }
        for item in group.items {
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

    /// What ends each message of a check.
    pub(in crate::derive) fn why(&self, rule: &Rule) -> String {
        let reason = rule.because.as_ref().or(self.reasons.first());
        match (reason, &rule.when) {
            (Some(reason), _) => format!(", because {}", phrase(reason)),
            (None, Some(when)) => format!(" (when {})", condition(when)),
            (None, None) => String::new(),
        }
    }

    /// What a rule of presence says when it is broken: that the field *is required*, and why.
    pub(in crate::derive) fn message(&self, rule: &Rule, what: &str) -> String {
        match (&rule.because, &rule.when) {
            (Some(reason), _) => format!("{what}, because {}", phrase(reason)),
            (None, Some(when)) => format!("{what} when {}", condition(when)),
            (None, None) => what.to_owned(),
        }
    }

    /// Sentences for the description in the schema. `noted` says what a rule of presence asks for.
    pub(in crate::derive) fn notes(
        &self,
        noted: impl Fn(&What) -> Option<&'static str>,
    ) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        let rules = self.rules.iter().filter_map(|rule| match (noted(&rule.what), &rule.because) {
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

/// A condition comes with a rule, and rules of presence come with a condition.
fn check_condition(group: &Group, errors: &Errors) {
    if group.is_broken {
        return;
    }
    let when = group.flag("when");
    let presence = ["required", "absent"].map(|key| group.flag(key));
    let has_rule = group.find("check").next().is_some() || presence.iter().any(Option::is_some);
    if let (Some(when), false) = (when, has_rule) {
        errors.add_with_help(
            when.span(),
            "`when` without a rule",
            "say what holds then: `required`, `absent` or `check = path`",
        );
    }
    for key in presence.into_iter().flatten().filter(|_| when.is_none()) {
        let always = match key == "required" {
            true => {
                "a field that is always required is no `Option`, or has `#[schemars(length(min = 1))]`"
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

/// Nothing is required and absent at once.
fn check_contradiction(group: &Group, errors: &Errors) {
    if let (Some(_), Some(absent)) = (group.flag("required"), group.flag("absent")) {
        errors.add_with_help(
            absent.span(),
            "`required` and `absent` under one condition",
            "give each a `#[cot(…)]` and a condition of its own",
        );
    }
}

/// The condition in words: the expression, with the names of the fields alone.
fn condition(when: &Expr) -> String {
    let named = own::replace(quote!(#when), &|member| Some(member.clone().into()));
    format!("`{}`", whole_text(named))
}

/// A reason in the middle of a sentence.
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
