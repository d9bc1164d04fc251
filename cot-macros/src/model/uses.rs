//! Finds the names that an expression uses.

use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Expr, ExprBinary, ExprCall, ExprClosure, ExprField, ExprIndex, ExprLet, ExprMatch,
    ExprMethodCall, ExprPath, ExprReference, ExprReturn, ExprTry, ExprUnary, Macro, Member,
    PatIdent,
    visit::{self, Visit},
};

/// The helpers of templates.
pub(crate) const HELPERS: &[&str] =
    &["json", "json_pretty", "part", "list", "quoted", "image", "document"];

/// The names that an expression uses.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// Plain names that are used as values.
    variables: Vec<Ident>,
    /// The variables that can't be functions: operands, or the whole expression.
    operands: Vec<Ident>,
    /// The variables whose fields or methods are used.
    receivers: Vec<Ident>,
    /// Names that patterns in the expression bind.
    bound: Vec<Ident>,
    /// Possible variables in the tokens of macros. Only rustc can tell whether they are variables.
    in_macros: Vec<Ident>,
    /// Plain names that are called, with the number of arguments.
    pub(crate) calls: Vec<(Ident, usize)>,
    /// Plain names that are called in the tokens of a macro.
    pub(crate) calls_in_macros: Vec<Ident>,
    /// Arguments of `part(…)`.
    pub(crate) parts: Vec<Expr>,
    /// The `return` and `?` that would leave the generated function.
    pub(crate) exits: Vec<Exit>,
}

/// `return` or `?`.
#[derive(Debug)]
pub(crate) struct Exit {
    pub(crate) word: &'static str,
    pub(crate) span: Span,
    /// The field in `state.field?`, which is not an exit if the field can be unset.
    pub(crate) field: Option<Ident>,
}

impl Uses {
    pub(crate) fn from_expr(expr: &Expr) -> Self {
        let mut uses = Self::default();
        uses.operand(expr);
        uses.visit_expr(expr);
        uses
    }

    /// Returns the names that patterns in an expression bind.
    pub(crate) fn bound_in(expr: &Expr) -> Vec<Ident> {
        Self::from_expr(expr).bound
    }

    /// Returns the variables that no pattern in the expression binds.
    pub(crate) fn free_variables(&self) -> impl Iterator<Item = &Ident> {
        self.variables.iter().filter(|name| !self.bound.contains(name))
    }

    /// Returns whether the expression may use a variable that it does not bind.
    pub(crate) fn may_use(&self, name: &Ident) -> bool {
        self.free_variables().chain(&self.in_macros).any(|used| used == name)
    }

    /// Returns the free variables that can't be functions, and whether their fields or methods are used.
    pub(crate) fn free_values(&self) -> impl Iterator<Item = (&Ident, bool)> {
        let operands = self.operands.iter().map(|name| (name, false));
        let all = operands.chain(self.receivers.iter().map(|name| (name, true)));
        all.filter(|(name, _)| !self.bound.contains(name))
    }

    /// Returns the place where a pattern in the expression binds a name.
    pub(crate) fn binding(&self, name: &str) -> Option<&Ident> {
        self.bound.iter().find(|bound| *bound == name)
    }

    /// Returns whether a pattern in the expression binds a name.
    pub(crate) fn binds(&self, name: &Ident) -> bool {
        self.bound.contains(name)
    }

    fn operand(&mut self, expr: &Expr) {
        self.operands.extend(variable(expr));
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_expr_path(&mut self, expr: &'ast ExprPath) {
        self.variables.extend(expr.path.get_ident().cloned());
    }

    fn visit_expr_field(&mut self, expr: &'ast ExprField) {
        self.receivers.extend(variable(&expr.base));
        visit::visit_expr_field(self, expr);
    }

    fn visit_expr_method_call(&mut self, expr: &'ast ExprMethodCall) {
        self.receivers.extend(variable(&expr.receiver));
        visit::visit_expr_method_call(self, expr);
    }

    fn visit_expr_call(&mut self, expr: &'ast ExprCall) {
        let called = match &*expr.func {
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        let Some(name) = called else { return visit::visit_expr_call(self, expr) };
        self.calls.push((name.clone(), expr.args.len()));
        if name == "part" {
            self.parts.extend(expr.args.iter().cloned());
        } else {
            // What a helper shows is a value, while a function of the user may take a function.
            if HELPERS.iter().any(|helper| name == helper) {
                expr.args.iter().for_each(|argument| self.operand(argument));
            }
            expr.args.iter().for_each(|argument| self.visit_expr(argument));
        }
    }

    fn visit_expr_binary(&mut self, expr: &'ast ExprBinary) {
        self.operand(&expr.left);
        self.operand(&expr.right);
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast ExprUnary) {
        self.operand(&expr.expr);
        visit::visit_expr_unary(self, expr);
    }

    fn visit_expr_index(&mut self, expr: &'ast ExprIndex) {
        self.operand(&expr.expr);
        self.operand(&expr.index);
        visit::visit_expr_index(self, expr);
    }

    fn visit_expr_reference(&mut self, expr: &'ast ExprReference) {
        self.operand(&expr.expr);
        visit::visit_expr_reference(self, expr);
    }

    fn visit_expr_let(&mut self, expr: &'ast ExprLet) {
        self.operand(&expr.expr);
        visit::visit_expr_let(self, expr);
    }

    fn visit_expr_match(&mut self, expr: &'ast ExprMatch) {
        self.operand(&expr.expr);
        visit::visit_expr_match(self, expr);
    }

    fn visit_expr_closure(&mut self, expr: &'ast ExprClosure) {
        // A `return` or `?` in a closure does not leave the expression.
        let exits = std::mem::take(&mut self.exits);
        visit::visit_expr_closure(self, expr);
        self.exits = exits;
    }

    fn visit_expr_return(&mut self, expr: &'ast ExprReturn) {
        let span = expr.return_token.span;
        self.exits.push(Exit { word: "return", span, field: None });
        visit::visit_expr_return(self, expr);
    }

    fn visit_expr_try(&mut self, expr: &'ast ExprTry) {
        let span = expr.question_token.span;
        self.operand(&expr.expr);
        self.exits.push(Exit { word: "?", span, field: field_of_state(&expr.expr).cloned() });
        visit::visit_expr_try(self, expr);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.bound.push(pattern.ident.clone());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.look_into_macro(call.tokens.clone());
    }
}

impl Uses {
    /// Collects the names in the tokens of a macro that may be variables or calls, and those that its format
    /// strings may capture.
    fn look_into_macro(&mut self, tokens: TokenStream) {
        let mut before = None;
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match &token {
                TokenTree::Ident(name) if before != Some('.') => {
                    let call = matches!(tokens.peek(), Some(TokenTree::Group(group))
                        if group.delimiter() == Delimiter::Parenthesis);
                    let names = if call && before != Some(':') {
                        &mut self.calls_in_macros
                    } else {
                        &mut self.in_macros
                    };
                    names.push(name.clone());
                }
                TokenTree::Group(group) => self.look_into_macro(group.stream()),
                TokenTree::Literal(literal) => self.in_macros.extend(captured(literal)),
                _ => {}
            }
            before = match token {
                TokenTree::Punct(punct) => Some(punct.as_char()),
                _ => None,
            };
        }
    }
}

/// Returns the variable that is the whole expression.
fn variable(expr: &Expr) -> Option<Ident> {
    match expr {
        Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    }
}

/// Returns the field in `state.field`.
fn field_of_state(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Field(ExprField { base, member: Member::Named(field), .. }) => {
            matches!(&**base, Expr::Path(path) if path.path.is_ident("state")).then_some(field)
        }
        Expr::Paren(inner) => field_of_state(&inner.expr),
        _ => None,
    }
}

/// Returns the names in braces in a string literal.
fn captured(literal: &Literal) -> impl Iterator<Item = Ident> {
    let (text, span) = (literal.to_string(), literal.span());
    let names: Vec<_> = text
        .split('{')
        .skip(1)
        .filter_map(|rest| syn::parse_str::<Ident>(&rest[..rest.find(['}', ':'])?]).ok())
        .collect();
    names.into_iter().map(move |mut name| {
        name.set_span(span);
        name
    })
}

/// Finds a possible use of a variable in an expression. Generated code binds only the variables that are
/// found.
pub(crate) fn find_mention(expr: &Expr, name: &str) -> Option<Ident> {
    let uses = Uses::from_expr(expr);
    uses.variables.into_iter().chain(uses.in_macros).find(|variable| variable == name)
}

/// Returns whether two syntax nodes consist of the same tokens.
pub(crate) fn same_tokens(a: &impl ToTokens, b: &impl ToTokens) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}

/// Returns the variable with which a place begins, such as `state` in `state.a.b`.
pub(crate) fn root_of_place(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => root_of_place(&field.base),
        Expr::Index(index) => root_of_place(&index.expr),
        Expr::Try(optional) => root_of_place(&optional.expr),
        Expr::Paren(inner) => root_of_place(&inner.expr),
        Expr::Group(inner) => root_of_place(&inner.expr),
        _ => None,
    }
}
