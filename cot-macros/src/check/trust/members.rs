//! The members of the state's JSON that can hold private values.

use cot_syntax::StateField;
use syn::{Expr, ExprLit, Lit, Token, ext::IdentExt as _, meta::ParseNestedMeta, token::Paren};

use super::{facts::Fact, flow::Flow, marks::Mark};
use crate::{check::proof::sites::Sites, model::Model};

/// Stands for a member whose name is not known here.
const ANY: &str = "*";

/// Returns the names in the JSON of the private fields, and of those to which tasks write what is made of them.
pub(crate) fn private_members(model: &Model<'_>) -> Vec<String> {
    let flow = Flow::new(model, &Sites::from_model(model), Mark::Private);
    let is_written = |field| {
        let fact = Fact::Written(field);
        (0..=model.tasks.len()).any(|task| flow.holds(task, fact))
    };
    let fields = model.state_fields().iter().enumerate();
    let private = fields.filter(|(index, field)| field.is_private() || is_written(*index));
    private.map(|(_, field)| member(field)).collect()
}

/// Returns the name of a field in the JSON of the state, as its attributes of serde say.
fn member(field: &StateField) -> String {
    let mut name = field.name.unraw().to_string();
    for attribute in &field.attributes {
        if attribute.path().is_ident("serde") {
            // Other errors are left for serde to report.
            let _ = attribute.parse_nested_meta(|meta| read_key(&meta, false, &mut name));
        } else if attribute.path().is_ident("cfg_attr") {
            ANY.clone_into(&mut name);
        }
    }
    name
}

fn read_key(meta: &ParseNestedMeta<'_>, renames: bool, name: &mut String) -> syn::Result<()> {
    let is_rename = meta.path.is_ident("rename");
    if meta.input.peek(Paren) {
        return meta.parse_nested_meta(|inner| read_key(&inner, is_rename, name));
    }
    if !meta.input.peek(Token![=]) {
        if meta.path.is_ident("flatten") {
            ANY.clone_into(name);
        }
        return Ok(());
    }
    let value: Expr = meta.value()?.parse()?;
    if let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = value
        && (is_rename || renames && meta.path.is_ident("serialize"))
    {
        *name = text.value();
    }
    Ok(())
}
