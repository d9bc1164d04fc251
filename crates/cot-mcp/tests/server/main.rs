//! An MCP server that misbehaves as its arguments say, written without the library that is tested.
//!
//! `cot-mcp-test-server [--http FILE] [--OPTION VALUE]…`: over stdio, or over HTTP on a free port that it writes to the
//! file.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "a program of tests")]

mod behaviour;
mod http;

use std::{
    env,
    io::{self, BufRead, Write},
};

use behaviour::{Behaviour, Reaction};
use serde_json::Value;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let behaviour = Behaviour::new(&arguments);
    match behaviour.option("http") {
        Some(file) => http::serve(&behaviour, file),
        None => serve_stdio(&behaviour),
    }
}

fn serve_stdio(behaviour: &Behaviour) {
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        match behaviour.react(&message) {
            Reaction::Reply(reply) => {
                let mut output = io::stdout().lock();
                writeln!(output, "{reply}").unwrap();
                output.flush().unwrap();
            }
            Reaction::Nothing | Reaction::Hang => {}
            Reaction::Die | Reaction::DieInStream => behaviour.die(),
        }
    }
    while behaviour.is("stubborn") {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
}
