//! The events of one open page.

use std::{convert::Infallible, time::Duration};

use axum::response::{
    IntoResponse, Response, Sse,
    sse::{Event, KeepAlive},
};
use futures_util::{Stream, StreamExt, stream};
use serde_json::json;
use tokio::sync::watch;

use super::{
    poller::listen,
    topics::{News, Topic},
};
use crate::visit::Visit;

/// How often a comment is sent when nothing happens, so that both sides notice a connection that is gone.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Responds with the events of a topic: `changed` when the page should be loaded again, also at the start, since
/// it may have changed after it was loaded; `draft` with the text of a reply that is being streamed; `trouble` with why the
/// store can't be read.
pub(crate) fn events(visit: &Visit, topic: Topic) -> Response {
    let news = listen(&visit.state, topic);
    let mut closing = visit.state.live().closing();
    let closed = async move {
        // An error means that the site is gone.
        let _ = closing.wait_for(|closing| *closing).await;
    };
    let events = stream_news(news).take_until(closed);
    Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response()
}

fn stream_news(
    news: watch::Receiver<News>,
) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
    let batches = stream::unfold((news, None::<News>), |(mut receiver, sent)| async move {
        if sent.is_some() {
            // An error means that the poller is gone.
            receiver.changed().await.ok()?;
        }
        let news = receiver.borrow_and_update().clone();
        let events = events_between(sent.as_ref(), &news);
        Some((stream::iter(events.into_iter().map(Ok)), (receiver, Some(news))))
    });
    batches.flatten()
}

fn events_between(sent: Option<&News>, news: &News) -> Vec<Event> {
    let mut events = Vec::new();
    let known = |draft: &&(String, String)| sent.is_none_or(|sent| !sent.drafts.contains(draft));
    for (_, draft) in news.drafts.iter().filter(known) {
        events.push(event("draft", draft));
    }
    if sent.is_none_or(|sent| sent.changes != news.changes) {
        events.push(event("changed", ""));
    }
    if let Some(trouble) = &news.trouble
        && sent.is_none_or(|sent| sent.trouble != news.trouble)
    {
        events.push(event("trouble", &json!(trouble).to_string()));
    }
    events
}

fn event(name: &str, data: &str) -> Event {
    // An event without data is not delivered. JSON has no line ends.
    Event::default().event(name).data(if data.is_empty() { "{}" } else { data })
}
