//! Realistic types with sample values.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A sample value with the schema and round trip of its type.
pub(super) struct Sample {
    pub(super) name: &'static str,
    pub(super) schema: Value,
    pub(super) value: Value,
    /// Deserializes a value into the type and serializes it again.
    pub(super) parse: fn(&Value) -> Option<Value>,
}

fn sample<T: JsonSchema + Serialize + DeserializeOwned>(value: &T) -> Sample {
    Sample {
        name: std::any::type_name::<T>(),
        schema: schema_for!(T).to_value(),
        value: serde_json::to_value(value).expect("JSON"),
        parse: |value| {
            let value: T = serde_json::from_value(value.clone()).ok()?;
            serde_json::to_value(value).ok()
        },
    }
}

macro_rules! types {
    ($($(#[$meta:meta])* $kind:ident $name:ident $body:tt)*) => {
        $(#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)] $(#[$meta])* $kind $name $body)*
    };
}

types! {
    struct Person { name: String, age: u8, score: f64, is_member: bool }
    #[serde(rename_all = "camelCase")]
    struct Renamed { first_name: String, family_name: Option<String>, birth_year: i32 }
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    struct Strict { line_count: u64, max_size: Option<i64>, is_open: bool }
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    enum Status { NotStarted, InProgress, Done }
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    enum Colour { Red, DarkBlue, LightGreen }
    enum Shape { Circle { radius: f64 }, Rect(f64, f64), Label(String), Empty }
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Event { Started { at_line: u32 }, LineRead { text: String, number: u32 }, Finished }
    #[serde(tag = "kind", content = "data")]
    enum Command { Move(i32), Say { words: String, loudness: u8 }, Stop }
    #[serde(untagged)]
    enum Contact { Mail { email: String, verified: bool }, Phone { country: u16, digits: String } }
    struct Address { street: String, house_number: u32 }
    struct Flat { title: String, #[serde(flatten)] address: Address }
    struct FlatEnum { sequence: u32, #[serde(flatten)] event: Event }
    struct Maps { scores: HashMap<String, f64>, stock: BTreeMap<Colour, u32>, names: BTreeMap<u32, String> }
    struct Nested { groups: BTreeMap<String, BTreeMap<String, i32>>, people: BTreeMap<String, Person> }
    struct Lists { table: Vec<Vec<i32>>, pairs: Vec<(String, i32)>, bytes: [u8; 3], length: Meters, pair: Pair }
    struct Tree { weight: i32, branches: Vec<Tree> }
    enum Expr { Number(i64), Negate(Box<Expr>), Sum { terms: Vec<Expr> } }
    struct Link { hop: u32, next: Option<Box<Link>> }
    struct Optional { status: Option<Status>, tags: Option<Vec<String>>, address: Option<Address>, event: Option<Event> }
    struct Defaults { #[serde(default)] retries: u32, #[serde(default)] hosts: Vec<String>, #[serde(default)] status: Option<Colour> }
    struct Limits {
        #[schemars(range(min = 0.0, max = 1.0))] confidence: f64,
        #[schemars(regex(pattern = r"^[A-Z]{2}\d{3}$"))] code: String,
        #[schemars(length(min = 1, max = 3))] top_items: Vec<String>,
        initial: char,
        small: i16,
        large: u64,
        huge: i128,
    }
    struct Sets { colours: BTreeSet<Colour>, words: BTreeSet<String> }
    struct Order { customer: Person, items: Vec<Item>, shape: Shape, status: Status, commands: Vec<Command>, contact: Contact }
    struct Item { label: String, amount: u32, price: f64, colour: Option<Colour> }
    #[serde(deny_unknown_fields)]
    struct Single { steps: Vec<Item> }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Meters(f64);

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Pair(String, i32);

fn person() -> Person {
    Person { name: "Ada Lovelace".into(), age: 36, score: 1234.5, is_member: true }
}

fn item(colour: Option<Colour>) -> Item {
    Item { label: "42".into(), amount: 12_000, price: 9.75, colour }
}

fn address() -> Address {
    Address { street: "Main Street".into(), house_number: 1042 }
}

fn expr() -> Expr {
    let sum = Expr::Sum { terms: vec![Expr::Number(1), Expr::Number(-20)] };
    Expr::Negate(Box::new(Expr::Sum { terms: vec![sum, Expr::Number(3)] }))
}

fn tree(depth: i32) -> Tree {
    let branches = (0..depth).map(tree).collect();
    Tree { weight: depth * 1500, branches }
}

fn map<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    entries.into_iter().collect()
}

fn event() -> Event {
    Event::LineRead { text: "hello there".into(), number: 3 }
}

pub(super) fn samples() -> Vec<Sample> {
    [plain(), variants(), collections(), compound()].into_iter().flatten().collect()
}

fn plain() -> Vec<Sample> {
    vec![
        sample(&person()),
        sample(&Renamed { first_name: "Bo".into(), family_name: None, birth_year: -44 }),
        sample(&Strict { line_count: 18_000_000_000, max_size: Some(-1), is_open: false }),
        sample(&Flat { title: "home".into(), address: address() }),
        sample(&Defaults { retries: 3, hosts: vec!["one".into()], status: Some(Colour::Red) }),
        sample(&Defaults { retries: 0, hosts: vec![], status: None }),
        sample(&Limits {
            confidence: 0.5,
            code: "AB123".into(),
            top_items: vec!["first".into()],
            initial: 'x',
            small: -3,
            large: u64::MAX,
            huge: -5_000_000_000,
        }),
    ]
}

fn variants() -> Vec<Sample> {
    vec![
        sample(&Shape::Circle { radius: 2.5 }),
        sample(&Shape::Rect(1.0, 2.5)),
        sample(&Shape::Label("round".into())),
        sample(&Shape::Empty),
        sample(&Status::InProgress),
        sample(&event()),
        sample(&Event::Finished),
        sample(&Command::Move(-3)),
        sample(&Command::Say { words: "good day".into(), loudness: 11 }),
        sample(&Command::Stop),
        sample(&Contact::Mail { email: "a@b.org".into(), verified: true }),
        sample(&Contact::Phone { country: 41, digits: "044".into() }),
        sample(&FlatEnum { sequence: 7, event: Event::Started { at_line: 1001 } }),
        sample(&expr()),
    ]
}

fn collections() -> Vec<Sample> {
    vec![
        sample(&HashMap::from([("k1".to_owned(), 1.5)])),
        sample(&map([(Colour::Red, 2), (Colour::DarkBlue, 3000)])),
        sample(&vec![Shape::Empty, Shape::Circle { radius: 1.0 }]),
        sample(&vec![vec![1, 2], vec![3]]),
        sample(&vec![vec!["one".to_owned()]]),
        sample(&("both".to_owned(), 5, true)),
        sample(&Maps {
            scores: HashMap::from([("k1".into(), 0.25), ("k2".into(), 7000.0)]),
            stock: map([(Colour::LightGreen, 1)]),
            names: map([(7, "seven".to_owned()), (12, "twelve".to_owned())]),
        }),
        sample(&Nested {
            groups: map([("k1".into(), map([("k2".into(), 5)])), ("k3".into(), map([]))]),
            people: map([("k4".into(), person())]),
        }),
        sample(&Lists {
            table: vec![vec![1], vec![], vec![2000, 3]],
            pairs: vec![("left".into(), 1)],
            bytes: [1, 2, 3],
            length: Meters(4.5),
            pair: Pair("right".into(), -2),
        }),
        sample(&Sets {
            colours: BTreeSet::from([Colour::Red, Colour::DarkBlue]),
            words: BTreeSet::from(["word".to_owned()]),
        }),
    ]
}

fn compound() -> Vec<Sample> {
    vec![
        sample(&tree(3)),
        sample(&Link { hop: 1, next: Some(Box::new(Link { hop: 2, next: None })) }),
        sample(&Optional {
            status: Some(Status::NotStarted),
            tags: Some(vec!["one".into(), "two".into()]),
            address: Some(address()),
            event: Some(Event::Finished),
        }),
        sample(&Optional { status: None, tags: None, address: None, event: Some(event()) }),
        sample(&Single { steps: vec![item(None)] }),
        sample(&Single { steps: vec![item(Some(Colour::DarkBlue)), item(None)] }),
        sample(&Order {
            customer: person(),
            items: vec![item(Some(Colour::LightGreen))],
            shape: Shape::Rect(3.0, 4.0),
            status: Status::Done,
            commands: vec![Command::Move(1), Command::Stop],
            contact: Contact::Phone { country: 1, digits: "555".into() },
        }),
    ]
}
