//! Tests of partial replies.

use std::sync::OnceLock;

use cot_reader::{
    Incoming::{self, Finished, Missing, Unfinished},
    PartialOutput,
};
use cot_schema::{
    CotOutput, OutputSchema,
    internal::{Checker, RulesCollector},
};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::reader::{PartialReader, PartialUpdate};

/// An output, with the partial type that the derive generates.
macro_rules! output {
    ($name:ident, $partial:ty) => {
        impl CotOutput for $name {
            type Partial = $partial;
            fn gather_rules(_: &mut RulesCollector) {}
            fn run_checks(&self, _: &mut Checker<'_>) {}
            fn output_schema() -> &'static OutputSchema {
                static SCHEMA: OnceLock<OutputSchema> = OnceLock::new();
                SCHEMA.get_or_init(OutputSchema::for_output::<$name>)
            }
        }
    };
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Article {
    title: String,
    words: u32,
    subtitle: Option<String>,
    tags: Vec<String>,
    sections: Vec<Section>,
    lead: Section,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Section {
    heading: String,
    kind: Kind,
    scores: Vec<i8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
enum Kind {
    Text,
    Picture,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
struct ArticlePartial {
    title: Incoming<String>,
    words: Incoming<u32>,
    subtitle: Incoming<Option<String>>,
    tags: Incoming<Vec<Incoming<String>>>,
    sections: Incoming<Vec<Incoming<SectionPartial>>>,
    lead: Incoming<SectionPartial>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
struct SectionPartial {
    heading: Incoming<String>,
    kind: Incoming<Kind>,
    scores: Incoming<Vec<Incoming<i8>>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Names(Vec<String>);

output!(Article, ArticlePartial);
output!(Kind, Incoming<Kind>);
output!(Names, Incoming<Vec<Incoming<String>>>);

fn reader<T: CotOutput>() -> PartialReader {
    PartialReader::new(T::output_schema())
}

fn partial(news: Option<PartialUpdate>) -> PartialOutput {
    match news {
        Some(PartialUpdate::Partial(partial)) => partial,
        other => panic!("expected a partial, got {other:?}"),
    }
}

#[test]
fn each_partial_contains_all_received_so_far() {
    let mut reader = reader::<Article>();
    assert_eq!(reader.take_update(), None);
    reader.push("Here you are: ");
    assert_eq!(reader.take_update(), None);
    reader.push(r#"{"title": "Sa"#);
    let first = partial(reader.take_update());
    assert_eq!((first.value(), first.is_finished()), (&json!({ "title": "Sa" }), false));
    assert_eq!(first.read::<Article>().unwrap().title, Unfinished("Sa".to_owned()));
    assert_eq!(first.read::<Kind>(), None);
    reader.push(r#"lt", "words": 12"#);
    let second = partial(reader.take_update()).read::<Article>().unwrap();
    let title = Finished("Salt".to_owned());
    assert_eq!(second, ArticlePartial { title, ..ArticlePartial::default() });
    reader.push("00");
    assert_eq!(reader.take_update(), None, "nothing new is taken");
    reader.push("}");
    let last = partial(reader.take_update());
    assert_eq!(last.read::<Article>().unwrap().words, Finished(1200));
    assert!(last.is_finished());
    reader.push("\nI hope it helps.");
    reader.end();
    assert_eq!(reader.take_update(), None);
}

#[test]
fn a_restart_voids_earlier_partials() {
    let mut reader = reader::<Article>();
    reader.push(r#"{"title": "Sa"#);
    partial(reader.take_update());
    reader.restart();
    assert_eq!(reader.take_update(), Some(PartialUpdate::Void));
    assert_eq!(reader.take_update(), None);
    reader.push("{\"title\": \"\"");
    assert_eq!(partial(reader.take_update()).value(), &json!({ "title": "" }));
    reader.restart();
    reader.push(r#"{"title": "Pe"#);
    assert_eq!(partial(reader.take_update()).value(), &json!({ "title": "Pe" }), "told at once");
    reader.restart();
    reader.end();
    assert_eq!(reader.take_update(), Some(PartialUpdate::Void));
}

#[test]
fn transitions_are_no_outputs() {
    let mut reader = reader::<Article>();
    for piece in ["{", r#" "intent": "go"#, r#" on", "goTo": "#] {
        reader.push(piece);
        assert_eq!(reader.take_update(), None);
    }
    reader.restart();
    reader.push(r#"{"title": "Sa"#);
    partial(reader.take_update());
    reader.push(r#"lt", "stepAfter": ""#);
    assert_eq!(reader.take_update(), Some(PartialUpdate::Void));
    reader.push("done\"}");
    reader.end();
    assert_eq!(reader.take_update(), None);
}

#[test]
fn a_wrapped_value_is_returned_unwrapped() {
    let mut reader = reader::<Kind>();
    reader.push(r#"{"#);
    assert_eq!(reader.take_update(), None);
    reader.push(r#" "value": "Pict"#);
    let begun = partial(reader.take_update());
    assert_eq!((begun.value(), begun.read::<Kind>()), (&json!("Pict"), Some(Missing)));
    reader.push(r#"ure""#);
    let done = partial(reader.take_update());
    assert_eq!(done.read::<Kind>(), Some(Finished(Kind::Picture)));

    let mut reader = self::reader::<Names>();
    reader.push(r#"{ "value": ["Ann", "Be"#);
    let names = vec![Finished("Ann".to_owned()), Unfinished("Be".to_owned())];
    assert_eq!(partial(reader.take_update()).read::<Names>(), Some(Unfinished(names.clone())));
    let mut bare = self::reader::<Names>();
    bare.push(r#"["Ann", "Be"#);
    assert_eq!(partial(bare.take_update()).read::<Names>(), Some(Unfinished(names)));
}

/// Partial values that later values extend.
trait Grows {
    fn grows_into(&self, later: &Self) -> bool;
}

impl<T: Grows + PartialEq> Grows for Incoming<T> {
    fn grows_into(&self, later: &Self) -> bool {
        match (self, later) {
            (Missing, _) => true,
            (Unfinished(now), Unfinished(later) | Finished(later)) => now.grows_into(later),
            (Finished(now), Finished(later)) => now == later,
            _ => false,
        }
    }
}

impl Grows for String {
    fn grows_into(&self, later: &Self) -> bool {
        later.starts_with(self.as_str())
    }
}

impl<T: Grows> Grows for Option<T> {
    fn grows_into(&self, later: &Self) -> bool {
        match (self, later) {
            (Some(now), Some(later)) => now.grows_into(later),
            _ => false,
        }
    }
}

impl<T: Grows> Grows for Vec<T> {
    fn grows_into(&self, later: &Self) -> bool {
        self.len() <= later.len()
            && self.iter().zip(later).all(|(now, later)| now.grows_into(later))
    }
}

/// Implements the trait for types without partial values.
macro_rules! grows_not {
    ($($name:ty),*) => { $(impl Grows for $name {
        fn grows_into(&self, _: &Self) -> bool {
            false
        }
    })* };
}

grows_not!(u32, i8, Kind);

impl Grows for SectionPartial {
    fn grows_into(&self, later: &Self) -> bool {
        self.heading.grows_into(&later.heading)
            && self.kind.grows_into(&later.kind)
            && self.scores.grows_into(&later.scores)
    }
}

impl Grows for ArticlePartial {
    fn grows_into(&self, later: &Self) -> bool {
        self.title.grows_into(&later.title)
            && self.words.grows_into(&later.words)
            && self.subtitle.grows_into(&later.subtitle)
            && self.tags.grows_into(&later.tags)
            && self.sections.grows_into(&later.sections)
            && self.lead.grows_into(&later.lead)
    }
}

fn some_text() -> impl Strategy<Value = String> {
    "(\\PC|[\"\\\\\n\t{}\\[\\],:]){0,12}"
}

fn section() -> impl Strategy<Value = Section> {
    let kind = prop_oneof![Just(Kind::Text), Just(Kind::Picture)];
    (some_text(), kind, prop::collection::vec(any::<i8>(), 0..4))
        .prop_map(|(heading, kind, scores)| Section { heading, kind, scores })
}

fn article() -> impl Strategy<Value = Article> {
    let (tags, sections) =
        (prop::collection::vec(some_text(), 0..4), prop::collection::vec(section(), 0..4));
    let subtitle = prop::option::of(some_text());
    (some_text(), any::<u32>(), subtitle, tags, sections, section()).prop_map(
        |(title, words, subtitle, tags, sections, lead)| Article {
            title,
            words,
            subtitle,
            tags,
            sections,
            lead,
        },
    )
}

/// Splits the text into chunks of these lengths, in characters.
fn pieces(text: &str, lengths: &[usize]) -> Vec<String> {
    let mut letters = text.chars().peekable();
    let mut lengths = lengths.iter().cycle();
    let mut pieces = Vec::new();
    while letters.peek().is_some() {
        pieces.push(letters.by_ref().take(*lengths.next().unwrap()).collect());
    }
    pieces
}

proptest! {
    #[test]
    fn the_last_partial_is_the_output_and_none_takes_anything_back(
        article in article(),
        is_pretty: bool,
        ascii: bool,
        lengths in prop::collection::vec(1_usize..20, 1..8),
    ) {
        let value = serde_json::to_value(&article).unwrap();
        let text = if is_pretty { format!("Gladly:\n```json\n{value:#}\n```") } else { value.to_string() };
        let text = if ascii { escaped(&text) } else { text };
        let mut reader = reader::<Article>();
        let mut last = ArticlePartial::default();
        let mut news = None;
        for piece in pieces(&text, &lengths) {
            reader.push(&piece);
            if let Some(fresh) = reader.take_update() {
                let fresh = partial(Some(fresh));
                let typed = fresh.read::<Article>().unwrap();
                prop_assert!(last.grows_into(&typed), "{last:?}\nbecame\n{typed:?}");
                last = typed;
                news = Some(fresh);
            }
        }
        reader.end();
        let end = reader.take_update().map(|news| partial(Some(news))).or(news).unwrap();
        prop_assert!(end.is_finished());
        prop_assert_eq!(end.value(), &value);
        let at_once: ArticlePartial = serde_json::from_value(value).unwrap();
        prop_assert!(last.grows_into(&at_once));
        prop_assert_eq!(end.read::<Article>(), Some(at_once));
    }
}

/// The same JSON in ASCII, so that chunks end within escapes.
fn escaped(json: &str) -> String {
    let mut escaped = String::new();
    for letter in json.chars() {
        if letter.is_ascii() {
            escaped.push(letter);
        } else {
            let units = &mut [0; 2];
            let units = letter.encode_utf16(units).iter();
            escaped.extend(units.map(|unit| format!("\\u{unit:04x}")));
        }
    }
    escaped
}

#[test]
fn a_partial_is_shown_with_its_type() {
    let partial = PartialOutput::new(Kind::output_schema(), Value::Null, 0);
    let shown = format!("{partial:?}");
    assert_eq!(shown, r#"PartialOutput { type: "Kind", value: Null, is_finished: true }"#);
}
