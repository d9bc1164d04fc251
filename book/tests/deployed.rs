//! The program of the last chapter, as it is deployed: one process submits, one works until it is asked to stop.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use cot_book::Page;
use cot_core::store::{Status, Store};
use cot_sqlite::SqliteStore;
use serde_json::json;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn start(folder: &Path, argument: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tutorial"));
    command.args(["deploy", argument]).current_dir(folder);
    command.env_remove("OPENAI_BASE_URL").env_remove("OPENAI_MODEL");
    command.env("TRIAGE_STORE", folder.join("runs.sqlite"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

fn submit(folder: &Path, ticket: &str) -> String {
    let mut child = start(folder, ticket);
    child.stdin.take().unwrap().write_all(b"Order 4711 came with a cracked screen.").unwrap();
    printed(child.wait_with_output().unwrap())
}

fn printed(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn a_ticket_is_submitted_once_worked_on_answered_and_sent() {
    let folder = folder("deployed");
    assert_eq!(submit(&folder, "ticket-7"), "submitted ticket-7\n");
    assert_eq!(submit(&folder, "ticket-7"), "ticket-7 is known\n");
    let worker = start(&folder, "work");
    let store = SqliteStore::open(folder.join("runs.sqlite")).unwrap();
    let asking = wait_for(&store, |status| matches!(status, Status::Asking { .. })).await;
    let Status::Asking { key, .. } = asking else { unreachable!() };
    let run = "ticket-7".parse().unwrap();
    store.put_answer(&run, &key, json!({ "approved": true })).await.unwrap();
    wait_for(&store, Status::is_ended).await;
    let stopped = Command::new("kill").arg(worker.id().to_string()).status().unwrap();
    assert!(stopped.success());
    let said = printed(worker.wait_with_output().unwrap());
    for line in ["ticket-7 (Triage) is driven", "ticket-7 waits", "ticket-7 ended: end", "stopped"]
    {
        assert!(said.contains(line), "no `{line}` in\n{said}");
    }
}

/// systemd says what it does not understand, and ignores it.
#[test]
#[ignore = "needs systemd-analyze"]
fn systemd_understands_the_units_of_the_page() {
    let page = fs::read_to_string(cot_book::folder().join("src/production/deployment.md")).unwrap();
    let folder = folder("units");
    let units: Vec<_> = Page::new(&page)
        .fences
        .into_iter()
        .filter(|fence| fence.info == "ini")
        .zip(["triage.service", "page.service"])
        .map(|(fence, name)| {
            // Programs have to exist.
            let unit =
                page[fence.code].replace("/usr/local/bin/triage", env!("CARGO_BIN_EXE_tutorial"));
            let unit = unit.replace("/usr/local/bin/cot", env!("CARGO_BIN_EXE_tutorial"));
            fs::write(folder.join(name), unit).unwrap();
            name
        })
        .collect();
    assert_eq!(units.len(), 2);
    let mut verify = Command::new("systemd-analyze");
    let said =
        verify.args(["verify", "--man=no"]).args(units).current_dir(folder).output().unwrap();
    assert!(said.status.success() && said.stderr.is_empty(), "{said:?}");
}

async fn wait_for(store: &SqliteStore, is_awaited: impl Fn(&Status) -> bool) -> Status {
    let run = "ticket-7".parse().unwrap();
    let since = Instant::now();
    loop {
        let status = store.run(&run).await.unwrap().unwrap().status;
        if is_awaited(&status) {
            return status;
        }
        assert!(since.elapsed() < Duration::from_secs(60), "it is {status:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
