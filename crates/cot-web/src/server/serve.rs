//! Accepts connections and serves a router over them.

use std::{net::SocketAddr, pin::pin, time::Duration};

use axum::{
    Router,
    extract::{ConnectInfo, Request},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
    time::{sleep, timeout},
};
use tower::ServiceExt;

use super::connection::{Connection, Strangers};

/// How long a connection may wait for the head of a request: after its start, and after each response.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// The longest head of a request, in bytes.
const MAX_HEAD: usize = 64 * 1024;
/// How long requests that are in flight may take after the end of the server was requested.
const GRACE: Duration = Duration::from_secs(3);
/// The pause after the listener has failed, for example because the program has too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves a router until `shutdown` completes, and then completes the requests in flight.
///
/// Beyond `limit` connections, a new one takes the place of the oldest on which no visitor with access has sent a request. If
/// there is none, the new one is closed.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limit: usize,
    shutdown: impl Future<Output = ()>,
) {
    let (close, closing) = watch::channel(false);
    let (strangers, mut tasks) = (Strangers::default(), JoinSet::new());
    let mut shutdown = pin!(shutdown);
    for number in 0.. {
        let (stream, peer) = tokio::select! {
            accepted = accept(&listener) => accepted,
            () = shutdown.as_mut() => break,
        };
        if has_room(&mut tasks, limit, &strangers).await {
            strangers.spawn(&mut tasks, number, |connection| {
                serve_connection(stream, router.clone(), (peer, connection), closing.clone())
            });
        }
    }
    drop(listener);
    close.send_replace(true);
    // What is still in flight then ends with its task, when the set is dropped.
    _ = timeout(GRACE, async { while tasks.join_next().await.is_some() {} }).await;
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// Returns whether a further connection can be served, after a stranger has made room if necessary.
async fn has_room(tasks: &mut JoinSet<()>, limit: usize, strangers: &Strangers) -> bool {
    while tasks.try_join_next().is_some() {}
    if tasks.len() < limit {
        return true;
    }
    strangers.abort_oldest() && tasks.join_next().await.is_some()
}

/// Serves the requests of a connection, until it ends or the server is closing.
async fn serve_connection(
    stream: TcpStream,
    router: Router,
    (peer, connection): (SocketAddr, Connection),
    mut closing: watch::Receiver<bool>,
) {
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(connection.clone());
        router.clone().oneshot(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD);
    let mut served = pin!(http.serve_connection(TokioIo::new(stream), service));
    // An error means that the client is gone, too slow, or speaks no HTTP.
    tokio::select! {
        _ = served.as_mut() => return,
        _ = closing.wait_for(|is_closing| *is_closing) => {}
    }
    served.as_mut().graceful_shutdown();
    _ = served.await;
}
