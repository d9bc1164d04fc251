//! Types of every form that `serde` and `schemars` support.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
};

use cot_core::{OutputSchema, model::ReplySchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A type under test: its schema, and whether it reads a matching value.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) schema: OutputSchema,
    pub(crate) read: fn(Value) -> Result<(), String>,
}

impl Case {
    fn for_type<T: JsonSchema + DeserializeOwned>(name: &'static str) -> Self {
        let read = |value| match serde_json::from_value::<T>(value) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        };
        Self { name, schema: OutputSchema::for_type::<T>(), read }
    }

    pub(crate) fn reply_schema(&self) -> Arc<ReplySchema> {
        Arc::new(ReplySchema { name: self.name.to_owned(), json: self.schema.json().clone() })
    }

    /// Deserializes a reply.
    pub(crate) fn read(&self, reply: &Value) -> Result<(), String> {
        let is_wrapped = self.schema.json()["required"] == serde_json::json!(["value"])
            && self.schema.json().get("title").is_none();
        (self.read)(if is_wrapped { reply["value"].clone() } else { reply.clone() })
    }
}

/// The number of types.
pub(crate) const COUNT: usize = 26;

pub(crate) fn all() -> [Case; COUNT] {
    [
        Case::for_type::<Order>("order"),
        Case::for_type::<Field>("field"),
        Case::for_type::<Classification>("classification"),
        Case::for_type::<Tree>("tree"),
        Case::for_type::<Expression>("expression"),
        Case::for_type::<Shape>("shape"),
        Case::for_type::<Action>("action"),
        Case::for_type::<Adjacent>("adjacent"),
        Case::for_type::<Amount>("amount"),
        Case::for_type::<Flat>("flat"),
        Case::for_type::<Maps>("maps"),
        Case::for_type::<Numbers>("numbers"),
        Case::for_type::<Texts>("texts"),
        Case::for_type::<Formats>("formats"),
        Case::for_type::<Lists>("lists"),
        Case::for_type::<Tuples>("tuples"),
        Case::for_type::<Odd>("odd"),
        Case::for_type::<Category>("category"),
        Case::for_type::<Vec<Order>>("orders"),
        Case::for_type::<Option<u8>>("maybe"),
        Case::for_type::<Option<Tree>>("maybe_tree"),
        Case::for_type::<String>("string"),
        Case::for_type::<Value>("any"),
        Case::for_type::<HashMap<String, Vec<Shape>>>("shapes_by_name"),
        Case::for_type::<Result<Order, String>>("result"),
        Case::for_type::<Wrapper<Category>>("wrapper"),
    ]
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Order {
    #[schemars(regex(pattern = r"^[A-Z]-[0-9]{4}$"))]
    article: String,
    #[schemars(range(min = 1, max = 100))]
    quantity: u32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Field {
    #[schemars(regex(pattern = r"^[a-z][A-Za-z0-9]*$"), length(max = 40))]
    name: String,
    title: Option<String>,
    kind: Category,
    #[serde(default)]
    #[schemars(range(min = 1, max = 9))]
    weight: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Classification {
    #[schemars(length(max = 300))]
    reason: String,
    category: Category,
    #[schemars(length(max = 5))]
    missing: Vec<String>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Category {
    /// Invoices.
    Billing,
    /// Parcels.
    LateDelivery,
    Other,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Tree {
    value: i64,
    children: Vec<Tree>,
    extra: Option<Box<Tree>>,
}

/// Recursive through alternatives, without an optional member.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Expression {
    Add(Box<Expression>, Box<Expression>),
    Negate(Box<Expression>),
    Call { name: String, arguments: Vec<Expression> },
    Number(f64),
    Unit,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f32 },
    Ordered(Order2),
    Nothing,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Order2 {
    #[schemars(length(min = 3))]
    article: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    /// Waits.
    Wait,
    Search {
        text: String,
    },
    Draw(Shape),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Nothing,
    Some(u8),
    Both { a: bool, b: Option<char> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Amount {
    Exact(u32),
    Between { low: u32, high: u32 },
    Words(String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Flat {
    id: u16,
    #[serde(flatten)]
    shape: Shape,
    #[serde(flatten)]
    more: Option<Inner>,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Inner {
    note: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Maps {
    by_name: HashMap<String, u8>,
    by_number: BTreeMap<u32, Category>,
    by_sign: BTreeMap<i8, String>,
    #[schemars(extend("minProperties" = 2, "maxProperties" = 4))]
    some: BTreeMap<String, Inner>,
    anything: BTreeMap<String, Value>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Numbers {
    tiny: i8,
    small: u16,
    big: u64,
    long: i64,
    float: f64,
    single: f32,
    #[schemars(range(min = -1.5, max = 1.5))]
    bounded: f64,
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    open: f64,
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 2))]
    one: u8,
    #[schemars(extend("multipleOf" = 7))]
    sevens: u32,
    #[schemars(extend("multipleOf" = 0.05))]
    cents: f64,
    #[schemars(range(min = 10, max = 30), extend("multipleOf" = 0.5))]
    halves: f64,
    #[schemars(range(max = -5))]
    negative: i32,
    #[schemars(range(min = 1_000_000_000_000u64))]
    large: u64,
    nonzero: std::num::NonZeroU8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Texts {
    any: String,
    #[schemars(length(min = 3, max = 5))]
    short: String,
    #[schemars(length(equal = 7))]
    exact: String,
    #[schemars(length(min = 200))]
    long: String,
    #[schemars(regex(pattern = r"^\d{3}-[a-f]+(x|yz)?$"), length(max = 12))]
    number: String,
    #[schemars(regex(pattern = r"[0-9]"), length(min = 10))]
    holds_a_digit: String,
    #[schemars(regex(pattern = r"^[a-z]+$"), length(min = 60, max = 80))]
    long_word: String,
    #[schemars(regex(pattern = r#"^[^\s"]+@\w+\.(de|com)$"#))]
    mail: String,
    #[schemars(regex(pattern = r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}"))]
    address: String,
    #[schemars(regex(pattern = r"^\p{Lu}\p{Ll}*( \p{Lu}\p{Ll}*)*$"))]
    title: String,
    #[schemars(regex(pattern = "^$"))]
    empty: String,
    letter: char,
    #[schemars(extend("const" = "fixed"))]
    fixed: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Formats {
    #[schemars(email)]
    email: String,
    #[schemars(url)]
    url: String,
    ip: IpAddr,
    v4: Ipv4Addr,
    v6: Ipv6Addr,
    #[schemars(extend("format" = "date-time"))]
    at: String,
    #[schemars(extend("format" = "date"))]
    day: String,
    #[schemars(extend("format" = "time"))]
    time: String,
    #[schemars(extend("format" = "duration"))]
    period: String,
    #[schemars(extend("format" = "uuid"))]
    uuid: String,
    #[schemars(extend("format" = "hostname"))]
    hostname: String,
    #[schemars(extend("format" = "uri-reference"))]
    reference: String,
    #[schemars(extend("format" = "uri-template"))]
    template: String,
    #[schemars(extend("format" = "iri"))]
    iri: String,
    #[schemars(extend("format" = "json-pointer"))]
    pointer: String,
    #[schemars(extend("format" = "relative-json-pointer"))]
    relative: String,
    #[schemars(extend("format" = "regex"))]
    regex: String,
    #[schemars(extend("format" = "email"), length(max = 24))]
    short_email: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Lists {
    #[schemars(length(min = 2, max = 3))]
    few: Vec<u8>,
    set: BTreeSet<Category>,
    #[schemars(length(min = 3), extend("uniqueItems" = true))]
    all: Vec<Category>,
    #[schemars(inner(length(min = 2), regex(pattern = "^[a-z]+$")))]
    words: Vec<String>,
    #[schemars(inner(range(min = 5, max = 6)))]
    numbers: Option<Vec<u8>>,
    array: [bool; 4],
    nested: Vec<Vec<Option<u8>>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Tuples {
    pair: (u8, String),
    nested: ((bool, Category), Vec<(i8, i8)>),
    unit: (),
    newtype: Newtype,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Newtype(Order);

#[derive(Serialize, Deserialize, JsonSchema)]
struct Wrapper<T> {
    inner: T,
}

/// Keywords that types do not generate.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Odd {
    #[schemars(extend("not" = { "const": "no" }))]
    not: String,
    #[schemars(extend("contains" = { "const": 7 }))]
    lucky: Vec<u8>,
    #[schemars(extend("allOf" = [{ "minLength": 4 }, { "maxLength": 6 }]))]
    both: String,
    #[schemars(extend("enum" = [1, 2, 3], "minimum" = 2))]
    narrow: u8,
    #[schemars(extend("propertyNames" = { "pattern": "^k[0-9]$" }))]
    keyed: BTreeMap<String, u8>,
    any: Value,
}
