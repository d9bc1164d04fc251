//! What templates and expressions use.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Expr, ExprCall, ExprField, ExprMethodCall, ExprPath, Macro, PatIdent,
    visit::{self, Visit},
};

use super::Model;
use crate::syntax::Template;

/// Where a template stands, which decides what it sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The goal, rendered once at the start of a run.
    Goal,
    /// Any other text.
    Prompt,
}

/// A template of a process and where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TemplateUse<'a> {
    pub(crate) template: &'a Template,
    pub(crate) role: Role,
    /// Index of the part that it defines.
    pub(crate) part: Option<usize>,
}

impl<'a> Model<'a> {
    /// Every template of the process.
    pub(crate) fn templates(&self) -> Vec<TemplateUse<'a>> {
        let items = &self.syntax.items;
        let prompt =
            |template: &'a Template| TemplateUse { template, role: Role::Prompt, part: None };
        let mut uses = Vec::new();
        uses.extend(
            items.goal.iter().map(|item| TemplateUse { role: Role::Goal, ..prompt(&item.value) }),
        );
        uses.extend(items.intro.iter().chain(&items.system).map(|item| prompt(&item.value)));
        uses.extend(
            self.parts
                .iter()
                .enumerate()
                .map(|(index, part)| TemplateUse { part: Some(index), ..prompt(&part.template) }),
        );
        uses.extend(self.primers.iter().map(|part| prompt(&part.template)));
        for task in &self.tasks {
            let items = &task.syntax.items;
            let own = [&items.prompt, &items.full_prompt, &items.errors_primer, &items.fail];
            uses.extend(own.into_iter().flatten().map(|item| prompt(&item.value)));
            let labels = task.transitions.iter().filter_map(|edge| edge.syntax.label.as_ref());
            uses.extend(labels.map(prompt));
        }
        uses
    }

    /// Every expression outside templates: guards and right sides of updates.
    pub(crate) fn expressions(&self) -> Vec<&'a Expr> {
        let mut expressions = Vec::new();
        for task in &self.tasks {
            expressions
                .extend(task.transitions.iter().filter_map(|edge| edge.syntax.guard.as_ref()));
            expressions.extend(task.next.iter().filter_map(|edge| edge.syntax.guard.as_ref()));
            if let Some(update) = &task.syntax.items.update {
                expressions
                    .extend(update.value.writes.iter().filter_map(|write| write.value.as_ref()));
            }
        }
        expressions
    }
}

/// The names that an expression uses without binding them itself.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// Plain names in the place of a value.
    pub(crate) variables: Vec<Ident>,
    /// Those of them whose fields or methods are used, or that are the whole expression.
    pub(crate) bases: Vec<Ident>,
    /// Plain names that are called.
    pub(crate) calls: Vec<Ident>,
    /// Arguments of `part(…)`.
    pub(crate) parts: Vec<Expr>,
    bound: Vec<Ident>,
}

impl Uses {
    pub(crate) fn of(expr: &Expr) -> Self {
        let mut uses = Self::default();
        uses.base(expr);
        uses.visit_expr(expr);
        let bound = std::mem::take(&mut uses.bound);
        uses.variables.retain(|name| !bound.contains(name));
        uses.bases.retain(|name| !bound.contains(name));
        uses
    }

    fn base(&mut self, expr: &Expr) {
        if let Expr::Path(path) = expr {
            self.bases.extend(path.path.get_ident().cloned());
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_expr_path(&mut self, expr: &'ast ExprPath) {
        self.variables.extend(expr.path.get_ident().cloned());
    }

    fn visit_expr_field(&mut self, expr: &'ast ExprField) {
        self.base(&expr.base);
        visit::visit_expr_field(self, expr);
    }

    fn visit_expr_method_call(&mut self, expr: &'ast ExprMethodCall) {
        self.base(&expr.receiver);
        visit::visit_expr_method_call(self, expr);
    }

    fn visit_expr_call(&mut self, expr: &'ast ExprCall) {
        let called = match &*expr.func {
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        match called {
            Some(name) if name == "part" => {
                self.calls.push(name.clone());
                self.parts.extend(expr.args.iter().cloned());
            }
            Some(name) => {
                self.calls.push(name.clone());
                expr.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            None => visit::visit_expr_call(self, expr),
        }
    }

    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.bound.push(pattern.ident.clone());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        names_in_macro(call.tokens.clone(), &mut self.variables);
    }
}

/// The names in a macro's tokens that may be variables, and those that its format strings capture.
fn names_in_macro(tokens: TokenStream, names: &mut Vec<Ident>) {
    let mut after_dot = false;
    for token in tokens {
        match token {
            TokenTree::Ident(name) if !after_dot => names.push(name),
            TokenTree::Group(group) => names_in_macro(group.stream(), names),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let captured = text.split('{').skip(1).filter_map(|rest| {
                    let end = rest.find(['}', ':'])?;
                    syn::parse_str::<Ident>(&rest[..end]).ok()
                });
                names.extend(captured.map(|mut name| {
                    name.set_span(literal.span());
                    name
                }));
                after_dot = false;
                continue;
            }
            TokenTree::Punct(punct) => {
                after_dot = punct.as_char() == '.';
                continue;
            }
            TokenTree::Ident(_) => {}
        }
        after_dot = false;
    }
}

/// Whether an expression uses a variable of this name; the generated code binds only what is used.
pub(crate) fn mentions(expr: &Expr, name: &str) -> Option<Ident> {
    Uses::of(expr).variables.into_iter().find(|variable| variable == name)
}

/// Whether two pieces of syntax are written with the same tokens.
pub(crate) fn same_tokens(a: &impl ToTokens, b: &impl ToTokens) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}
