//! Makes fields from the schemas of places.

use std::sync::LazyLock;

use cot_schema::internal::{Document, Place, Product, Subschema, Types};
use serde_json::{Value, json};

use super::{
    field::{Case, Choice, Content, Field, FieldKind, List, Member, Object, Parts, TextKind},
    hints::hints,
    label,
};

/// The depth of alternatives within alternatives of one place from which on a place is edited as JSON.
const MAX_DEPTH: usize = 8;
/// The number of segments of a pointer beyond which a place is edited as JSON.
const MAX_NESTING: usize = 48;
/// The length up to which a text is entered in one line.
const SHORT: u64 = 120;

/// The maximum number of variants of a field.
const MAX_CASES: usize = 64;

static NULL: Value = Value::Null;

impl<'s> Field<'s> {
    /// Returns the field at a pointer. Beyond some depth, values are edited as JSON.
    pub(super) fn at(
        document: Document<'s>,
        parts: &[Subschema<'s>],
        (pointer, is_optional): (&str, bool),
    ) -> Self {
        match pointer.matches('/').count() > MAX_NESTING {
            true => Self::bare(FieldKind::Json),
            false => Self::new(document, parts, is_optional),
        }
    }

    /// Returns the field of the place to which these schemas apply. With `is_optional`, there may be no value.
    fn new(document: Document<'s>, parts: &[Subschema<'s>], is_optional: bool) -> Self {
        let mut field = Self::at_depth(document, parts, 0);
        if let (FieldKind::Fixed(value), true) = (&field.kind, is_optional || field.is_nullable) {
            field.kind = FieldKind::Choice(vec![Choice { value, description: None }]);
        }
        field
    }

    fn at_depth(document: Document<'s>, parts: &[Subschema<'s>], depth: usize) -> Self {
        let mut place = Place::new(document, parts);
        let text = |keyword: &str| {
            place.keyword_values(keyword).find_map(Value::as_str).filter(|text| !text.is_empty())
        };
        let (title, description) = (text("title"), text("description"));
        let default = place.keyword_values("default").next().filter(|value| !value.is_null());
        let field = if !place.flaws.is_empty() || depth > MAX_DEPTH {
            Self::bare(FieldKind::Json)
        } else if place.alternatives.is_empty() {
            plain(document, &place, parts)
        } else {
            alternatives(document, &mut place, parts, depth)
        };
        Self {
            title: title.or(field.title),
            description: description.or(field.description),
            default: default.or(field.default),
            ..field
        }
    }
}

/// The field of a place without alternatives.
fn plain<'s>(document: Document<'s>, place: &Place<'s>, parts: &[Subschema<'s>]) -> Field<'s> {
    let is_nullable = place.is_nullable;
    if let Some(options) = &place.options {
        let values = options.iter().filter(|value| !value.is_null());
        let choices: Vec<_> = values.map(|value| Choice { value, description: None }).collect();
        let is_nullable = is_nullable && choices.len() < options.len();
        return Field { is_nullable, ..Field::bare(kind_from_choices(choices)) };
    }
    let types = match place.types.without(Types::NULL) {
        types if types == Types::ALL.without(Types::NULL) => implied_types(place),
        types => types,
    };
    let decimal = Types::NUMBER.or(Types::TEXT);
    let kind = match types {
        Types::NONE if is_nullable => return Field::bare(FieldKind::Fixed(&NULL)),
        Types::TEXT => FieldKind::Text(text_kind(place)),
        types if types == decimal && place.has_any_keyword(&["pattern"]) => {
            FieldKind::Text(TextKind::Short)
        }
        Types::INTEGER => FieldKind::Number,
        types if types == Types::NUMBER => FieldKind::Number,
        Types::BOOL => FieldKind::Bool,
        Types::LIST => list(document, place),
        Types::OBJECT => object(place),
        types => kind_from_types(types, parts),
    };
    let hints = hints(place, &kind, types == Types::INTEGER);
    Field { is_nullable, hints, ..Field::bare(kind) }
}

/// Returns the kind of a field with these choices.
fn kind_from_choices(choices: Vec<Choice<'_>>) -> FieldKind<'_> {
    match choices.as_slice() {
        [] => FieldKind::Json,
        [only] => FieldKind::Fixed(only.value),
        _ => FieldKind::Choice(choices),
    }
}

/// Returns the type that the keywords of a schema without `type` are about.
fn implied_types(place: &Place<'_>) -> Types {
    let has_members = !place.properties.is_empty() || !place.required.is_empty();
    if has_members || !place.others.is_empty() || !place.patterns.is_empty() {
        return Types::OBJECT;
    }
    match place.prefix.is_empty() && place.items.is_empty() {
        true => Types::NONE,
        false => Types::LIST,
    }
}

fn text_kind(place: &Place<'_>) -> TextKind {
    match place.keyword_values("format").find_map(Value::as_str) {
        Some("date") => TextKind::Date,
        Some("email" | "idn-email") => TextKind::Email,
        Some("uri" | "url") => TextKind::Url,
        Some(_) => TextKind::Short,
        None if place.has_any_keyword(&["pattern"]) => TextKind::Short,
        None => match place.upper_limit("maxLength") {
            Some(..=SHORT) => TextKind::Short,
            _ => TextKind::Long,
        },
    }
}

fn list<'s>(document: Document<'s>, place: &Place<'s>) -> FieldKind<'s> {
    let is_closed = place.items.iter().any(|schema| *schema.schema == Value::Bool(false));
    let limit = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
    let max = place.upper_limit("maxItems").map(limit);
    let prefix = place.prefix.clone();
    let is_full = max.is_some_and(|max| max <= prefix.len() && !prefix.is_empty());
    let items = (!is_closed && !is_full).then(|| place.items.clone());
    if let Some(items) = items.as_ref().filter(|items| !items.is_empty())
        && place.keyword_values("uniqueItems").any(|said| *said == Value::Bool(true))
        && prefix.is_empty()
        && let Field { kind: FieldKind::Choice(choices), is_nullable: false, .. } =
            Field::new(document, items, false)
    {
        return FieldKind::Several(choices);
    }
    let min = limit(place.lower_limit("minItems")).max(prefix.len());
    FieldKind::List(List { prefix, items, min, max })
}

fn object<'s>(place: &Place<'s>) -> FieldKind<'s> {
    let is_never = |part: &Subschema<'_>| *part.schema == Value::Bool(false);
    let named = place.properties.iter().filter(|(_, parts)| !parts.iter().any(is_never));
    let mut members: Vec<Member<'s>> = named
        .map(|(name, parts)| Member {
            name,
            parts: parts.clone(),
            is_required: place.required.contains(name),
        })
        .collect();
    for name in &place.required {
        if !members.iter().any(|member| member.name == *name) {
            members.push(Member { name, parts: Vec::new(), is_required: true });
        }
    }
    let rest = match place.patterns.as_slice() {
        [] if place.is_closed => None,
        [] if !place.others.is_empty() || place.is_open || members.is_empty() => {
            Some(place.others.clone())
        }
        [] => None,
        [(_, schema)] if place.others.is_empty() => Some(vec![*schema]),
        _ => return FieldKind::Json,
    };
    FieldKind::Object(Object { members, rest })
}

/// The field of a place with alternatives.
fn alternatives<'s>(
    document: Document<'s>,
    place: &mut Place<'s>,
    parts: &[Subschema<'s>],
    depth: usize,
) -> Field<'s> {
    let base: Parts<'s> = parts.iter().map(|part| part.without_either()).collect();
    let own = base.len();
    let Product { cases, left_out } = place.take_cases(base);
    if !left_out.is_empty() || cases.len() > MAX_CASES {
        return Field::bare(FieldKind::Json);
    }
    let mut found = Found::default();
    for case in cases {
        if found.add(document, case, own).is_none() {
            return Field::bare(FieldKind::Json);
        }
    }
    found.into_field(document, depth)
}

/// Returns the kind of a field that accepts several types.
fn kind_from_types<'s>(types: Types, parts: &[Subschema<'s>]) -> FieldKind<'s> {
    let has = |schema: &Value| {
        let name = schema.get("type").and_then(Value::as_str).unwrap_or_default();
        types.contains(Types::from_name(name))
    };
    let has_number = types.contains(Types::NUMBER);
    let schemas = TYPES.iter().filter(|schema| has(schema));
    // All numbers include integers.
    let schemas = schemas.filter(|schema| !has_number || schema["type"] != "integer");
    let cases = schemas.map(|schema| {
        let mut parts = parts.to_vec();
        parts.push(Subschema::new(schema));
        let name = schema["type"].as_str().unwrap_or_default();
        Case {
            label: label::json_type(name).to_owned(),
            description: None,
            content: Content::Parts(parts),
        }
    });
    let cases: Vec<_> = cases.collect();
    if cases.is_empty() { FieldKind::Json } else { FieldKind::Variants(cases) }
}

static TYPES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let names = ["string", "integer", "number", "boolean", "array", "object"];
    names.iter().map(|name| json!({ "type": name })).collect()
});

/// The alternatives of a place.
#[derive(Default)]
struct Found<'s> {
    cases: Vec<Case<'s>>,
    is_nullable: bool,
}

impl<'s> Found<'s> {
    /// Adds an alternative, whose first `own` schemas are those of the place. `None` if it can't be read.
    fn add(&mut self, document: Document<'s>, case: Parts<'s>, own: usize) -> Option<()> {
        let place = Place::new(document, &case);
        if place.types == Types::NONE && !place.is_nullable {
            return Some(());
        }
        if !place.flaws.is_empty() {
            return None;
        }
        let branch = Place::new(document, case.get(own..).unwrap_or_default());
        let description = branch.keyword_values("description").find_map(Value::as_str);
        if !place.alternatives.is_empty() {
            let label = label::variant(document, &branch);
            self.cases.push(Case { label, description, content: Content::Parts(case) });
            return Some(());
        }
        if let Some(options) = &place.options {
            self.is_nullable |= options.iter().any(|value| value.is_null());
            for value in options.iter().filter(|value| !value.is_null()) {
                let label = label::value(value);
                self.cases.push(Case { label, description, content: Content::Value(value) });
            }
            return Some(());
        }
        if place.types.without(Types::NULL) == Types::NONE {
            self.is_nullable = true;
            return Some(());
        }
        let label = label::variant(document, &branch);
        self.cases.push(Case { label, description, content: Content::Parts(case) });
        Some(())
    }

    fn into_field(mut self, document: Document<'s>, depth: usize) -> Field<'s> {
        let is_nullable = self.is_nullable;
        let values = self.cases.iter().map(|case| match case.content {
            Content::Value(value) => Some(Choice { value, description: case.description }),
            Content::Parts(_) => None,
        });
        if let Some(choices) = values.collect::<Option<Vec<_>>>() {
            return Field { is_nullable, ..Field::bare(kind_from_choices(choices)) };
        }
        if let [Case { content: Content::Parts(parts), .. }] = self.cases.as_slice() {
            let field = Field::at_depth(document, parts, depth + 1);
            return Field { is_nullable: is_nullable || field.is_nullable, ..field };
        }
        make_unique(&mut self.cases);
        Field { is_nullable, ..Field::bare(FieldKind::Variants(self.cases)) }
    }
}

/// Numbers the variants whose labels are the same.
fn make_unique(cases: &mut [Case<'_>]) {
    for index in 1..cases.len() {
        let (before, rest) = cases.split_at_mut(index);
        let Some(case) = rest.first_mut() else { return };
        let same = before.iter().filter(|other| other.label == case.label).count();
        if same > 0 {
            let label = format!("{} ({})", case.label, index + 1);
            case.label = label;
        }
    }
}
