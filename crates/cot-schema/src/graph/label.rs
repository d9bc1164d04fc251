//! Names of the branches of a choice: the variants of an enum in the representations of `serde`.

use serde_json::Value;

use super::node::{Either, Label, LabelForm, Node, NodeId, Objects, Others, Types};
use crate::type_rules::TypeRules;

/// Adds labels to the choices of all nodes.
pub(super) fn add(nodes: &mut [Node], rules: &[TypeRules]) {
    for id in 0..nodes.len() {
        let Some(either) = nodes.get(id).and_then(|node| node.either.as_ref()) else { continue };
        let labelled = labelled(nodes, &either.branches, rules);
        if let Some(node) = nodes.get_mut(id) {
            node.either = Some(labelled);
        }
    }
}

fn labelled(nodes: &[Node], branches: &[NodeId], rules: &[TypeRules]) -> Either {
    let mut either = Either { branches: branches.to_vec(), ..Either::default() };
    for branch in branches {
        let Some(node) = nodes.get(*branch) else { continue };
        either.takes_text |=
            node.types.contains(Types::TEXT) && node.options.is_none() && node.either.is_none();
        for (name, form) in labels_of(nodes, node) {
            either.names.add_variant(either.labels.len(), &name, rules);
            if let LabelForm::Tag { tag, .. } = &form
                && !either.tags.contains(tag)
            {
                either.tags.push(tag.clone());
            }
            either.labels.push(Label { branch: *branch, name, form });
        }
    }
    either
}

fn labels_of(nodes: &[Node], node: &Node) -> Vec<(String, LabelForm)> {
    if let Some(options) = &node.options {
        let names = options.values.iter().filter_map(Value::as_str);
        return names.map(|name| (name.to_owned(), LabelForm::Unit)).collect();
    }
    if !node.types.contains(Types::OBJECT) || node.either.is_some() {
        return Vec::new();
    }
    tagged(nodes, &node.objects).or_else(|| keyed(&node.objects)).into_iter().collect()
}

/// Returns the label of an object with a required property that admits a single string.
fn tagged(nodes: &[Node], objects: &Objects) -> Option<(String, LabelForm)> {
    let mut properties = objects.properties.iter().filter(|property| property.is_required);
    let (tag, name) = properties.find_map(|property| {
        let options = nodes.get(property.node)?.options.as_ref()?;
        match options.values.as_slice() {
            [Value::String(name)] => Some((&property.name, name)),
            _ => None,
        }
    })?;
    let mut rest = objects.properties.iter().filter(|property| property.name != *tag);
    let content = match (rest.next(), rest.next()) {
        (Some(only), None) => Some(only.name.clone()),
        _ => None,
    };
    Some((name.clone(), LabelForm::Tag { tag: tag.clone(), content }))
}

/// Returns the label of a closed object with exactly one property, which is required.
fn keyed(objects: &Objects) -> Option<(String, LabelForm)> {
    match objects.properties.as_slice() {
        [only] if only.is_required && objects.others == Others::Closed => {
            Some((only.name.clone(), LabelForm::Key))
        }
        _ => None,
    }
}
