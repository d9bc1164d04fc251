//! Valid documents for closed schemas: nested objects, lists, maps and strings of all kinds.

use fastrand::Rng;
use serde_json::{Map, Value, json};

/// A schema with a generator of values.
pub(super) struct Kind {
    pub(super) schema: Value,
    make: fn(&mut Rng) -> Value,
}

impl Kind {
    pub(super) fn value(&self, rng: &mut Rng) -> Value {
        (self.make)(rng)
    }
}

/// Realistic strings, including characters that need escapes and text that looks like JSON.
const TEXTS: &[&str] = &[
    "Fix the login page",
    "Smith, John",
    "No, thanks",
    "He said \"yes\", and left.",
    "the \"best\" one",
    "\"Order\" #4521",
    "\"No\", thanks",
    "The 5\" and 7\", both",
    "a 27\" screen",
    "Don't stop believin'",
    "It's John's",
    "the dogs' toys, and the cats'",
    "if (x > 0) { return \"a\"; }",
    "print('hi'); x = [1, 2]",
    "const a = {\"k\": [1, 2]};",
    "SELECT * FROM t WHERE a = 'b';",
    "C:\\temp\\new\\x.txt",
    "C:\\Users\\bob\\reports",
    "\\\\server\\share\\folder",
    "^\\d+\\.\\d{2}$",
    "\\bword\\b",
    "$\\alpha + \\beta$",
    "\\frac{1}{2} \\times \\theta",
    "\\sum_{i=1}^{n} x_i",
    "# Title\n\n- one\n- two\n\n**bold** and `code`",
    "Run:\n```sh\nls -l\n```\nand look.",
    "line one\nline two",
    "a\tb",
    "<a href=\"https://a.b/c?d=e#f\">link</a>",
    "see https://example.com/a,b?c=d&e=f",
    "bob@example.com",
    "2024-01-05",
    "10:30",
    "1.2.3",
    "007",
    "1,234",
    "true",
    "null",
    "42",
    "50%",
    "$5.00",
    "",
    "n/a",
    "key: value",
    "a; b; c",
    "x = 1;",
    "(see below)",
    "[draft] text",
    "wait...",
    "and so on, ...",
    "// not a comment",
    "this /* is */ text",
    "C# and F#",
    "“so” it is",
    "„deutsch“ und ‚mehr‘",
    "«français», oui",
    "it’s fine",
    "早上好，世界",
    "结果：一切正常。",
    "「はい」と言った、そして",
    "مرحبا، كيف الحال؟",
    "नमस्ते दुनिया",
    "Привет, мир: «да»",
    "Γειά σου; ναι",
    "naïve café — ok",
    "done 🎉, next 🚀",
    "tea, coffee, and milk",
    "a, b",
    "Yes: \"a\": 1",
    "either/or",
    "f(x) = y[0]",
    "one\\ttwo",
    "LIKE '%\\_%'",
    "C:\\_tmp\\-x",
    "\\$HOME/\\*.txt \\# 5\\%",
    "a,",
    ",",
    ", ",
    ":",
    "a:",
    "}, {",
    "], [",
    "\": \"",
    "\", \"",
    "'",
    "\"",
    "well, \"yes\", he said",
    "\"yes\", \"no\"",
    "No, \"thanks\"",
    "$1,299.99",
    "1,299 people",
];

const WORDS: &[&str] =
    &["red", "light green", "k1", "k-2", "web", "auth", "Anna", "de-CH", "v2", "north"];

const OPTIONS: [&str; 3] = ["low", "in_progress", "drop_everything"];

fn text(rng: &mut Rng) -> String {
    TEXTS[rng.usize(..TEXTS.len())].to_owned()
}

fn plain(rng: &mut Rng) -> String {
    loop {
        let text = text(rng);
        if text.len() > 5 {
            return text;
        }
    }
}

fn word(rng: &mut Rng) -> &'static str {
    WORDS[rng.usize(..WORDS.len())]
}

fn option(rng: &mut Rng) -> &'static str {
    OPTIONS[rng.usize(..OPTIONS.len())]
}

fn some<T>(rng: &mut Rng, max: usize, make: impl Fn(&mut Rng) -> T) -> Vec<T> {
    (0..rng.usize(1..=max)).map(|_| make(rng)).collect()
}

fn number(rng: &mut Rng) -> Value {
    match rng.u8(..4) {
        0 => json!(rng.i32(-50..5000)),
        1 => json!(f64::from(rng.i32(-800..8000)) / 8.0),
        2 => json!(1_112_954),
        _ => json!(rng.u8(..20)),
    }
}

fn closed(properties: &Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn list(of: &Value) -> Value {
    json!({ "type": "array", "items": of })
}

/// Generates an object whose members are present at random.
fn object(members: Vec<(&str, Option<Value>)>) -> Value {
    let there = members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(there.collect::<Map<_, _>>())
}

/// Returns all kinds of documents.
pub(super) fn kinds() -> Vec<Kind> {
    let mut kinds = with_parts();
    kinds.extend(plain_kinds());
    kinds
}

fn type_schema(name: &str) -> Value {
    json!({ "type": name })
}

fn map() -> Value {
    json!({ "type": "object", "additionalProperties": { "type": "string" } })
}

/// Nested objects and lists of objects.
fn with_parts() -> Vec<Kind> {
    let (string, number, whole) =
        (type_schema("string"), type_schema("number"), type_schema("integer"));
    let options = json!({ "enum": OPTIONS });
    let address = closed(
        &json!({ "street": string, "city": string, "zip": string }),
        &["street", "city", "zip"],
    );
    let item = closed(
        &json!({ "sku": string, "quantity": whole, "price": number }),
        &["sku", "quantity", "price"],
    );
    let order = json!({
        "id": string, "address": address, "items": list(&item), "notes": map(),
        "total": number, "paid": type_schema("boolean"),
    });
    let finding = closed(
        &json!({ "line": whole, "severity": options, "message": string, "fix": string }),
        &["line", "severity", "message"],
    );
    let review = json!({ "file": string, "summary": string, "findings": list(&finding) });
    let answer = closed(
        &json!({ "question": string, "answer": string, "sure": type_schema("boolean") }),
        &["question", "answer", "sure"],
    );
    let required = ["id", "address", "items", "notes", "total", "paid"];
    vec![
        Kind { schema: closed(&order, &required), make: self::order },
        Kind { schema: closed(&review, &["file", "summary", "findings"]), make: self::review },
        Kind { schema: list(&answer), make: |rng| some(rng, 4, question).into() },
    ]
}

/// Flat objects, lists, and a single string.
fn plain_kinds() -> Vec<Kind> {
    let (string, whole) = (type_schema("string"), type_schema("integer"));
    let ticket = json!({
        "title": string, "priority": { "enum": OPTIONS }, "tags": list(&string),
        "minutesNeeded": whole, "assignee": { "type": ["string", "null"] }, "due_date": string,
    });
    let steps = json!({ "steps": list(&string), "count": whole, "country": string });
    let code = json!({ "code": string, "lang": string });
    let point = json!({
        "point": list(&type_schema("number")), "names": map(), "matrix": list(&list(&whole)),
    });
    let required = ["title", "priority", "tags", "minutesNeeded", "assignee"];
    vec![
        Kind { schema: closed(&ticket, &required), make: self::ticket },
        Kind { schema: closed(&steps, &["steps", "count", "country"]), make: self::steps },
        Kind {
            schema: closed(&code, &["code", "lang"]),
            make: |rng| json!({ "code": text(rng), "lang": word(rng) }),
        },
        Kind { schema: closed(&point, &["point", "names", "matrix"]), make: self::point },
        Kind { schema: list(&string), make: |rng| some(rng, 4, text).into() },
        Kind { schema: string, make: |rng| plain(rng).into() },
    ]
}

fn point(rng: &mut Rng) -> Value {
    json!({
        "point": some(rng, 4, number), "names": names(rng),
        "matrix": some(rng, 3, |rng| some(rng, 3, |rng| rng.i32(-5..2000))),
    })
}

fn ticket(rng: &mut Rng) -> Value {
    object(vec![
        ("title", Some(text(rng).into())),
        ("priority", Some(option(rng).into())),
        (
            "tags",
            Some(some(rng, 3, |rng| if rng.bool() { word(rng).into() } else { text(rng) }).into()),
        ),
        ("minutesNeeded", Some(rng.u16(1..3000).into())),
        ("assignee", Some(if rng.bool() { Value::Null } else { word(rng).into() })),
        ("due_date", rng.bool().then(|| "2024-05-01".into())),
    ])
}

fn order(rng: &mut Rng) -> Value {
    let item = |rng: &mut Rng| json!({ "sku": word(rng), "quantity": rng.u16(1..9000), "price": number(rng) });
    json!({
        "id": text(rng),
        "address": { "street": text(rng), "city": word(rng), "zip": "01234" },
        "items": some(rng, 3, item),
        "notes": names(rng),
        "total": number(rng),
        "paid": rng.bool(),
    })
}

fn names(rng: &mut Rng) -> Value {
    let keys = ["a", "b-c", "De", "long name", "5"];
    let members = keys.iter().filter_map(|key| rng.bool().then_some(*key)).collect::<Vec<_>>();
    members.into_iter().map(|key| (key.to_owned(), Value::from(text(rng)))).collect()
}

fn review(rng: &mut Rng) -> Value {
    let finding = |rng: &mut Rng| {
        object(vec![
            ("line", Some(rng.u16(1..2000).into())),
            ("severity", Some(option(rng).into())),
            ("message", Some(text(rng).into())),
            ("fix", rng.bool().then(|| text(rng).into())),
        ])
    };
    json!({ "file": text(rng), "summary": text(rng), "findings": some(rng, 3, finding) })
}

fn steps(rng: &mut Rng) -> Value {
    json!({ "steps": some(rng, 4, text), "count": rng.u8(..50), "country": word(rng) })
}

fn question(rng: &mut Rng) -> Value {
    json!({ "question": text(rng), "answer": plain(rng), "sure": rng.bool() })
}
