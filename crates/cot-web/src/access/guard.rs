//! What every request passes before a handler, and every response after it.

use std::{
    panic::AssertUnwindSafe,
    time::{Duration, SystemTime},
};

use axum::{
    body::to_bytes,
    extract::{Request, State},
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use maud::html;
use tokio::time::timeout;

use super::{
    access::AccessKind,
    client::Client,
    login::login_page,
    origin::{is_cross_site_link, is_same_origin},
};
use crate::{
    error::PageError,
    fields::Fields,
    frame::{
        form::CSRF_FIELD,
        page::{Page, see_other},
    },
    links::with_query,
    server::connection::Connection,
    state::AppState,
    visit::{Facts, Visit, Visitor},
};

/// The longest query of an address, in bytes.
const MAX_QUERY: usize = 8 * 1024;
/// The longest form, in bytes.
const MAX_FORM: usize = 8 * 1024 * 1024;
/// The longest form of a visitor without access, which is that of the login page, in bytes.
const MAX_LOGIN_FORM: usize = 4 * 1024;
/// How long a form may take to arrive.
const FORM_TIMEOUT: Duration = Duration::from_secs(60);

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// The headers of every response. Referrers stay within the site; with `no-referrer`, browsers would hide the origin of the
/// site's own forms.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Admits a request or refuses it, calls the handler, and completes the response.
pub(crate) async fn guard(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let visit = visit(state, &request);
    let response = match admit(&visit, request).await {
        Ok(request) => {
            let response = AssertUnwindSafe(next.run(request)).catch_unwind().await;
            response.unwrap_or_else(|_| PageError::internal("It panicked.").into_response())
        }
        Err(response) => response,
    };
    complete(&visit, response)
}

fn visit(state: AppState, request: &Request) -> Visit {
    let now = SystemTime::now();
    let visitor = state.gate().visitor(request.headers(), now);
    let query = request.uri().query().unwrap_or_default();
    let query = query.get(..MAX_QUERY.min(query.len())).unwrap_or_default();
    let facts = Facts {
        visitor,
        client: Client::from_request(request, &state.gate().proxies),
        path: request.uri().path().to_owned(),
        query: Fields::parse(query.as_bytes()),
        now,
    };
    Visit::new(state, facts)
}

/// Returns the request for its handler, with what the guard found out, or the response that refuses it.
async fn admit(visit: &Visit, request: Request) -> Result<Request, Response> {
    let refuse = IntoResponse::into_response;
    if !visit.state.gate().knows_host(request.headers()) {
        return Err(refuse(unknown_host()));
    }
    if let Some(connection) = request.extensions().get::<Connection>()
        && visit.visitor().is_some()
    {
        connection.admit();
    }
    if request.uri().query().is_some_and(|query| query.len() > MAX_QUERY) {
        let error = PageError::new(
            StatusCode::URI_TOO_LONG,
            "The address is too long",
            format!("Its query has more than {MAX_QUERY} bytes."),
        );
        return Err(refuse(error));
    }
    let is_public = visit.path() == "/login" || visit.path().starts_with("/assets/");
    if !is_public && let Some(response) = identify(visit, &request) {
        return Err(response);
    }
    let mut request = match *request.method() {
        Method::GET | Method::HEAD => request,
        _ => check_form(visit, request).await.map_err(refuse)?,
    };
    request.extensions_mut().insert(visit.clone());
    Ok(request)
}

/// Returns the response for a request without a session: the start of one, the login page, or an error. `None` for a
/// request with a session.
fn identify(visit: &Visit, request: &Request) -> Option<Response> {
    let (gate, links, headers) = (visit.state.gate(), visit.links(), request.headers());
    let token = visit.query().get("token").filter(|_| request.method() == Method::GET);
    if let Some(token) = token
        && gate.is_token(token)
    {
        let query: Vec<_> = visit.query().iter().filter(|(name, _)| *name != "token").collect();
        let address = with_query(links.within(visit.path()), &query);
        let cookie = gate.cookie(headers, links, visit.now());
        return Some(([(header::SET_COOKIE, cookie)], see_other(&address)).into_response());
    }
    if visit.visitor().is_some() {
        return None;
    }
    if is_cross_site_link(headers) {
        return Some(pass_on(visit));
    }
    Some(match gate.kind {
        AccessKind::Password(_) if request.method() == Method::GET => {
            let query: Vec<_> = visit.query().iter().collect();
            let target = with_query(visit.path().to_owned(), &query);
            (StatusCode::UNAUTHORIZED, login_page(visit, &target, None)).into_response()
        }
        _ => unidentified(&gate.kind).into_response(),
    })
}

fn unidentified(kind: &AccessKind) -> PageError {
    let error = |message| PageError::new(StatusCode::UNAUTHORIZED, "Who are you?", message);
    match kind {
        AccessKind::Token(_) => error("This page opens with the token in its address.")
            .advice("Open the address that `cot serve` has printed, which ends in `?token=…`. A new start has a new token."),
        AccessKind::Password(_) => error("Sign in first; your session may have ended."),
        AccessKind::Header(name) => error("The reverse proxy did not say who you are.")
            .advice(format!("It has to set the header `{name}`.")),
        AccessKind::Open => error("There is no access."),
    }
}

/// A page that leads to itself. The browser sends the session with that request, but not with one from another site's page.
fn pass_on(visit: &Visit) -> Response {
    let query: Vec<_> = visit.query().iter().collect();
    let address = with_query(visit.links().within(visit.path()), &query);
    let body = html! {
        section.card.login {
            h1 { "One moment" }
            p { a.button href=(address) { "Continue" } }
        }
    };
    let page = Page::new(visit, "One moment").body(body).into_response();
    match HeaderValue::from_str(&format!("0; url={address}")) {
        Ok(refresh) => ([(header::REFRESH, refresh)], page).into_response(),
        Err(_) => page,
    }
}

fn unknown_host() -> PageError {
    PageError::new(
        StatusCode::MISDIRECTED_REQUEST,
        "Unknown name",
        "The site does not answer to the name in this address.",
    )
    .advice("Use `127.0.0.1` or `localhost`, or tell the site its name.")
}

/// Checks a request that changes something, and parses its form.
async fn check_form(visit: &Visit, request: Request) -> Result<Request, PageError> {
    if !is_same_origin(request.headers()) {
        return Err(PageError::forbidden("The form was posted by a page of another site."));
    }
    let (mut parts, body) = request.into_parts();
    let limit = if visit.visitor().is_some() { MAX_FORM } else { MAX_LOGIN_FORM };
    let body = timeout(FORM_TIMEOUT, to_bytes(body, limit)).await.map_err(|_| too_slow())?;
    let body = body.map_err(|_| too_large(limit))?;
    let is_form = parts.headers.get(header::CONTENT_TYPE).is_none_or(|media_type| {
        media_type.as_bytes().starts_with(b"application/x-www-form-urlencoded")
    });
    if !is_form {
        let message = "A form is posted as `application/x-www-form-urlencoded`.";
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(PageError::new(status, "Not a form", message));
    }
    let fields = Fields::parse(&body);
    if let Some(Visitor { csrf, .. }) = visit.visitor().filter(|_| visit.path() != "/login") {
        let given = fields.get(CSRF_FIELD).unwrap_or_default();
        if !visit.state.gate().key.is_equal(csrf, given) {
            return Err(PageError::forbidden("The form belongs to another session.")
                .advice("Your session may have ended, or the program was started again. Nothing was changed: go back, load the page again, and repeat."));
        }
    }
    let is_session = ["/login", "/logout"].contains(&visit.path());
    if visit.is_read_only() && !is_session {
        return Err(PageError::forbidden("This site is read-only: it can't change runs."));
    }
    parts.extensions.insert(fields);
    Ok(Request::from_parts(parts, axum::body::Body::empty()))
}

fn too_large(limit: usize) -> PageError {
    PageError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "The form is too large",
        format!("Here, a form has at most {} KiB.", limit / 1024),
    )
}

fn too_slow() -> PageError {
    PageError::new(
        StatusCode::REQUEST_TIMEOUT,
        "The form is too slow",
        format!(
            "It did not arrive within {} seconds. Nothing was changed.",
            FORM_TIMEOUT.as_secs()
        ),
    )
}

/// Writes the page of an error, and adds the headers that every response has.
fn complete(visit: &Visit, mut response: Response) -> Response {
    let is_page = response.headers().get(header::CONTENT_TYPE).is_some_and(is_html);
    let status = response.status();
    if (status.is_client_error() || status.is_server_error()) && !is_page {
        let error = response.extensions().get::<PageError>().cloned();
        let error = error.unwrap_or_else(|| from_status(status));
        let page = Page::new(visit, error.title()).body(error.body()).into_response();
        let (parts, body) = page.into_parts();
        response.headers_mut().remove(header::CONTENT_LENGTH);
        response.headers_mut().extend(parts.headers);
        *response.body_mut() = body;
    }
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn is_html(media_type: &HeaderValue) -> bool {
    media_type.as_bytes().starts_with(b"text/html")
}

/// Makes a page of an error that the router reports.
fn from_status(status: StatusCode) -> PageError {
    match status {
        StatusCode::NOT_FOUND => PageError::not_found(),
        StatusCode::METHOD_NOT_ALLOWED => PageError::new(
            status,
            "Not like this",
            "This address is not made for this method. A page that posts a form can't be opened by its address.",
        ),
        _ => PageError::new(
            status,
            status.canonical_reason().unwrap_or("Error"),
            "The request could not be processed.",
        ),
    }
}
