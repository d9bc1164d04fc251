//! The schema of a reply that may be a call of a tool.

use serde_json::{Map, Value, json};

use crate::tool::tool::Tool;

/// The reference to a definition, up to its name.
const DEFINITIONS: &str = "#/$defs/";

/// The keywords under which schemas have their definitions; the second is that of older drafts.
const KEYWORDS: [&str; 2] = ["$defs", "definitions"];

/// The keywords whose values are schemas by names that are no keywords.
const NAMED_SCHEMAS: [&str; 3] = ["properties", "patternProperties", "dependentSchemas"];

/// Returns a schema that accepts a reply, or a call in its JSON form.
pub(crate) fn reply_or_call(reply: &Value, tools: &[Tool]) -> Value {
    let mut definitions = Definitions::default();
    let mut choices = vec![definitions.embed(reply, "reply")];
    choices.extend(tools.iter().map(|tool| {
        let arguments = definitions.embed(&tool.schema.json, tool.name());
        json!({
            "type": "object",
            "properties": { "tool": { "const": tool.name() }, "arguments": arguments },
            "required": ["tool", "arguments"],
            "additionalProperties": false,
        })
    }));
    let mut schema = json!({ "anyOf": choices });
    if !definitions.0.is_empty() {
        schema["$defs"] = Value::Object(definitions.0);
    }
    schema
}

/// The definitions of the schemas that are part of a choice.
#[derive(Default)]
struct Definitions(Map<String, Value>);

impl Definitions {
    /// Moves the definitions of a schema here, and returns the rest. Definitions that others have the names of
    /// are renamed; `name` is the prefix.
    fn embed(&mut self, schema: &Value, name: &str) -> Value {
        let mut schema = schema.clone();
        let Some(root) = schema.as_object_mut() else {
            return schema;
        };
        // The schema is no document of its own.
        for keyword in ["$schema", "$id"] {
            root.shift_remove(keyword);
        }
        let mut own = Map::new();
        for keyword in KEYWORDS {
            if let Some(Value::Object(definitions)) = root.shift_remove(keyword) {
                own.extend(definitions);
            }
        }
        let root = self.free_name(&format!("{name}_root"), &own);
        let mut places = Places { root, renamed: None, refers_to_root: false };
        let is_taken =
            own.iter().any(|(name, own)| self.0.get(name).is_some_and(|other| other != own));
        if is_taken {
            places.renamed = Some(self.free_prefix(name, &own));
        }
        places.redirect(&mut schema);
        own.values_mut().for_each(|definition| places.redirect(definition));
        self.0.extend(own.into_iter().map(|(name, schema)| (places.new_name(&name), schema)));
        if !places.refers_to_root {
            return schema;
        }
        let reference = format!("{DEFINITIONS}{}", places.root);
        self.0.insert(places.root, schema);
        json!({ "$ref": reference })
    }

    fn free_name(&self, name: &str, own: &Map<String, Value>) -> String {
        let mut name = name.to_owned();
        while self.0.contains_key(&name) || own.contains_key(&name) {
            name.push('_');
        }
        name
    }

    /// Returns a prefix with which none of the names is taken.
    fn free_prefix(&self, name: &str, own: &Map<String, Value>) -> String {
        let mut prefix = format!("{name}_");
        while own.keys().any(|own| self.0.contains_key(&format!("{prefix}{own}"))) {
            prefix.push('_');
        }
        prefix
    }
}

/// Where the targets of the references of a schema are in the choice.
struct Places {
    /// The name of the definition that the root becomes if there is a reference to it.
    root: String,
    /// The prefix of all definitions, if they are renamed.
    renamed: Option<String>,
    refers_to_root: bool,
}

impl Places {
    fn new_name(&self, name: &str) -> String {
        match &self.renamed {
            Some(prefix) => format!("{prefix}{name}"),
            None => name.to_owned(),
        }
    }

    /// Changes the references in a schema, but not in values that it contains.
    fn redirect(&mut self, schema: &mut Value) {
        match schema {
            Value::Object(members) => {
                for (keyword, value) in members {
                    match (keyword.as_str(), &mut *value) {
                        ("$ref", Value::String(reference)) => self.redirect_one(reference),
                        ("const" | "enum" | "default" | "examples", _) => {}
                        (keyword, Value::Object(named)) if NAMED_SCHEMAS.contains(&keyword) => {
                            named.values_mut().for_each(|schema| self.redirect(schema));
                        }
                        _ => self.redirect(value),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.redirect(item)),
            _ => {}
        }
    }

    fn redirect_one(&mut self, reference: &mut String) {
        let Some(path) = reference.strip_prefix('#').filter(|path| is_pointer(path)) else {
            return;
        };
        let definition = KEYWORDS
            .iter()
            .find_map(|keyword| path.strip_prefix('/')?.strip_prefix(keyword)?.strip_prefix('/'));
        *reference = match definition {
            Some(name) => format!("{DEFINITIONS}{}", self.new_name(name)),
            None => {
                self.refers_to_root = true;
                format!("{DEFINITIONS}{}{path}", self.root)
            }
        };
    }
}

/// Returns whether the part of a reference after `#` is a path, and not the name of an anchor.
fn is_pointer(path: &str) -> bool {
    path.is_empty() || path.starts_with('/')
}
