//! The login page, and the end of a session.

use std::time::Duration;

use axum::{
    Router,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use maud::{Markup, html};

use super::{access::AccessKind, session::end_cookie};
use crate::{
    error::PageError,
    fields::Fields,
    frame::{
        form::{Field, input},
        page::{Page, see_other},
        time::took,
    },
    state::AppState,
    visit::Visit,
};

pub(crate) fn routes() -> Router<AppState> {
    Router::new().route("/login", get(show).post(sign_in)).route("/logout", post(sign_out))
}

async fn show(visit: Visit) -> Response {
    if visit.visitor().is_some() || !matches!(visit.state.gate().kind, AccessKind::Password(_)) {
        return see_other(&visit.links().home());
    }
    login_page(&visit, target(visit.query()), None).into_response()
}

/// Renders the login page, which leads to a path within the site.
pub(crate) fn login_page(visit: &Visit, target: &str, issue: Option<&str>) -> Markup {
    let issues: Vec<String> = issue.map(str::to_owned).into_iter().collect();
    let body = html! {
        section.card.login {
            h1 { "Sign in" }
            p.muted { "This page shows the runs of a program. It asks for the password that it was started with." }
            form.form method="post" action=(visit.links().login()) {
                input type="hidden" name="to" value=(target);
                (Field::new("password", "Password").issues(&issues).control(|attributes| {
                    input(attributes, "password", "password", "")
                }))
                button.button.button-primary type="submit" { "Sign in" }
            }
        }
    };
    Page::new(visit, "Sign in").body(body)
}

async fn sign_in(visit: Visit, headers: HeaderMap, fields: Fields) -> Response {
    let (gate, now, client) = (visit.state.gate(), visit.now(), visit.client());
    if let Err(left) = gate.attempts.count(client, now) {
        return too_many(left);
    }
    if gate.is_password(fields.get("password").unwrap_or_default()) {
        gate.attempts.reset(client);
        let cookie = gate.cookie(&headers, visit.links(), now);
        let target = visit.links().within(target(&fields));
        return ([(header::SET_COOKIE, cookie)], see_other(&target)).into_response();
    }
    let page = login_page(&visit, target(&fields), Some("This is not the password."));
    (StatusCode::UNAUTHORIZED, page).into_response()
}

fn too_many(left: Duration) -> Response {
    let left = left.max(Duration::from_secs(1));
    let message = format!("There were too many wrong passwords. Try again in {}.", took(left));
    let error = PageError::new(StatusCode::TOO_MANY_REQUESTS, "Wait a moment", message);
    ([(header::RETRY_AFTER, left.as_secs().to_string())], error).into_response()
}

async fn sign_out(visit: Visit, headers: HeaderMap) -> Response {
    if let Some(session) = visit.visitor().and_then(|visitor| visitor.session.as_deref()) {
        visit.state.gate().sessions.end(session);
    }
    let cookie = end_cookie(&headers, visit.links());
    ([(header::SET_COOKIE, cookie)], see_other(&visit.links().home())).into_response()
}

/// Returns where to go after the login, which [`Links::within`](crate::links::Links::within) keeps within the site.
fn target(fields: &Fields) -> &str {
    fields.get("to").unwrap_or("/")
}
