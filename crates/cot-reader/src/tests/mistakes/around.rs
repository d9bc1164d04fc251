//! Mistakes around the JSON.

use fastrand::Rng;

use super::{
    Mistake,
    Right::{Read, Refused},
    page::{Is, Page},
};

pub(super) const ALL: &[Mistake] = &[
    Mistake("fence", Read, |page, rng| {
        let language = pick(rng, &["json", "", "JSON", "json5", "javascript", "python"]);
        Some(format!("```{language}\n{}\n```", page.json()))
    }),
    Mistake("fence in prose", Read, |page, rng| {
        Some(format!("{}\n\n```json\n{}\n```\n\n{}", before(rng), page.json(), after(rng)))
    }),
    Mistake("fence without end", Read, |page, rng| {
        let start = pick(rng, &["", "Here it is:\n"]);
        Some(format!("{start}```json\n{}", page.json()))
    }),
    Mistake("fence without start", Read, |page, _| Some(format!("{}\n```", page.json()))),
    Mistake("prose before", Read, |page, rng| {
        structured(page, format!("{}\n{}", before(rng), page.json()))
    }),
    Mistake("prose after", Read, |page, rng| {
        structured(page, format!("{}\n\n{}", page.json(), after(rng)))
    }),
    Mistake("prose around, one line", Read, |page, rng| {
        let text = format!("{} {} {}", before(rng), page.json(), after(rng));
        (!page.is_pretty).then_some(text).and_then(|text| structured(page, text))
    }),
    Mistake("thoughts", Read, |page, rng| {
        let tag = pick(rng, &["think", "thinking", "reasoning"]);
        let draft = page.json();
        let draft = draft.get(..draft.floor_char_boundary(draft.len() / 2)).unwrap();
        Some(format!("<{tag}>Maybe {draft}? No.</{tag}>\n{}", page.json()))
    }),
    Mistake("answer tags", Read, |page, rng| {
        let tag = pick(rng, &["json", "answer", "output", "result", "response"]);
        Some(format!("<{tag}>\n{}\n</{tag}>", page.json()))
    }),
    Mistake("a call", Read, |page, rng| {
        let (start, end) =
            *rng.choice(&[("callback(", ");"), ("cb(", ")"), ("render(\n", "\n);")]).unwrap();
        Some(format!("{start}{}{end}", page.json()))
    }),
    Mistake("an assignment", Read, |page, rng| {
        let start =
            pick(rng, &["const result = ", "result = ", "return ", "export default ", "let x ="]);
        Some(format!("{start}{};", page.json()))
    }),
    Mistake("a mark at the end", Read, |page, rng| {
        let mark = pick(rng, &[";", ",", ".", " ;", ",\n"]);
        Some(format!("{}{mark}", page.json()))
    }),
    Mistake("the language alone", Read, |page, _| Some(format!("json\n{}", page.json()))),
    Mistake("a label", Read, |page, rng| {
        let label = pick(rng, &["JSON: ", "Output:\n", "**Answer:**\n", "Answer: "]);
        Some(format!("{label}{}", page.json()))
    }),
    Mistake("a byte-order mark", Read, |page, _| Some(format!("\u{feff}{}", page.json()))),
    Mistake("JSON as a text", Read, |page, _| {
        structured(page, serde_json::Value::from(page.json()).to_string())
    }),
    Mistake("escaped JSON", Read, |page, _| {
        let json = page.json().replace('\\', "\\\\").replace('"', "\\\"");
        structured(page, json)
    }),
    Mistake("the same again", Read, |page, rng| {
        let between = pick(rng, &["\n\nAgain:\n", "\n", "\n\nSo the answer is ", "\n\n---\n\n"]);
        let json = page.json();
        structured(page, format!("{json}{between}{json}"))
    }),
    Mistake("wrapped", Read, |page, rng| {
        let key = pick(rng, &["result", "answer", "output", "data"]);
        is_object(page).then(|| format!("{{\"{key}\": {}}}", page.json()))
    }),
    Mistake("a list of one", Read, |page, _| is_object(page).then(|| format!("[{}]", page.json()))),
    Mistake("values in the shape of the schema", Read, |page, rng| {
        is_object(page).then(|| in_schema(&page.json(), rng))
    }),
    Mistake("a part in the shape of its schema", Read, |page, rng| {
        let at = page.any(rng, |token| token.text == "{")?;
        let end = page.end(at) + 1;
        let key = at.checked_sub(1).and_then(|before| page.beside(before, -1));
        // A map may have such keys.
        let is_map =
            key.is_some_and(|key| matches!(page.tokens[key].raw.as_str(), "notes" | "names"));
        (!is_map).then(|| {
            let part = in_schema(&page.slice(at, end), rng);
            format!("{}{part}{}", page.slice(0, at), page.slice(end, page.tokens.len()))
        })
    }),
    Mistake("the schema of the values", Refused, |page, _| {
        let value: serde_json::Value = serde_json::from_str(&page.json()).ok()?;
        is_object(page).then(|| schema_of(&value).to_string())
    }),
    Mistake("the schema before the values", Read, |page, _| {
        let value: serde_json::Value = serde_json::from_str(&page.json()).ok()?;
        let json = page.json();
        is_object(page).then(|| format!("{}\n\n```json\n{json}\n```", schema_of(&value)))
    }),
    Mistake("items on lines", Read, |page, rng| {
        let lines = items(page)?.join("\n");
        Some(match rng.u8(..4) {
            0 => format!("```json\n{lines}\n```"),
            1 => format!("```jsonl\n{lines}\n```"),
            _ => lines,
        })
    }),
    Mistake("equal items on lines", Read, |page, rng| {
        // The document itself must contain them twice.
        let items = items(page)?;
        let is_twice = items.len() > 1 && items.windows(2).all(|two| two[0] == two[1]);
        is_twice.then(|| items.join(pick(rng, &["\n", ",\n", "\n\n"])))
    }),
    Mistake("items on lines in prose", Read, |page, rng| {
        Some(format!("{}\n{}\n{}", before(rng), items(page)?.join("\n"), after(rng)))
    }),
    Mistake("items without brackets", Read, |page, _| Some(items(page)?.join(",\n"))),
    Mistake("quotes of HTML", Read, |page, _| {
        structured(
            page,
            page.json()
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('"', "&quot;"),
        )
    }),
    Mistake("another draft", Refused, |page, rng| {
        let at = page.any(rng, |token| token.is == Is::Text && token.raw.len() > 3)?;
        let json = page.json();
        let other = page.with(at, "\"something else\"");
        // A string that must be an option is not free text.
        (is_object(page) && other != json).then(|| format!("{json}\nor\n{other}"))
    }),
];

fn pick<'t>(rng: &mut Rng, all: &[&'t str]) -> &'t str {
    all[rng.usize(..all.len())]
}

fn before(rng: &mut Rng) -> &'static str {
    pick(
        rng,
        &[
            "Sure! Here is the JSON you asked for:",
            "Here's the answer, as described in [1]:",
            "I've followed the format {like this}.",
            "Based on the text (see above), it is",
            "当然，以下是结果：",
            "Let me think. The user said \"no\", so:",
            "Note: it's done.",
        ],
    )
}

fn after(rng: &mut Rng) -> &'static str {
    pick(
        rng,
        &[
            "Let me know if you need anything else!",
            "I hope this helps. See [1] and [2].",
            "Note: the values are {approximate}.",
            "(I left nothing out.)",
            "Is there anything else?",
            "- Done",
            "It's what you wanted, isn't it?",
        ],
    )
}

/// Writes the values of an object as the properties of its schema.
fn in_schema(object: &str, rng: &mut Rng) -> String {
    let before =
        pick(rng, &["\"type\": \"object\", ", "\"title\": \"T\", \"type\": \"object\", ", ""]);
    let after =
        pick(rng, &["", ", \"required\": []", ", \"additionalProperties\": false, \"$defs\": {}"]);
    format!("{{{before}\"properties\": {object}{after}}}")
}

/// Returns a schema of a value.
fn schema_of(value: &serde_json::Value) -> serde_json::Value {
    use serde_json::{Value, json};
    match value {
        Value::Null => json!({ "type": ["string", "null"] }),
        Value::Bool(_) => json!({ "type": "boolean" }),
        Value::Number(_) => json!({ "type": "number" }),
        Value::String(_) => json!({ "type": "string" }),
        Value::Array(items) => json!({ "type": "array", "items": items.first().map(schema_of) }),
        Value::Object(members) => {
            let of = |(key, value): (&String, &Value)| (key.clone(), schema_of(value));
            let properties: serde_json::Map<_, _> = members.iter().map(of).collect();
            json!({ "type": "object", "properties": properties })
        }
    }
}

/// Applies only to documents with brackets.
fn structured(page: &Page, text: String) -> Option<String> {
    (page.tokens[0].is == Is::Open).then_some(text)
}

fn is_object(page: &Page) -> bool {
    page.tokens[0].text == "{"
}

/// Formats each object of a list on a line of its own.
fn items(page: &Page) -> Option<Vec<String>> {
    let value: serde_json::Value = serde_json::from_str(&page.json()).ok()?;
    let items = value.as_array()?;
    let is_list = items.len() > 1 && items.iter().all(serde_json::Value::is_object);
    is_list.then(|| items.iter().map(ToString::to_string).collect())
}
