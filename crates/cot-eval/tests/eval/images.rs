//! Cases with images.

use cot_core::{
    eval::{Case, Eval},
    model::{Image, ScriptedModel},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Receipt {
    photo: Image,
    stamp: Option<Image>,
}

#[test]
fn an_image_is_a_member_like_any_other() {
    let json = r#"{"mediaType":"image/png","data":"iVBORw0KGgo="}"#;
    let line = format!(r#"{{"name":"a","state":{{"photo":{json}}}}}"#);
    let cases = Case::<Receipt>::from_json_lines(&line).unwrap();
    let photo = Image::from_bytes(b"\x89PNG\r\n\x1a\n").unwrap();
    assert_eq!(cases[0].state, Receipt { photo, stamp: None });
    let cell = format!("name,state.photo\na,\"{}\"\n", json.replace('"', "\"\""));
    assert_eq!(Case::<Receipt>::from_csv(&cell).unwrap(), cases);
    let address =
        "name,state.photo.mediaType,state.photo.url\na,image/png,https://example.org/a.png\n";
    let cases = Case::<Receipt>::from_csv(address).unwrap();
    assert_eq!(cases[0].state.photo, Image::from_url("https://example.org/a.png").unwrap());
    let wrong =
        Case::<Receipt>::from_json_lines(&line.replace("iVBORw0KGgo=", "AAAA")).unwrap_err();
    assert!(wrong.to_string().starts_with("line 1, column "), "{wrong}");
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Total {
    cents: u32,
}

cot_process! {
    process Reader {
        state: { input photo: Image, cents: u32 },

        task read -> Total {
            prompt: "Read the total: ${image(state.photo)}",
            update: { cents = output.cents },
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn a_report_refers_to_the_images_of_a_failed_trial() {
    let photo = Image::from_bytes(b"\x89PNG\r\n\x1a\n").unwrap();
    let model = ScriptedModel::new([r#"{"cents":700}"#]);
    let eval = Eval::new("totals", vec![Case::new("a", ReaderState::new(photo.clone()))]);
    let eval = eval.variant("small", Reader::runner().model(model));
    let report = eval.score("total", |trial| trial.state().cents == Some(7)).run().await;
    let state = report.trials[0].state.as_ref().unwrap();
    assert_eq!(state["cents"], 700);
    assert_eq!(state["photo"]["blob"], serde_json::to_value(photo.digest()).unwrap());
    assert_eq!(state["photo"].get("data"), None);
}
