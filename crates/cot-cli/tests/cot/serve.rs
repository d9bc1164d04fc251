//! `cot serve`: what it refuses, and what a page says when the store fails under it.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
};

use rusqlite::Connection;

use crate::{cot, runs::World, text};

/// A server that ends with this value.
struct Server {
    process: Child,
    /// The address and port.
    at: String,
    /// What it says of each visitor.
    headers: String,
}

impl Server {
    /// Starts a server with further arguments. Visitors are those whom a proxy names.
    fn start(store: &str, arguments: &[&str]) -> Self {
        Self::with_password("", store, &[&["--user-header", "x-user"], arguments].concat())
    }

    /// Starts a server with a password, which a header of users replaces.
    fn with_password(password: &str, store: &str, arguments: &[&str]) -> Self {
        let fixed = ["serve", "--store", store, "--listen", "127.0.0.1:0"];
        let mut process = crate::command(&[&fixed, arguments].concat())
            .env("COT_SERVE_PASSWORD", password)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let at = address.trim().strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Self { process, at, headers: "x-user: ann\r\n".to_owned() }
    }

    fn send(&self, head: &str, body: &str) -> (u16, String) {
        let Self { at, headers, .. } = self;
        let mut stream = TcpStream::connect(at).unwrap();
        let request = format!(
            "{head} HTTP/1.1\r\nhost: {at}\r\n{headers}connection: close\r\ncontent-length: {}\r\n\
             content-type: application/x-www-form-urlencoded\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        (answer[9..12].parse().unwrap(), answer)
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.send(&format!("GET {path}"), "")
    }

    /// Asks for a page, which must have a status and a text.
    fn expect(&self, path: &str, status: u16, text: &str) {
        let (found, page) = self.get(path);
        assert!(found == status && page.contains(text), "{path}: {page}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn path(world: &World) -> String {
    text(world.path())
}

#[test]
fn what_is_no_store_is_refused() {
    let world = World::with_runs();
    let letter = world.file("letter.db", "Dear Ann,");
    let (foreign, newer) = (world.file("foreign.db", ""), world.file("newer.db", ""));
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE a (b)").unwrap();
    drop(world.store());
    fs::copy(world.path(), &newer).unwrap();
    Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    for (store, reason) in [
        ("nowhere.db", "there is no store `nowhere.db`"),
        (&*letter, "the file is not a SQLite database"),
        (&*foreign, "it belongs to another program"),
        (&*newer, "a newer program wrote it"),
    ] {
        let ended = cot(&["serve", "--store", store, "--listen", "127.0.0.1:0"], "");
        assert_eq!((ended.out.as_str(), ended.code), ("", 2), "{store}");
        assert!(ended.err.contains(reason), "{}", ended.err);
    }
}

#[test]
fn other_machines_need_a_password_or_a_proxy() {
    let world = World::with_runs();
    let store = path(&world);
    let serve = |arguments: &[&str]| {
        cot(&[&["serve", "--store", &store, "--listen", "0.0.0.0:0"], arguments].concat(), "")
    };
    let ended = serve(&[]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("help: set `COT_SERVE_PASSWORD`"), "{}", ended.err);
    let empty = world.file("password", "\n");
    let ended = serve(&["--password-file", &empty]);
    assert!(ended.code == 2 && ended.err.contains("the password is empty"), "{}", ended.err);
    let ended = serve(&["--password-file", "nowhere"]);
    assert!(ended.code == 2 && ended.err.contains("`nowhere` can't be read"), "{}", ended.err);
}

#[test]
fn reports_of_evals_are_served() {
    let world = World::with_runs();
    let report = r#"{"name": "mails", "process": "Sorter", "version": null, "variants": ["small"], "scorers": {},
        "trials": [], "left_out": 0, "paid": {"calls": 0, "input_tokens": 0, "output_tokens": 0}}"#;
    let folder = text(world.path().parent().unwrap().to_owned());
    world.file("mails.json", report);
    let server = Server::start(&path(&world), &["--evals", &folder]);
    server.expect("/evals", 200, "mails");
    server.expect("/evals/report?file=mails.json", 200, "The report has no trials.");
}

#[test]
fn a_visitor_answers_once() {
    let world = World::with_runs();
    let server = Server::start(&path(&world), &[]);
    server.expect("/", 200, "asking");
    let (_, form) = server.get("/people/asking");
    let value = |name: &str| {
        let start = format!(r#"name="{name}" value=""#);
        form.split_once(&start).unwrap().1.split('"').next().unwrap().to_owned()
    };
    let fields = format!(
        "csrf={}&key={}&is%3A%2F=here&v%3A%2Fis_good%2F=true&do=send",
        value("csrf"),
        value("key").replace('#', "%23").replace('@', "%40"),
    );
    let (status, page) = server.send("POST /people/asking", &fields);
    assert_eq!(status, 303, "{page}");
    let (status, page) = server.send("POST /people/asking", &fields);
    assert!([303, 409].contains(&status), "{page}");
    let answers = world.json(&["show", "asking"])[0].to_string();
    assert!(answers.contains("is_good"), "{answers}");
    let mut stranger = Server::start(&path(&world), &[]);
    stranger.headers.clear();
    let (status, page) = stranger.get("/");
    assert!(status == 401 || status == 403, "{page}");
}

#[test]
fn a_trusted_proxy_names_the_clients_that_try_passwords() {
    let world = World::with_runs();
    let arguments = ["--trust-proxy", "127.0.0.1"];
    let mut server = Server::with_password("open sesame", &path(&world), &arguments);
    let mut sign_in = |client: &str, password: &str| {
        server.headers = format!("x-forwarded-for: {client}\r\n");
        server.send("POST /login", &format!("password={password}")).0
    };
    for _ in 0..10 {
        assert_eq!(sign_in("192.0.2.1", "open"), 401);
    }
    assert_eq!(sign_in("192.0.2.1", "open+sesame"), 429);
    assert_eq!(sign_in("192.0.2.2", "open+sesame"), 303);
}

#[test]
fn a_locked_store_is_read() {
    let world = World::with_runs();
    let server = Server::start(&path(&world), &["--read-only"]);
    let other = Connection::open(world.path()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    server.expect("/", 200, "asking");
    server.expect("/people", 200, "Send this?");
}

#[test]
fn a_store_that_vanishes_is_missed_until_it_is_back() {
    let world = World::with_runs();
    let server = Server::start(&path(&world), &[]);
    server.expect("/runs/asking", 200, "Send this?");
    let aside = world.path().with_file_name("aside.db");
    fs::rename(world.path(), &aside).unwrap();
    server.expect("/", 503, "The store is gone");
    server.expect("/runs/asking", 503, "does not exist any more");
    fs::write(world.path(), "Dear Ann,").unwrap();
    server.expect("/people", 503, "another file has taken the place");
}

#[test]
fn a_run_that_does_not_read_is_named() {
    let world = World::with_runs();
    let database = Connection::open(world.path()).unwrap();
    let changed =
        database.execute("UPDATE journal SET body = 'no JSON' WHERE id & 0xffffffff = 1", []);
    assert_ne!(changed.unwrap(), 0);
    drop(database);
    let server = Server::start(&path(&world), &[]);
    server.expect("/", 200, "asking");
    let (_, page) = server.get("/runs/asking");
    assert!(page.contains("Entry 1 of run") && page.contains("cot runs cut asking"), "{page}");
}
