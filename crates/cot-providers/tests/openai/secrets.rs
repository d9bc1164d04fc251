//! No output contains a key, and no prompt is sent to a server that the user did not name.

use std::{error::Error, fmt::Write};

use cot_model::ModelError;
use cot_providers::{ClientBuildError, OpenAiCompatible};

use crate::{
    KEY, ask, builder, model,
    server::{Answer, Server},
    status,
};

#[tokio::test]
async fn a_server_that_repeats_the_key_is_not_quoted_with_it() {
    let message = format!("Incorrect API key provided: {KEY}.");
    for (answer, shown) in [
        (Answer::failure(401, &message), "401 Unauthorized: Incorrect API key provided: [secret]."),
        (Answer::new(403, message.clone()), "Incorrect API key provided: [secret]."),
        (Answer::new(200, message.clone()).with("content-type", "text/plain"), "[secret]"),
        (Answer::new(200, message.clone()).with("content-type", KEY), "`[secret]`"),
        (Answer::new(200, message.clone()), "[secret]"),
    ] {
        let server = Server::start([answer]).await;
        let error = ask(&model(&server.base_url)).await.unwrap_err();
        assert!(error.to_string().contains(shown), "{error}");
        assert_no_secret(&all_texts(&error), &[KEY, "sk-"]);
    }
}

#[tokio::test]
async fn neither_the_key_nor_a_secret_in_the_url_is_shown() {
    let server = Server::start([Answer::new(401, "no")]).await;
    let base = server.base_url.replace("http://", "http://user:pa55@") + "?token=t0ken";
    let model = OpenAiCompatible::builder(&base, "tiny").build().unwrap();
    let error = ask(&model).await.unwrap_err();
    let asked = &server.asked()[0];
    assert_eq!(asked.target, "/v1/chat/completions?token=t0ken");
    assert_eq!(asked.headers["authorization"], "Basic dXNlcjpwYTU1");
    let secrets = ["pa55", "t0ken", "dXNlcjpwYTU1"];
    assert_no_secret(&(all_texts(&error) + &format!("{model:?} {model:#?}")), &secrets);

    let nowhere = OpenAiCompatible::builder("http://user:pa55@127.0.0.1:1/?token=t0ken", "tiny");
    let error = ask(&nowhere.max_retries(0).build().unwrap()).await.unwrap_err();
    assert_no_secret(&all_texts(&error), &secrets);
}

#[tokio::test]
async fn a_server_that_repeats_secrets_of_the_url_is_not_quoted_with_them() {
    let request_line = "POST /v1/chat/completions?api-key=SECRET%2F123&v=2 (api-key SECRET/123)";
    let user_info = "no entry for me:PA%53S99, that is me:PASS99 or Basic bWU6UEFTUzk5";
    for (user, query, said, shown) in [
        ("", "?api-key=SECRET%2F123&v=2", request_line, "?api-key=[secret]&v=2 (api-key [secret])"),
        ("me:PA%53S99@", "", user_info, "me:[secret], that is me:[secret] or Basic [secret]"),
        ("T0KEN@", "?LONE", "T0KEN LONE", "[secret] [secret]"),
    ] {
        for answer in [
            Answer::failure(401, said),
            Answer::new(401, said),
            Answer::new(200, said),
            Answer::new(200, "no").with("content-type", said),
        ] {
            let server = Server::start([answer]).await;
            let base = server.base_url.replace("http://", &format!("http://{user}")) + query;
            let model = OpenAiCompatible::builder(base, "tiny").build().unwrap();
            let error = ask(&model).await.unwrap_err();
            assert!(error.to_string().contains(shown), "{error}");
            let texts = all_texts(&error).to_lowercase();
            assert_no_secret(&texts, &["123", "s99", "bwu6ue", "t0ken", "lone"]);
        }
    }
}

#[test]
fn neither_builder_nor_model_shows_the_key() {
    let builder = builder("http://user:pa55@127.0.0.1:1/v1?token=t0ken");
    assert_no_secret(&format!("{builder:?} {builder:#?}"), &[KEY, "pa55", "t0ken"]);
    let model = model("http://127.0.0.1:1/v1?token=t0ken");
    let shown = format!("{model:?}");
    assert!(shown.contains("http://127.0.0.1:1/v1/chat/completions"), "{shown}");
    assert_no_secret(&format!("{model:?} {model:#?}"), &[KEY, "t0ken"]);
}

#[test]
fn what_can_not_be_built_is_a_typed_error_without_secrets() {
    let build = |url: &str, key: &str| builder(url).key(key).build().unwrap_err();
    let url = "http://user:pa55@";
    assert!(matches!(build("no url", KEY), ClientBuildError::Url(_)));
    assert!(matches!(build(url, KEY), ClientBuildError::Url(_)));
    assert!(matches!(build("ftp://h/v1", KEY), ClientBuildError::Scheme));
    assert!(matches!(build("http://u:pa55@h/v1", KEY), ClientBuildError::TwoCredentials));
    for key in ["", "sk-line\nbreak", "sk-ümlaut"] {
        assert!(matches!(build("http://h/v1", key), ClientBuildError::Key));
    }
    for error in [build(url, KEY), build("http://h/v1", "sk-line\nbreak")] {
        assert_no_secret(&chain(&error), &["sk-", "pa55"]);
    }
}

#[tokio::test]
async fn a_redirection_to_another_server_is_not_followed() {
    for code in [301, 302, 303, 307, 308] {
        let other = Server::start([Answer::completion("stolen")]).await;
        let to = format!("{}/chat/completions?token=t0ken", other.base_url);
        let server = Server::start([Answer::new(code, "").with("location", to)]).await;
        let error = ask(&model(&server.base_url)).await.unwrap_err();
        assert_eq!(status(&error), Some(code));
        let origin = other.base_url.trim_end_matches("/v1");
        let shown = format!("a redirection to {origin}, which is not followed");
        assert!(error.to_string().contains(&shown), "{error}");
        assert_no_secret(&all_texts(&error), &[KEY, "t0ken"]);
        assert_eq!((server.asked().len(), other.asked().len()), (1, 0));
    }
}

#[tokio::test]
async fn a_redirection_on_the_same_server_is_followed_if_it_keeps_the_request() {
    for code in [307, 308] {
        let moved = Answer::new(code, "").with("location", "/v2/chat");
        let server = Server::start([moved, Answer::completion("here")]).await;
        assert_eq!(ask(&model(&server.base_url)).await.unwrap().text, "here");
        let asked = server.asked();
        assert_eq!((asked[1].method.as_str(), asked[1].target.as_str()), ("POST", "/v2/chat"));
        assert_eq!(asked[0].body, asked[1].body);
        assert_eq!(asked[1].headers["authorization"], format!("Bearer {KEY}"));
        assert!(!asked[1].headers.contains_key("referer"));
    }
    let circle = Server::start([Answer::new(307, "").with("location", "/v1/chat")]).await;
    assert_eq!(status(&ask(&model(&circle.base_url)).await.unwrap_err()), Some(307));
    let moved = Answer::new(303, "").with("location", "/v2/chat");
    let server = Server::start([moved, Answer::completion("here")]).await;
    let error = ask(&model(&server.base_url)).await.unwrap_err();
    assert!(error.to_string().ends_with(": a redirection, which is not followed"), "{error}");
}

/// All printable forms of an error.
fn all_texts(error: &ModelError) -> String {
    chain(error) + &serde_json::to_string(error).unwrap()
}

fn chain(error: &(dyn Error + 'static)) -> String {
    let mut texts = String::new();
    let mut next = Some(error);
    while let Some(error) = next {
        write!(texts, "{error} {error:?} {error:#?} ").unwrap();
        next = error.source();
    }
    texts
}

fn assert_no_secret(texts: &str, secrets: &[&str]) {
    for secret in secrets {
        assert!(!texts.contains(secret), "{secret} is shown: {texts}");
    }
}
