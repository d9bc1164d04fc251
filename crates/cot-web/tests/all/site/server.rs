//! The site over real connections.

use std::{future::pending, net::SocketAddr, sync::Arc, time::Duration};

use cot_core::store::{RunFilter, Store};
use cot_sqlite::SqliteStore;
use cot_web::{Access, Site};
use futures_util::future::join_all;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    time::timeout,
};

use super::world::{asking, ended, get, put, some_runs};

const PATIENCE: Duration = Duration::from_secs(10);

/// Reads until a text was received.
async fn read_until(stream: &mut TcpStream, text: &str) -> String {
    let mut received = String::new();
    let mut buffer = [0; 4096];
    while !received.contains(text) {
        let read = timeout(PATIENCE, stream.read(&mut buffer)).await;
        let length = read.unwrap_or_else(|_| panic!("no {text:?} in {received}")).unwrap();
        assert_ne!(length, 0, "the stream ended: {received}");
        received.push_str(&String::from_utf8_lossy(&buffer[..length]));
    }
    received
}

/// Opens the stream of a page.
async fn open_stream(address: SocketAddr, path: &str) -> TcpStream {
    let mut page = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n");
    page.write_all(request.as_bytes()).await.unwrap();
    // A page is loaded again after it has connected, since it can be older than the connection.
    let start = read_until(&mut page, "event: changed").await;
    assert!(start.contains("text/event-stream"), "{start}");
    page
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_pages_are_open_while_a_program_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let writer = SqliteStore::open(&path).unwrap();
    put(&writer, "letter", "Letters", 0, json!({ "status": "running", "task": "write" })).await;
    let site = Site::new(Arc::new(SqliteStore::options().read_only().open(&path).unwrap()))
        .access(Access::open())
        .poll_every(Duration::from_millis(20));
    let router = site.router();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move { site.serve(listener, pending()).await });
    let mut pages = Vec::new();
    for _ in 0..50 {
        pages.push(open_stream(address, "/live").await);
    }
    let loads = (0..50).map(|_| async {
        let page = get(&router, "/").await;
        assert!(page.status == 200 && page.text.contains("letter"), "{}", page.text);
    });
    let writes = async {
        for number in 0..40 {
            put(&writer, &format!("note-{number}"), "Notes", number, ended("end", "")).await;
        }
    };
    tokio::join!(join_all(loads), writes);
    for page in &mut pages {
        read_until(page, "event: changed").await;
    }
    assert_eq!(writer.count(&RunFilter::default()).await.unwrap(), 41);
    server.abort();
}

#[tokio::test]
async fn open_pages_follow_the_store_until_the_server_ends() {
    let store = some_runs().await;
    let site =
        Site::new(store.clone()).access(Access::open()).poll_every(Duration::from_millis(20));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (end, ended_by) = oneshot::channel::<()>();
    let server =
        tokio::spawn(async move { site.serve(listener, async { ended_by.await.unwrap() }).await });
    let mut pages = Vec::new();
    for path in ["/live", "/live", "/runs/letter-9/live"] {
        pages.push(open_stream(address, path).await);
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    put(&*store, "letter-9", "Letters", 99, asking("Now?")).await;
    for page in &mut pages {
        read_until(page, "event: changed").await;
    }
    put(&*store, "letter-10", "Letters", 100, ended("end", "")).await;
    read_until(&mut pages[0], "event: changed").await;

    end.send(()).unwrap();
    timeout(PATIENCE, server).await.unwrap().unwrap();
    let mut rest = Vec::new();
    timeout(PATIENCE, pages[0].read_to_end(&mut rest)).await.unwrap().unwrap();
    assert!(store.run(&"letter-9".parse().unwrap()).await.unwrap().is_some());
}
