//! The server over HTTP, a thread for each connection.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process, thread,
    time::Duration,
};

use serde_json::Value;

use crate::behaviour::{Behaviour, Reaction};

/// Serves until the program is killed. The port is written to the file, or read from it where it exists.
pub(crate) fn serve(behaviour: &Behaviour, file: &str) {
    let port = fs::read_to_string(file).ok();
    let listener =
        TcpListener::bind(format!("127.0.0.1:{}", port.as_deref().unwrap_or("0"))).unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    fs::write(format!("{file}.new"), port).unwrap();
    fs::rename(format!("{file}.new"), file).unwrap();
    thread::scope(|scope| {
        for stream in listener.incoming() {
            scope.spawn(|| answer(behaviour, stream.unwrap()));
        }
    });
}

struct Request {
    method: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    fn read(stream: &TcpStream) -> Option<Self> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let method = line.split(' ').next()?.to_owned();
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim().split_once(": ") else { break };
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let mut request = Self { method, headers, body: Vec::new() };
        let length = request.header("content-length").and_then(|length| length.parse().ok());
        request.body = vec![0; length.unwrap_or(0)];
        reader.read_exact(&mut request.body).ok()?;
        Some(request)
    }

    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }
}

fn answer(behaviour: &Behaviour, mut stream: TcpStream) {
    let Some(request) = Request::read(&stream) else { return };
    let given = request.header("authorization").unwrap_or_default();
    if behaviour.option("token").is_some_and(|token| given != format!("Bearer {token}")) {
        let body = format!("not authorized: {given}");
        return send(&mut stream, "403 Forbidden", "text/plain", "", &body);
    }
    if behaviour.is("redirect") {
        let location = "Location: http://127.0.0.1:9/\r\n";
        return send(&mut stream, "307 Temporary Redirect", "text/plain", location, "");
    }
    if request.method != "POST" {
        return send(&mut stream, "405 Method Not Allowed", "text/plain", "", "");
    }
    let message: Value = serde_json::from_slice(&request.body).unwrap();
    let session = process::id().to_string();
    if behaviour.is("session")
        && message["method"] != "initialize"
        && request.header("mcp-session-id") != Some(&session)
    {
        return send(&mut stream, "404 Not Found", "text/plain", "", "no such session");
    }
    let headers = match behaviour.is("session") {
        true => format!("Mcp-Session-Id: {session}\r\n"),
        false => String::new(),
    };
    match behaviour.react(&message) {
        Reaction::Reply(reply) if behaviour.is("stream") => {
            let body = format!("event: message\ndata: {reply}\n\n");
            send(&mut stream, "200 OK", "text/event-stream", &headers, &body);
        }
        Reaction::Reply(reply) => {
            send(&mut stream, "200 OK", "application/json", &headers, &reply.to_string());
        }
        Reaction::Nothing => send(&mut stream, "202 Accepted", "text/plain", "", ""),
        Reaction::Hang => thread::sleep(Duration::from_secs(600)),
        Reaction::Die => process::exit(1),
        Reaction::DieInStream => {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n: begun\n\n";
            stream.write_all(head.as_bytes()).unwrap();
            stream.flush().unwrap();
            thread::sleep(Duration::from_millis(100));
            process::exit(1);
        }
    }
}

fn send(stream: &mut TcpStream, status: &str, kind: &str, headers: &str, body: &str) {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n"
    );
    // A client that no longer waits has closed the connection.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
}
