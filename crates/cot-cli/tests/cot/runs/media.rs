//! Runs with images.

use cot_core::{
    CotOutput, Usage, cot_process,
    model::{Image, ModelReply, ScriptedModel},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::world::{World, wait};

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Roof {
    photo: Image,
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Text {
    text: String,
}

cot_process! {
    process Inspecting {
        state: Roof,

        task look -> Text {
            prompt: "Describe ${image(state.photo)}",
            update: { text = output.text },
            next: done,
        }

        task done { end }
    }
}

fn photo() -> Image {
    let mut bytes = b"GIF89a".to_vec();
    bytes.resize(5000, 7);
    Image::from_bytes(bytes).unwrap()
}

fn world() -> World {
    let world = World::new();
    let mut reply = ModelReply::new(r#"{"text":"It is whole."}"#);
    reply.usage = Usage::for_call(1000, 100).cached(800, 150).reasoning(60);
    let runner = Inspecting::runner().model(ScriptedModel::new([reply])).store(world.store());
    let roof = Roof { photo: photo(), text: String::new() };
    wait(async { runner.run_id("roof").run(roof).await.unwrap() });
    world
}

#[test]
fn images_are_shown_as_placeholders_and_references() {
    let world = world();
    let placeholder =
        format!("[image image/gif, 5000 bytes, {}]", photo().digest().unwrap().short());
    let page = world.printed(&["show", "roof", "--prompts"]);
    assert!(page.contains(&format!("Describe {placeholder}")), "{page}");
    let reference =
        json!({ "mediaType": "image/gif", "blob": photo().digest().unwrap(), "bytes": 5000 });
    assert_eq!(world.json(&["show", "roof", "--at", "1"])[0]["state"]["photo"], reference);
    for arguments in
        [vec!["show", "roof", "--prompts", "--json"], vec!["show", "roof", "--at", "0"]]
    {
        let printed = world.printed(&arguments);
        assert!(!printed.contains("R0lGODlh"), "{printed}");
    }
}

#[test]
fn cached_tokens_and_thoughts_are_shown_where_there_are_some() {
    let page = world().printed(&["show", "roof"]);
    let usage = "1 call, 1000 + 100 tokens, 800 cached, 150 written to the cache, 60 of thoughts";
    assert!(page.contains(usage), "{page}");
    let summary = &world().json(&["list"])[0];
    assert_eq!(summary["usage"]["cached_tokens"], 800);
}

#[test]
fn a_fork_with_an_edited_state_keeps_its_images() {
    let world = world();
    let mut state = world.json(&["show", "roof", "--at", "0"])[0]["state"].clone();
    state["text"] = "Edited.".into();
    let file = world.file("state.json", &state.to_string());
    world.printed(&["fork", "roof", "--at", "0", "--as", "other", "--state", &file]);
    let model = ScriptedModel::new([r#"{"text":"It leaks."}"#]);
    let runner = Inspecting::runner().model(model).store(world.store());
    let run = wait(async { runner.resume("other").unwrap().await.unwrap() });
    assert_eq!((run.state.photo, run.state.text.as_str()), (photo(), "It leaks."));
}

#[test]
fn a_case_of_a_run_has_the_bytes() {
    let case = world().printed(&["case", "roof", "--expected-state"]);
    let case: serde_json::Value = serde_json::from_str(&case).unwrap();
    let photo_of = |state: &serde_json::Value| Roof::deserialize(state).unwrap().photo;
    assert_eq!(photo_of(&case["state"]), photo());
    assert_eq!(photo_of(&case["expected"]), photo());
}
