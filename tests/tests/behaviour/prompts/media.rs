//! Images and documents in prompts.

use cot_core::{
    Event, EventOutcome, MachinePoll, Models, PartialPrompt, PromptMode, RunError,
    model::{
        AcceptedMedia, BoxFuture, Document, Image, Media, MessagePart, ModelError, ModelErrorKind,
        ModelReply, ModelRequest, ScriptedModel,
    },
    prelude::*,
    testing::MonkeyModel,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::drive::{Note, SECOND, drive, note, request, started};

/// An image that is told from others by its name.
fn photo(name: &str) -> Image {
    Image::from_url(format!("https://photos.example/{name}.png")).unwrap()
}

fn paper(text: &str) -> Document {
    Document::from_text(text).unwrap()
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Album {
    cover: Image,
    back: Option<Image>,
    photos: Vec<Image>,
    papers: Vec<Paper>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Paper {
    scans: Vec<Image>,
    text: Document,
}

impl Album {
    fn newest(&self) -> Option<&Image> {
        self.photos.last()
    }
}

fn album() -> Album {
    Album {
        cover: photo("cover"),
        back: None,
        photos: vec![photo("a"), photo("b")],
        papers: vec![
            Paper { scans: vec![photo("scan")], text: paper("one") },
            Paper { scans: Vec::new(), text: paper("two") },
        ],
    }
}

cot_process! {
    process Describe {
        state: Album,
        intro: "The cover: ${image(state.cover)}",
        prompts: { papers: "Papers: ${document(state.papers.iter().map(|paper| &paper.text))}" },

        task look -> Note {
            prompt: "Photos: ${image(state.photos)} and ${image(&state.back)}, again ${image(state.newest())}",
            next: read,
        }

        task read -> Note { prompt: "${part(papers)}\nSum them up.", next: each }

        task each -> Note {
            for_each: paper in state.papers,
            prompt: "Compare ${document(paper.text)} with ${image(paper.scans)}.",
            next: full,
        }

        task full -> Note {
            full_prompt: "${part(prompt)} ${part(intro)}",
            prompt: "Only ${image(state.photos[1].clone())}",
            next: think,
        }

        task think { reason: "${document(&state.papers[0].text)} What follows?", next: text }
        task text -> Note { full_prompt: "Just text", next: done }
        task done { end }
    }
}

/// The media of the requests, by task.
fn shown(state: Album) -> Vec<(String, Vec<Media>)> {
    let mut machine = started::<Describe>(state);
    let mut shown = Vec::new();
    while let MachinePoll::Waiting(directives) = machine.poll() {
        let call = directives[0].clone();
        shown.push((call.task.to_string(), request(&call).media().to_vec()));
        let reply = match call.task {
            DescribeTask::Think => ModelReply::new("Step 1: Look.\nConclusion: None."),
            _ => note("", 0).into(),
        };
        let event = Event::Replied { id: call.id, reply, elapsed: SECOND };
        assert_eq!(machine.handle(event), EventOutcome::Applied);
    }
    shown
}

fn images<const N: usize>(names: [&str; N]) -> Vec<Media> {
    names.into_iter().map(|name| Media::from(photo(name))).collect()
}

#[test]
fn media_are_sent_where_they_stand_in_a_template() {
    let shown = shown(album());
    let (cover, one) = (Media::from(photo("cover")), Media::from(paper("one")));
    let expected = [
        ("look", images(["cover", "a", "b", "b"])),
        ("read", vec![cover.clone(), one.clone(), paper("two").into()]),
        ("each", vec![cover.clone(), one.clone(), photo("scan").into()]),
        ("each", vec![cover.clone(), paper("two").into()]),
        ("full", images(["b", "cover"])),
        ("think", vec![cover, one]),
        ("text", vec![]),
    ];
    assert_eq!(shown.len(), expected.len());
    for ((task, media), (expected_task, expected)) in shown.iter().zip(&expected) {
        assert_eq!((task.as_str(), media), (*expected_task, expected));
    }
}

#[test]
fn media_are_parts_of_the_message_between_its_texts() {
    let machine = started::<Describe>(album());
    let request = machine.prompt().unwrap();
    let messages = request.messages(true);
    let parts: Vec<_> = messages.last().unwrap().parts.iter().take(5).collect();
    let kinds = parts.iter().map(|part| match part {
        MessagePart::Text { text, .. } => (*text).to_owned(),
        MessagePart::Image { image, .. } => format!("<{:?}>", image.source()),
        other => panic!("{other:?}"),
    });
    let kinds: Vec<_> = kinds.collect();
    assert_eq!(kinds[0], "The cover: ");
    assert!(kinds[1].contains("cover.png"), "{kinds:?}");
    assert!(kinds[2].ends_with("Photos: "), "{kinds:?}");
    assert!(kinds[3].contains("a.png") && kinds[4].contains("b.png"), "{kinds:?}");
    // The text has a placeholder for each.
    assert!(request.prompt().starts_with("The cover: [image "), "{}", request.prompt());
}

#[test]
fn shown_media_can_be_omitted_like_other_values() {
    let machine = started::<Describe>(album());
    let partial = PartialPrompt::new(PromptMode::TaskPromptOnly).omit_state("photos");
    let text = machine.partial_prompt(&partial).unwrap();
    assert!(text.starts_with("Photos: [state.photos omitted] and , again "), "{text}");
}

cot_process! {
    process Unset {
        state: { photo: Image, notes: Vec<String> = vec![] },
        task look -> Note { prompt: "See ${image(state.photo?)}.", next: find }
        task find -> Image { run: find, update: { photo = output }, next: again }

        task again -> Note {
            prompt: "See ${image(state.photo)}.",
            update: { notes[] = output.text },
            next: done,
        }

        task done { end }
    }
}

async fn find(_: &UnsetState) -> Result<Image, std::io::Error> {
    Ok(photo("found"))
}

#[test]
fn a_field_that_is_not_set_shows_nothing() {
    let mut machine = started::<Unset>(UnsetState::default());
    let driven = drive(&mut machine, |_, _| note("seen", 1));
    assert!(driven.prompt_of("look").ends_with("See ."), "{driven:?}");
    assert!(driven.prompt_of("again").contains("\n\nSee [image "), "{driven:?}");
}

#[test]
fn a_manifest_names_the_media_of_each_task() {
    let manifest = Describe::describe().manifest();
    let media = |task: &str| -> Value {
        let tasks = manifest["tasks"].as_array().unwrap();
        tasks.iter().find(|it| it["name"] == task).unwrap()["media"].clone()
    };
    assert_eq!(media("look"), json!(["image"]));
    assert_eq!(media("read"), json!(["image", "document"]));
    assert_eq!(media("full"), json!(["image"]));
    assert_eq!(media("text"), json!([]));
    assert_eq!(media("done"), json!([]));
    let text = Describe::describe().text();
    assert!(text.contains("Settings: shows images and documents\n"), "{text}");
}

/// A model that accepts some media, which must not be asked.
struct Accepting(AcceptedMedia);

impl LanguageModel for Accepting {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async { Err(ModelError::new(ModelErrorKind::Other, "was asked")) })
    }

    fn accepted_media(&self) -> AcceptedMedia {
        self.0
    }
}

cot_process! {
    process Nested {
        state: Album,
        model: ["sighted", "reader"],
        task inner { process: Scans with state.clone(), next: ask }
        task ask -> Note { model: "blind", prompt: "Fine?", next: done }
        task done { end }
    }
}

cot_process! {
    process Scans {
        state: Album,
        model: ["sighted", "blind"],
        prompts: { text: "${document(state.papers.iter().map(|paper| &paper.text))}" },
        task look -> Note { prompt: "${image(state.cover)}", next: read }
        task read -> Note { model: "reader", prompt: "${part(text)}", next: done }
        task done { end }
    }
}

fn models() -> Models {
    Models::new()
        .engine("sighted", Accepting(AcceptedMedia::IMAGES))
        .engine("blind", Accepting(AcceptedMedia::NONE))
        .engine("reader", Accepting(AcceptedMedia::IMAGES))
}

#[test]
fn a_preflight_names_what_an_engine_does_not_accept() {
    let error = Nested::preflight(&models()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "engine `blind` does not accept images, which the prompt of task `look` of `Scans` can show; \
         engine `reader` does not accept documents, which the prompt of task `read` of `Scans` can show"
    );
    let models = models()
        .engine("blind", Accepting(AcceptedMedia::IMAGES))
        .engine("reader", Accepting(AcceptedMedia::ALL));
    assert!(Nested::preflight(&models).is_ok());
}

#[tokio::test]
async fn no_model_is_called_if_one_does_not_accept_what_is_shown() {
    let ended = Nested::runner().models(models()).run(album()).await;
    let Err(RunError::UnacceptedMediaError(error)) = ended else { panic!("{ended:?}") };
    let tasks: Vec<_> = error.unaccepted.iter().map(|it| (it.task, it.engine)).collect();
    assert_eq!(tasks, [("look", Some("blind")), ("read", Some("reader"))]);
    // The default model of another task does not matter.
    let alone = Describe::runner().model(Accepting(AcceptedMedia::NONE));
    let ended = alone.run_task(DescribeTask::Text, album()).report().await.unwrap();
    assert!(format!("{ended:?}").contains("was asked"), "{ended:?}");
    let model = ScriptedModel::new([note("", 0), note("", 0), note("", 0)]);
    let scanned = Scans::runner().models(
        Models::new()
            .engine("sighted", model)
            .engine("blind", Accepting(AcceptedMedia::ALL))
            .engine("reader", ScriptedModel::new([note("", 0)])),
    );
    assert_eq!(scanned.run(album()).await.unwrap().outcome, ScansOutcome::Done);
}

#[tokio::test]
async fn the_models_of_the_test_kit_accept_all_media() {
    let monkey = Describe::runner().model(MonkeyModel::seeded(1));
    assert!(monkey.run(album()).await.is_ok());
}
