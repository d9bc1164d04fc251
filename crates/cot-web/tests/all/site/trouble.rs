//! Wrong addresses, wrong methods, and stores that fail.

use std::net::SocketAddr;

use cot_web::{Access, Site};

use super::world::{get, get_with, open_site, post, some_runs};

#[tokio::test]
async fn wrong_addresses_and_methods_have_a_page() {
    let router = open_site(some_runs().await);
    for (path, status, text) in [
        ("/nothing", 404, "No such page"),
        ("/people/letter-99", 404, "letter-99"),
        ("/people/%00%ff", 404, "No such page"),
        ("/people/a%20b", 404, "No such page"),
        ("/assets/style.css", 404, "No such page"),
        ("/runs/letter-1/retry", 405, "Not like this"),
    ] {
        let page = get(&router, path).await;
        assert_eq!(page.status, status, "{path}");
        assert!(page.text.contains(text) && page.text.contains("<main"), "{path}: {}", page.text);
    }
    assert_eq!(post(&router, "/costs", "", &[]).await.status, 403);
    let long = format!("/?q={}", "a".repeat(9_000));
    assert_eq!(get(&router, &long).await.status, 414);
}

#[tokio::test]
async fn a_form_is_bounded() {
    let router = open_site(some_runs().await);
    let form = "a=".to_owned() + &"b".repeat(9 * 1024 * 1024);
    assert_eq!(post(&router, "/start", &form, &[]).await.status, 413);
    let json = post(&router, "/start", "{}", &[("content-type", "application/json")]).await;
    assert_ne!(json.status, 303);
}

#[tokio::test]
async fn a_cancel_that_is_posted_twice_shows_the_present_state() {
    let router = open_site(some_runs().await);
    let csrf = get(&router, "/runs/letter-1/cancel").await.csrf();
    let form = format!("csrf={csrf}");
    assert_eq!(post(&router, "/runs/letter-1/cancel", &form, &[]).await.status, 303);
    let ended = post(&router, "/runs/letter-3/cancel", &form, &[]).await;
    assert_eq!(ended.status, 409, "{}", ended.text);
}

#[tokio::test]
async fn a_link_from_another_site_keeps_its_session() {
    let site = Site::new(some_runs().await);
    let headers = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
    let page = get_with(&site.router(), "/people?a=b", &headers).await;
    assert_eq!((page.status.as_u16(), page.header("refresh")), (200, "0; url=/people?a=b"));
    // The site itself asks again, and a visitor without a session is refused then.
    let again = [("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "navigate")];
    assert_eq!(get_with(&site.router(), "/people?a=b", &again).await.status, 401);
}

/// Paths that a browser takes for the name of another site, or that end a header.
const FOREIGN: &[&str] = &[
    "//evil.example/",
    "//evil.example/?a=b",
    "///evil.example",
    "//evil.example:80//people",
    "/\\evil.example/",
    "/\\/evil.example/",
];

fn is_within(address: &str, home: &str) -> bool {
    address.starts_with(home) && !address.starts_with("//") && !address.contains('\\')
}

#[tokio::test]
async fn no_address_leads_to_another_site() {
    let listening: SocketAddr = "127.0.0.1:4319".parse().unwrap();
    let click = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
    for (prefix, home) in [("", "/"), ("/cot", "/cot")] {
        let site = Site::new(some_runs().await).nested_at(prefix);
        let address = site.address(listening);
        let (_, token) = address.split_once("token=").unwrap();
        let with_password = site.clone().access(Access::password("open sesame")).router();
        let router = site.router();
        for path in FOREIGN {
            let target = format!("{prefix}{path}");
            let page = get_with(&router, &target, &click).await;
            let refresh = page.header("refresh").strip_prefix("0; url=").unwrap();
            assert!(is_within(refresh, home), "{target} leads to {refresh}");
            assert!(page.text.contains(&format!(r#"href="{refresh}""#)), "{}", page.text);
            let mark = if target.contains('?') { '&' } else { '?' };
            let page = get(&router, &format!("{target}{mark}token={token}")).await;
            assert!(page.status == 303 && is_within(page.header("location"), home), "{page:?}");
            let form = format!("password=open+sesame&to={path}");
            let page = post(&with_password, &format!("{prefix}/login"), &form, &[]).await;
            assert!(page.status == 303 && is_within(page.header("location"), home), "{page:?}");
        }
    }
}

#[tokio::test]
async fn without_a_description_a_case_is_made_only_with_private_fields() {
    let router = open_site(some_runs().await);
    assert!(get(&router, "/runs/letter-3").await.text.contains("With private fields"));
    let refused = get(&router, "/runs/letter-3/case").await;
    assert_eq!(refused.status, 409);
    assert!(refused.text.contains("no description of the process `Letters`"), "{}", refused.text);
}
