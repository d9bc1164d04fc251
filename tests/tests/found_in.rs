//! `found_in`: values of an output stand in a text, or the model is asked again.

use std::sync::{Arc, Mutex};

use cot_core::{
    CommitCx, Cx, Issues, Passage, RunEvent,
    model::{ModelReply, ScriptedModel, ToolCall},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const MAIL: &str = "Hello, this is Mary O’Neil,\nLong Lane 5, Bristol. I want 3 book-\nshelves (no. B-12) and 10 lamps.";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    name: String,
    address: Option<Address>,
    items: Vec<Item>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Address {
    city: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Item {
    #[serde(rename = "articleName")]
    article: Article,
    count: u32,
    notes: Vec<String>,
}

/// The name of an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Article(String);

fn order(name: &str, article: &str, count: u32) -> Value {
    json!({
        "name": name,
        "address": { "city": "bristol" },
        "items": [{ "articleName": article, "count": count, "notes": ["B-12"] }],
    })
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Shop {
    mail: String,
    orders: Vec<Order>,
    places: Vec<(String, String)>,
}

fn keep(order: &Order, shop: &mut Shop, cx: &mut CommitCx<'_, Orders>) -> Result<(), Issues> {
    let text = |it: Passage| (it.path, shop.mail[it.range].to_owned());
    shop.places = cx.passages().into_iter().map(text).collect();
    shop.orders.push(order.clone());
    Ok(())
}

fn has_passages(_: &Order, _: &Shop, cx: &Cx<'_, Orders>) -> Result<(), Issues> {
    assert_eq!(cx.passages().len(), 5);
    Ok(())
}

cot_process! {
    process Orders {
        state: Shop,

        task read -> Order {
            prompt: "Read ${quoted(state.mail)}",
            found_in: {
                name: state.mail,
                address?.city: state.mail,
                items [].article.0: state.mail,
                items [].count: state.mail,
                items [].notes: state.mail,
            },
            check: has_passages,
            process_output: keep,
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn values_that_stand_nowhere_are_asked_for_again() {
    let replies = [order("Marie O'Neill", "tables", 4), order("mary o'neil", "bookshelves", 3)];
    let model = Arc::new(ScriptedModel::new(replies));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let found = Arc::clone(&seen);
    let runner = Orders::runner().model(Arc::clone(&model)).observe(move |event, _| {
        if let RunEvent::Found { item, passages, .. } = event {
            found.lock().unwrap().push((*item, passages.clone()));
        }
    });
    let run = runner.run(Shop { mail: MAIL.to_owned(), ..Shop::default() }).await.unwrap();
    let second = model.requests()[1].prompt().to_owned();
    for issue in [
        "- $.name: does not stand in state.mail: copy the value from it as it is written there; the nearest passage is\n```text\nMary O’Neil\n```",
        "- $.items[0].articleName: does not stand in state.mail, nor anything like it",
        "- $.items[0].count: does not stand in state.mail, nor anything like it",
    ] {
        assert!(second.contains(issue), "{issue} is not in {second}");
    }
    assert!(!second.contains("- $.address"), "{second}");
    assert_eq!(run.state.orders.len(), 1);
    let places = [
        ("$.name", "Mary O’Neil"),
        ("$.address.city", "Bristol"),
        ("$.items[0].articleName", "book-\nshelves"),
        ("$.items[0].count", "3"),
        ("$.items[0].notes[0]", "B-12"),
    ];
    let places = places.map(|(path, text)| (path.to_owned(), text.to_owned()));
    assert_eq!(run.state.places, places);
    let seen = seen.lock().unwrap();
    let [(None, passages)] = &seen[..] else { panic!("{seen:?}") };
    let texts = passages.iter().map(|it| (it.path.clone(), MAIL[it.range.clone()].to_owned()));
    assert_eq!(texts.collect::<Vec<_>>(), places);
    assert!(passages.iter().all(|it| it.source == "state.mail" && MAIL.contains(&it.excerpt)));
}

#[tokio::test]
async fn a_source_of_megabytes_is_searched() {
    let mail = format!("{}{MAIL}", "Nothing to see here, “all is well”.\n".repeat(300_000));
    let length = mail.len();
    assert!(length > 10 << 20);
    let model = ScriptedModel::new([order("Mary O'Neil", "bookshelves", 3)]);
    let prompted = Big::runner().model(model);
    let run = prompted.run(Shop { mail, ..Shop::default() }).await.unwrap();
    assert_eq!(run.state.orders[0].name, "Mary O'Neil");
}

cot_process! {
    process Big {
        state: Shop,

        task read -> Order {
            full_prompt: "Read it",
            found_in: { name: state.mail },
            update: orders[],
            next: done,
        }

        task done { end }
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Mails {
    mails: Vec<String>,
    names: Vec<Name>,
    answer: Option<Name>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Name {
    name: String,
}

fn name(name: &str) -> Value {
    json!({ "name": name })
}

cot_process! {
    process Many {
        state: Mails,

        task read -> Name {
            for_each: mail in state.mails,
            max_concurrency: 1,
            prompt: "Who wrote ${mail}",
            found_in: { name: mail },
            update: names,
            next: ask,
        }

        task ask -> Name {
            ask: "Who is meant?",
            found_in: { name: state.mails },
            update: { answer = Some(output) },
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn items_have_their_own_text_and_people_are_held_to_texts_too() {
    let model = Arc::new(ScriptedModel::new([name("Ann"), name("Ann"), name("Bob")]));
    let answers = Mutex::new(vec![name("Bob"), name("Cid")]);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let found = Arc::clone(&seen);
    let runner = Many::runner()
        .model(Arc::clone(&model))
        .person(move |_| std::future::ready(answers.lock().unwrap().pop().unwrap()))
        .observe(move |event, _| {
            if let RunEvent::Found { item, passages, .. } = event {
                found.lock().unwrap().push((*item, passages[0].source.clone()));
            }
        });
    let mails = vec!["from Ann".to_owned(), "from Bob".to_owned()];
    let run = runner.run(Mails { mails, ..Mails::default() }).await.unwrap();
    assert_eq!(model.requests().len(), 3);
    assert!(model.requests()[2].prompt().contains("$.name: does not stand in mail"));
    assert_eq!(run.state.answer, Some(Name { name: "Bob".to_owned() }));
    let seen = seen.lock().unwrap();
    let sources = [(Some(0), "mail"), (Some(1), "mail"), (None, "state.mails[1]")];
    assert_eq!(*seen, sources.map(|(item, source)| (item, source.to_owned())));
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Desk {
    price: Option<Quote>,
    line: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Quote {
    article: String,
    price: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Search {
    word: String,
}

/// Searches the catalogue.
async fn search(query: &Search, _: &Desk) -> Result<String, std::io::Error> {
    Ok(format!("{} \"de luxe\":\n1,299.50 pounds", query.word))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Words {
    text: String,
}

fn last_line(reply: &ModelReply, _: &Desk, _: &Words) -> Result<String, Issues> {
    Ok(reply.text.lines().last().unwrap_or_default().to_owned())
}

async fn accepts(_: &Quote, _: &Desk, cx: &Cx<'_, Catalogue>) -> Result<(), Issues> {
    tokio::task::yield_now().await;
    match cx.passages().len() {
        2 => Ok(()),
        count => Err(Issues::at("$", format!("{count} passages"))),
    }
}

cot_process! {
    process Catalogue {
        state: Desk,
        tools: { search: search "Searches the catalogue" },

        task look_up -> Quote {
            prompt: "What does the lamp cost?",
            tools: [search],
            found_in: { article: search, price: search },
            check: async accepts,
            update: { price = Some(output) },
            next: { write with Words { text: "nothing but words".to_owned() } },
        }

        task write -> String {
            inputs: Words,
            full_prompt: "Quote a line of ${inputs.text}",
            read: last_line,
            found_in: inputs.text,
            update: line,
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn results_of_tools_and_inputs_are_sources_too() {
    let call = ToolCall::new("search", json!({ "word": "Lamp" }));
    let quote = |price| ModelReply::from(json!({ "article": "lamp 'de luxe'", "price": price }));
    let replies = [
        quote(1299.5),
        ModelReply::new("").tool_calls([call]),
        quote(1300.0),
        quote(1299.5),
        ModelReply::new("so:\nother words"),
        ModelReply::new("so:\nBut words"),
    ];
    let model = Arc::new(ScriptedModel::new(replies));
    let run = Catalogue::runner().model(Arc::clone(&model)).run(Desk::default()).await.unwrap();
    let requests = model.requests();
    assert_eq!(requests.len(), 6);
    let prompts = requests.iter().map(|request| request.prompt().to_owned()).collect::<Vec<_>>();
    assert!(prompts[1].contains("$.price: does not stand in search"), "{}", prompts[1]);
    assert!(prompts[3].contains("$.price: does not stand in search"), "{}", prompts[3]);
    assert!(!prompts[3].contains("$.article"), "{}", prompts[3]);
    assert!(prompts[5].contains("$: does not stand in inputs.text"), "{}", prompts[5]);
    assert_eq!(run.state.price.unwrap().article, "lamp 'de luxe'");
    assert_eq!(run.state.line, "But words");
}

cot_process! {
    process Proven {
        state: { input mail: String, draft: Name, copied: Name, told: Name },
        task write -> Name { prompt: "Write ${state.mail}", update: draft, next: both }
        parallel both [copy, tell] => done

        task copy -> Name {
            full_prompt: "copy ${state.mail}",
            found_in: { name: state.draft.name },
            update: copied,
            next: done,
        }

        task tell -> Name {
            full_prompt: "tell",
            found_in: { name: state.draft.name },
            update: told,
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn sources_are_fields_that_other_tasks_write_and_branches_read() {
    let draft = name("a draft by Ann and Bob");
    let model = ScriptedModel::new([draft, name("Ann"), name("Bob")]);
    let run = Proven::runner().model(model).run(ProvenState::new(String::new())).await.unwrap();
    assert!(run.state.copied.is_some() && run.state.told.is_some());
}
