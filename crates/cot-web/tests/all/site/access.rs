//! Who may see and change what.

use std::{net::SocketAddr, sync::Arc};

use axum::Router;
use cot_core::store::Store;
use cot_web::{Access, HeaderName, Site};

use super::world::{Answer, get, get_with, open_site, post, sign_in, some_runs};

const PAGES: &[&str] = &[
    "/",
    "/people",
    "/people/letter-1",
    "/answers?process=Letters&task=approve&kind=0",
    "/costs",
    "/start",
    "/compare",
    "/runs/letter-1",
    "/runs/letter-1/steps/0",
    "/runs/letter-1/fork",
    "/runs/letter-1/cancel",
    "/runs/letter-1/live",
    "/live",
    "/nothing",
    "/runs/letter-9",
];

const CHANGES: &[&str] = &[
    "/people/letter-1",
    "/answers?process=Letters&task=approve&kind=0",
    "/runs/letter-1/fork",
    "/runs/letter-1/cancel",
    "/runs/letter-1/retry",
    "/start",
];

/// Signs in with the token of a site. Returns the cookie.
async fn token_session(site: &Site, router: &Router) -> (Answer, String) {
    let listening: SocketAddr = "127.0.0.1:4319".parse().unwrap();
    let address = site.address(listening);
    let path = address.strip_prefix("http://127.0.0.1:4319").unwrap();
    let answer = get(router, &format!("{path}&q=a+b")).await;
    let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
    (answer, cookie)
}

#[tokio::test]
async fn without_access_every_page_is_refused() {
    let sites = [
        Access::token(),
        Access::password("open sesame"),
        Access::header(HeaderName::from_static("x-forwarded-user")),
    ];
    for access in sites {
        let store = some_runs().await;
        let router = Site::new(store.clone()).store_name("letters.db").access(access).router();
        for path in PAGES {
            let page = get_with(&router, path, &[("cookie", "cot_session_4319=1.2.3")]).await;
            assert_eq!(page.status, 401, "{path}");
            let tells = ["letter-2", "Ann", "letters.db"].iter().any(|it| page.text.contains(it));
            assert!(!tells, "{path}");
        }
        for path in CHANGES {
            assert_eq!(post(&router, path, "", &[]).await.status, 401, "{path}");
        }
        assert_eq!(store.count(&Default::default()).await.unwrap(), 123);
    }
}

#[tokio::test]
async fn a_token_becomes_a_session() {
    let site = Site::new(some_runs().await);
    let router = site.router();
    let (answer, cookie) = token_session(&site, &router).await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/?q=a+b"));
    let attributes = answer.header("set-cookie");
    for attribute in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(attributes.contains(attribute), "{attributes}");
    }
    assert_eq!(get_with(&router, "/", &[("cookie", &cookie)]).await.status, 200);
    // A session is signed, and belongs to this site alone.
    let forged = cookie.replace('a', "b");
    assert_eq!(get_with(&router, "/", &[("cookie", &format!("{forged}0"))]).await.status, 401);
    let other = Site::new(some_runs().await).router();
    assert_eq!(get_with(&other, "/", &[("cookie", &cookie)]).await.status, 401);
    assert_eq!(get(&router, "/?token=wrong").await.status, 401);
}

#[tokio::test]
async fn a_page_of_another_site_changes_nothing() {
    let site = Site::new(some_runs().await);
    let router = site.router();
    let (_, cookie) = token_session(&site, &router).await;
    let csrf = get_with(&router, "/runs/letter-1/cancel", &[("cookie", &cookie)]).await.csrf();
    let form = format!("csrf={csrf}");
    let cookie = ("cookie", cookie.as_str());
    for headers in [
        &[cookie, ("origin", "https://evil.example")][..],
        &[cookie, ("origin", "null")],
        &[cookie, ("sec-fetch-site", "cross-site")],
        &[cookie, ("sec-fetch-site", "same-site"), ("origin", "http://localhost:4319")],
    ] {
        let answer = post(&router, "/runs/letter-1/cancel", &form, headers).await;
        assert_eq!(answer.status, 403, "{headers:?}");
    }
    for form in ["", "csrf=", "csrf=0", "a=1&csrf"] {
        let answer = post(&router, "/runs/letter-1/cancel", form, &[cookie]).await;
        assert_eq!(answer.status, 403, "{form}");
        assert!(answer.text.contains("another session"));
    }
    let headers = [cookie, ("origin", "http://localhost:4319"), ("sec-fetch-site", "same-origin")];
    assert_eq!(post(&router, "/runs/letter-1/cancel", &form, &headers).await.status, 303);
}

#[tokio::test]
async fn a_site_with_a_token_answers_to_names_of_this_machine() {
    let site = Site::new(some_runs().await).host("Cot.Example");
    let router = site.router();
    let (_, cookie) = token_session(&site, &router).await;
    for (host, status) in [
        ("localhost:4319", 200),
        ("127.0.0.1:4319", 200),
        ("[::1]:4319", 200),
        ("cot.example:4319", 200),
        ("evil.example:4319", 421),
        ("127.0.0.1.evil.example:4319", 421),
        ("localhost@evil:4319", 421),
    ] {
        let request = axum::http::Request::get("/").header("host", host).header("cookie", &cookie);
        let request = request.body(axum::body::Body::empty()).unwrap();
        assert_eq!(super::world::send(&router, request).await.status, status, "{host}");
    }
}

#[tokio::test]
async fn a_password_is_asked_for_and_can_be_tried_ten_times() {
    let router = Site::new(some_runs().await).access(Access::password("open sesame")).router();
    let page = get(&router, "/people?x=1").await;
    assert!(page.text.contains(r#"name="to" value="/people?x=1""#), "{}", page.text);
    let signed_in = post(&router, "/login", "password=open+sesame&to=/people", &[]).await;
    assert_eq!((signed_in.status.as_u16(), signed_in.header("location")), (303, "/people"));
    let cookie = signed_in.header("set-cookie").split(';').next().unwrap().to_owned();
    let cookie = ("cookie", cookie.as_str());
    for target in ["//evil.example", "https://evil.example", "/\\evil.example", "/%0d%0aX:1"] {
        let answer =
            post(&router, "/login", &format!("password=open+sesame&to={target}"), &[]).await;
        assert_eq!(answer.header("location"), "/", "{target}");
    }
    for _ in 0..10 {
        assert_eq!(post(&router, "/login", "password=open", &[]).await.status, 401);
    }
    let locked = post(&router, "/login", "password=open+sesame", &[]).await;
    assert_eq!(locked.status, 429);
    assert!(!locked.header("retry-after").is_empty());
    // Who is signed in stays so, until the session is ended.
    let page = get_with(&router, "/", &[cookie]).await;
    assert_eq!(page.status, 200);
    let out = post(&router, "/logout", &format!("csrf={}", page.csrf()), &[cookie]).await;
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    // A copy of the cookie has no session either.
    assert_eq!(get_with(&router, "/", &[cookie]).await.status, 401);
}

#[tokio::test]
async fn a_session_ends_alone() {
    let site = Site::new(some_runs().await);
    let router = site.router();
    let (_, first) = token_session(&site, &router).await;
    let (_, second) = token_session(&site, &router).await;
    let (first, second) = (("cookie", first.as_str()), ("cookie", second.as_str()));
    let page = get_with(&router, "/", &[first]).await;
    let stolen = post(&router, "/logout", &format!("csrf={}", page.csrf()), &[second]).await;
    assert_eq!(stolen.status, 403);
    post(&router, "/logout", &format!("csrf={}", page.csrf()), &[first]).await;
    assert_eq!(get_with(&router, "/", &[first]).await.status, 401);
    assert_eq!(get_with(&router, "/", &[second]).await.status, 200);
}

/// Sends ten wrong passwords from one client.
async fn lock(router: &Router, peer: &str, sender: &str) {
    for _ in 0..10 {
        assert_eq!(sign_in(router, peer, sender, "open").await, 401, "{peer} {sender}");
    }
    assert_eq!(sign_in(router, peer, sender, "right").await, 429, "{peer} {sender}");
}

#[tokio::test]
async fn wrong_passwords_lock_out_their_client_alone() {
    let site = Site::new(some_runs().await).access(Access::password("right"));
    let router = site.router();
    lock(&router, "192.0.2.1", "").await;
    // Anybody can send the header.
    assert_eq!(sign_in(&router, "192.0.2.1", "192.0.2.9", "right").await, 429);
    assert_eq!(sign_in(&router, "::ffff:192.0.2.1", "", "right").await, 429);
    assert_eq!(sign_in(&router, "192.0.2.9", "192.0.2.1", "right").await, 303);
    // One client can have all addresses of a network.
    lock(&router, "2001:db8::1", "").await;
    assert_eq!(sign_in(&router, "2001:db8::2:1", "", "right").await, 429);
    assert_eq!(sign_in(&router, "2001:db8:0:1::1", "", "right").await, 303);
}

#[tokio::test]
async fn clients_of_a_trusted_proxy_are_told_apart() {
    let site = Site::new(some_runs().await).access(Access::password("right"));
    let site = site.trust_proxy("127.0.0.1".parse().unwrap());
    let router = site.trust_proxy("10.0.0.1".parse().unwrap()).router();
    lock(&router, "127.0.0.1", "203.0.113.7").await;
    for (peer, sender, status) in [
        ("127.0.0.1", "203.0.113.8", 303),
        // What a client has written stands before what the proxy adds.
        ("127.0.0.1", "203.0.113.8, 203.0.113.7", 429),
        ("127.0.0.1", "203.0.113.7, 203.0.113.8:51000", 303),
        ("127.0.0.1", "203.0.113.7, 10.0.0.1", 429),
        ("::ffff:127.0.0.1", "203.0.113.7", 429),
        ("127.0.0.1", "203.0.113.7, unknown", 303),
        ("203.0.113.9", "203.0.113.7", 303),
    ] {
        assert_eq!(sign_in(&router, peer, sender, "right").await, status, "{peer} {sender}");
    }
}

#[tokio::test]
async fn a_reverse_proxy_names_the_user() {
    let name = HeaderName::from_static("x-forwarded-user");
    let router = Site::new(some_runs().await).access(Access::header(name)).router();
    let page = get_with(&router, "/runs/letter-1/cancel", &[("x-forwarded-user", "ann<b>")]).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("ann&lt;b&gt;"));
    // The token of a form belongs to its user.
    let form = format!("csrf={}", page.csrf());
    let path = "/runs/letter-1/cancel";
    assert_eq!(post(&router, path, &form, &[("x-forwarded-user", "ben")]).await.status, 403);
    assert_eq!(post(&router, path, &form, &[("x-forwarded-user", "ann<b>")]).await.status, 303);
}

#[tokio::test]
async fn a_read_only_site_has_no_forms() {
    let store = some_runs().await;
    let router = Site::new(store).access(Access::open()).read_only().router();
    let csrf = get(&open_site(some_runs().await), "/runs/letter-1/cancel").await.csrf();
    for path in PAGES.iter().filter(|path| !path.ends_with("live")) {
        let page = get(&router, path).await;
        assert!(!page.text.contains(r#"method="post""#), "{path}");
    }
    for path in CHANGES {
        let answer = post(&router, path, &format!("csrf={csrf}"), &[]).await;
        assert_eq!(answer.status, 403, "{path}");
    }
}

#[tokio::test]
async fn every_response_has_the_headers_of_a_safe_page() {
    let router = open_site(some_runs().await);
    let style = get(&router, "/").await.text;
    let style =
        style.split(r#"rel="stylesheet" href=""#).nth(1).unwrap().split('"').next().unwrap();
    for path in PAGES.iter().filter(|path| !path.ends_with("live")).chain(&[style]) {
        let answer = get(&router, path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}");
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"));
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
        let cache = if *path == style { "public, max-age=31536000, immutable" } else { "no-store" };
        assert_eq!(answer.header("cache-control"), cache, "{path}");
    }
}

#[tokio::test]
async fn a_site_is_nested_in_a_service() {
    let site = Site::new(some_runs().await).access(Access::open()).nested_at("/cot");
    let router = Router::new().route("/health", axum::routing::get(|| async { "well" }));
    let router = router.merge(site.router());
    assert_eq!(get(&router, "/health").await.text, "well");
    let slash = get(&router, "/cot/?q=a+b").await;
    assert_eq!((slash.status.as_u16(), slash.header("location")), (303, "/cot?q=a+b"));
    assert!(get(&router, "/cot/nothing").await.text.contains("No such page"));
    let page = get(&router, "/cot").await;
    assert_eq!(page.status, 200);
    assert!(
        page.text.contains(r#"href="/cot/runs/letter-1""#) && !page.text.contains(r#"href="/runs"#)
    );
    let _: Arc<dyn Store> = some_runs().await;
}
