//! Outputs that are told, typed, while they are written.

use cot_core::{
    Incoming::{self, Finished, Missing, Unfinished},
    PartialOutput, ProcessEvent, RunEvent,
    model::{
        BoxFuture, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest, ScriptedModel,
    },
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Heard;
use crate::drive::{Note, go};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Article {
    title: String,
    words: u32,
    tags: Vec<String>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Magazine {
    topics: Vec<String>,
    articles: Vec<Article>,
}

cot_process! {
    process Press {
        state: Magazine,
        max_retries: 1,

        task plan {
            transitions: { write: "one article" if state.articles.is_empty(), done: "enough" },
        }

        task write -> Article {
            update: { articles[] = output },
            transitions: { done },
            next: plan,
        }

        task done { end }
    }
}

cot_process! {
    process Series {
        state: Magazine,

        task write -> Article {
            for_each: topic in state.topics,
            full_prompt: "${topic}",
            update: { articles = output },
            next: done,
        }

        task done { end }
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct House {
    magazine: Magazine,
}

impl From<&House> for Magazine {
    fn from(house: &House) -> Self {
        house.magazine.clone()
    }
}

cot_process! {
    process Publisher {
        state: House,

        task print { process: Press, update: { magazine = output }, next: done }
        task done { end }
    }
}

const SALT: &str = r#"Gladly: {"title": "Salt", "words": 1200, "tags": ["sea", "food"]}"#;

/// Title, words and tags.
type Seen = (Incoming<String>, Incoming<u32>, Incoming<Vec<Incoming<String>>>);

fn seen(partial: &PartialOutput) -> Seen {
    let article = partial.read::<Article>().unwrap();
    (article.title, article.words, article.tags)
}

fn salt() -> Seen {
    let tags = vec![Finished("sea".into()), Finished("food".into())];
    (Finished("Salt".into()), Finished(1200), Finished(tags))
}

async fn events<P: Process<Context = ()>>(
    runner: Runner<P>,
    state: P::State,
) -> Vec<ProcessEvent<P>> {
    let mut active = runner.start(state).unwrap();
    let mut events = Vec::new();
    while let Some(event) = active.next().await {
        events.push(event);
    }
    events
}

fn partials<T, O>(events: &[RunEvent<T, O>]) -> Vec<Option<PartialOutput>> {
    let partial = |event: &RunEvent<T, O>| match event {
        RunEvent::Partial { partial, .. } => Some(partial.clone()),
        _ => None,
    };
    events.iter().filter_map(partial).collect()
}

fn articles<T, O>(events: &[RunEvent<T, O>]) -> Vec<Seen> {
    partials(events).iter().map(|partial| seen(partial.as_ref().unwrap())).collect()
}

fn press(model: impl LanguageModel + 'static) -> Runner<Press> {
    Press::runner().model(model).partials(true)
}

fn script(replies: &[&str], chars: usize) -> ScriptedModel {
    ScriptedModel::new(replies.iter().map(ToString::to_string)).streaming(chars)
}

/// The choice to write, then an article, then the choice to end.
fn one_article(chars: usize) -> ScriptedModel {
    script(&[&go("write").to_string(), SALT, &go("done").to_string()], chars)
}

#[tokio::test]
async fn an_article_comes_in_letter_by_letter() {
    let events = events(press(one_article(1)), Magazine::default()).await;
    let articles = articles(&events);
    let title = |title: &str| (Unfinished(title.into()), Missing, Missing);
    assert_eq!(articles[..4], [title(""), title("S"), title("Sa"), title("Sal")]);
    let tags = |last| {
        let tags = Unfinished(vec![Finished("sea".into()), last]);
        (Finished("Salt".into()), Finished(1200), tags)
    };
    let food = || "food".to_owned();
    // Told once more when the object around them is finished too.
    let end = [tags(Unfinished(food())), tags(Finished(food())), salt(), salt()];
    assert_eq!(articles[articles.len() - 4..], end);
    let finished = partials(&events).into_iter().flatten().filter(PartialOutput::is_finished);
    assert_eq!(finished.count(), 1);
}

#[tokio::test]
async fn partials_name_their_attempt_and_come_before_what_becomes_of_it() {
    let bad = r#"{"title": [], "words": 1, "tags": []}"#;
    let model = script(&[&go("write").to_string(), bad, SALT, &go("done").to_string()], 10);
    let mut told = Vec::new();
    for event in events(press(model), Magazine::default()).await {
        match event {
            RunEvent::Partial { task, item: None, attempt, partial } => {
                assert_eq!(task, PressTask::Write);
                let (title, ..) = seen(&partial.unwrap());
                told.push(format!("{attempt} {}", title.is_finished()));
            }
            RunEvent::AttemptFailed { .. } => told.push("failed".into()),
            RunEvent::Committed { .. } => told.push("committed".into()),
            _ => {}
        }
    }
    told.dedup();
    assert_eq!(told, ["1 false", "failed", "2 false", "2 true", "committed"]);
}

#[tokio::test]
async fn a_choice_is_no_output() {
    let replies = [&go("write").to_string(), &go("done").to_string()];
    let model = script(&replies.map(String::as_str), 5);
    assert_eq!(partials(&events(press(model), Magazine::default()).await), []);
}

#[tokio::test]
async fn partials_and_pieces_are_asked_for_by_themselves() {
    for (deltas, on) in [(false, false), (false, true), (true, false), (true, true)] {
        let runner = press(one_article(16)).partials(on).token_deltas(deltas);
        let events = events(runner, Magazine::default()).await;
        let has_deltas = events.iter().any(|event| matches!(event, RunEvent::Delta { .. }));
        assert_eq!((has_deltas, !partials(&events).is_empty()), (deltas, on));
    }
}

/// Streams when it is asked to, and says which way it was asked.
struct Either(Heard);

impl LanguageModel for Either {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        self.0.add("reply");
        Box::pin(std::future::ready(Ok(go("done").into())))
    }

    fn stream<'a>(
        &'a self,
        _: &'a ModelRequest,
        _: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        self.0.add("stream");
        Box::pin(std::future::ready(Ok(go("done").into())))
    }
}

#[tokio::test]
async fn nothing_streams_for_partials_that_there_will_not_be() {
    let heard = Heard::default();
    // A choice alone has no output; nobody sees the events of a run that is only awaited.
    events(press(Either(heard.clone())), Magazine::default()).await;
    let written = Magazine { topics: vec!["sea".into()], articles: Vec::new() };
    let series = || Series::runner().model(Either(heard.clone())).partials(true);
    series().report(written).await.unwrap();
    assert!(heard.words().iter().all(|word| word == "reply"));
    events(series(), Magazine { topics: vec!["sea".into()], articles: Vec::new() }).await;
    assert_eq!(heard.words().last().unwrap(), "stream");
}

#[tokio::test]
async fn observers_see_partials_of_a_run_that_is_only_awaited() {
    let heard = Heard::default();
    let runner = press(one_article(1000)).observe(heard.listen());
    runner.run(Magazine::default()).await.unwrap();
    assert_eq!(heard.words().iter().filter(|word| *word == "Partial").count(), 1);
}

/// Starts over in the middle of an article.
struct Faltering;

impl LanguageModel for Faltering {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(std::future::ready(Ok(SALT.into())))
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            sink.push(r#"{"title": "Pepp"#);
            tokio::task::yield_now().await;
            sink.restart();
            tokio::task::yield_now().await;
            sink.push(r#"{"title": "#);
            sink.push(r#""Sa"#);
            tokio::task::yield_now().await;
            self.reply(request).await
        })
    }
}

#[tokio::test]
async fn what_an_engine_starts_over_is_void() {
    let series = Series::runner().model(Faltering).partials(true);
    let state = Magazine { topics: vec!["sea".into()], articles: Vec::new() };
    let partials = partials(&events(series, state).await);
    let values: Vec<_> =
        partials.iter().map(|partial| partial.as_ref().map(PartialOutput::value)).collect();
    let (pepper, salt) = (json!({ "title": "Pepp" }), json!({ "title": "Sa" }));
    assert_eq!(values, [Some(&pepper), None, Some(&salt)]);
}

#[tokio::test]
async fn partials_name_their_item() {
    let model = ScriptedModel::from_fn(|request| {
        json!({ "title": request.prompt(), "words": 1, "tags": [] }).to_string()
    });
    let topics: Vec<String> = (0..20).map(|topic| format!("topic {topic}")).collect();
    let state = Magazine { topics: topics.clone(), articles: Vec::new() };
    let series = Series::runner().model(model.streaming(4)).partials(true);
    let mut last = vec![(Missing, Missing, Missing); 20];
    for event in events(series, state).await {
        match event {
            RunEvent::Partial { item: Some(item), partial: Some(partial), .. } => {
                last[item] = seen(&partial);
            }
            RunEvent::ItemDone { item, .. } => {
                assert_eq!(last[item].0, Finished(topics[item].clone()), "told before it is done");
            }
            _ => {}
        }
    }
    assert!(last.iter().all(|article| article.2.is_finished()));
}

#[tokio::test]
async fn a_process_within_tells_its_partials_under_the_task_that_runs_it() {
    let runner = Publisher::runner().model(one_article(8)).partials(true);
    let events = events(runner, House::default()).await;
    assert_eq!(articles(&events).last(), Some(&salt()));
    let of_print = |event: &ProcessEvent<Publisher>| match event {
        RunEvent::Partial { task, .. } => *task == PublisherTask::Print,
        _ => true,
    };
    assert!(events.iter().all(of_print));
}

#[tokio::test]
async fn another_type_than_the_task_has_gives_nothing() {
    let events = events(press(one_article(8)), Magazine::default()).await;
    let partials = partials(&events);
    let last = partials.last().unwrap().as_ref().unwrap();
    assert!(last.read::<Note>().is_none());
    assert_eq!(last.value(), &json!({ "title": "Salt", "words": 1200, "tags": ["sea", "food"] }));
}

/// Outputs within an output.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Book {
    #[cot(partial)]
    chapters: Vec<Article>,
    #[cot(partial)]
    preface: Option<Article>,
    appendix: Option<Article>,
}

cot_process! {
    process Printer {
        state: Book,

        task print -> Book {
            prompt: "Print.",
            update: {
                chapters = output.chapters,
                preface = output.preface,
                appendix = output.appendix,
            },
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn outputs_within_an_output_come_field_by_field() {
    let article = r#"{"title": "Salt", "words": 1200, "tags": []}"#;
    let book =
        format!(r#"{{"chapters": [{article}], "preface": {article}, "appendix": {article}}}"#);
    let model = ScriptedModel::new([book]).streaming(1);
    let events = events(Printer::runner().model(model).partials(true), Book::default()).await;
    let (mut seen, mut whole) = (Vec::new(), 0);
    for partial in partials(&events).into_iter().flatten() {
        let book = partial.read::<Book>().unwrap();
        if let Some([Unfinished(chapter)]) = book.chapters.get().map(Vec::as_slice) {
            seen.extend(chapter.title.get().cloned());
        }
        if let Unfinished(Some(preface)) = book.preface {
            seen.extend(preface.title.get().map(|title| format!("preface {title}")));
        }
        assert!(matches!(book.appendix, Missing | Finished(Some(_))), "it has no partial view");
        whole += usize::from(book.appendix.is_finished());
    }
    seen.dedup();
    let titles = ["", "S", "Sa", "Sal", "Salt"];
    let expected =
        titles.map(str::to_owned).into_iter().chain(titles.map(|title| format!("preface {title}")));
    assert!(seen.into_iter().eq(expected));
    assert_eq!(whole, 2);
}
