//! `cot runs copy`, and all commands on a store in Postgres.

use cot_core::store::Store;
use serde_json::Value;

use super::world::{World, said, wait};
use crate::{Ended, cot};

/// The journals and the summaries of all runs, without what differs between copies.
fn shown(store: &str) -> Vec<Value> {
    let call = |arguments: &[&str]| {
        let Ended { out, err, code } =
            cot(&[&["runs"], arguments, &["--store", store]].concat(), "");
        assert_eq!((err.as_str(), code), ("", 0), "{arguments:?}: {out}");
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let mut runs = call(&["list", "--json"]);
    runs.sort_by_key(|run| run["run"].to_string());
    for run in &mut runs {
        let name = run["run"].as_str().unwrap().to_owned();
        run["journal"] = call(&["show", &name, "--json"])[0]["steps"].take();
        run.as_object_mut().unwrap().remove("set_aside");
    }
    runs
}

/// Copies all runs of a world to another store and from there to a file.
fn is_copied(world: &World, other: &str) {
    let file = world.path().into_os_string().into_string().unwrap();
    let copied = cot(&["runs", "copy", &file, other], "");
    assert_eq!((copied.err.as_str(), copied.out.as_str()), ("", "3 runs copied\n"));
    let original = shown(&file);
    assert_eq!(original.len(), 3);
    assert_eq!(shown(other), original);

    let again = cot(&["runs", "copy", &format!("sqlite:{file}"), other], "");
    assert_eq!(again.out, "0 runs copied, 3 were there already\n", "{}", again.err);
    // The run that has not ended is driven in one of them.
    assert_eq!(world.listed(&["--set-aside"]), ["asking"]);
    let aside = cot(&["runs", "list", "--set-aside", "--json", "--store", other], "");
    assert_eq!(aside.out, "", "{}", aside.err);

    let answered =
        cot(&["runs", "answer", "asking", "approve", r#"{"is_good":true}"#, "--store", other], "");
    assert_eq!(answered.code, 0, "{}", answered.err);
    let back = world.file("back.db", "");
    std::fs::remove_file(&back).unwrap();
    let copied = cot(&["runs", "copy", "--run", "asking", other, &back], "");
    assert_eq!(copied.out, "1 run copied\n", "{}", copied.err);
    let runs = cot(&["runs", "list", "--json", "--store", &back], "").out;
    assert!(
        runs.contains(r#""is_answered":true"#),
        "an answer that no driver has taken is copied: {runs}"
    );
}

#[test]
fn runs_are_copied_to_another_file() {
    let world = World::with_runs();
    let other = world.file("other.db", "");
    std::fs::remove_file(&other).unwrap();
    is_copied(&world, &other);
}

#[test]
fn another_run_of_the_name_is_not_overwritten() {
    let (world, others) = (World::with_runs(), World::new());
    others.ask("done", vec![said(r#"{"text":"Dear Cid"}"#)]);
    let [one, other] =
        [&world, &others].map(|world| world.path().into_os_string().into_string().unwrap());
    let copied = cot(&["runs", "copy", &one, &other], "");
    assert_eq!((copied.out.as_str(), copied.code), ("2 runs copied\n", 1));
    assert!(
        copied.err.contains("run done is not copied: the other store has another run"),
        "{}",
        copied.err
    );
    let kept = wait(others.store().entries(&"done".parse().unwrap(), 0, 99)).unwrap();
    assert!(format!("{kept:?}").contains("Dear Cid"));
}

#[cfg(not(feature = "postgres"))]
#[test]
fn an_address_without_a_client_says_how_to_get_it() {
    let Ended { err, code, .. } =
        cot(&["runs", "list", "--store", "postgres://127.0.0.1/none"], "");
    assert_eq!(code, 2);
    assert!(
        err.contains("this `cot` has no Postgres: install it with `--features postgres`"),
        "{err}"
    );
}

#[cfg(feature = "postgres")]
mod postgres {
    use super::*;

    /// Returns the address of a store that does not exist yet; `None` without a server.
    fn address(name: &str) -> Option<String> {
        let server = std::env::var("COT_POSTGRES").ok().filter(|address| !address.is_empty())?;
        Some(format!("{server}#cli_{}_{name}", std::process::id()))
    }

    #[test]
    fn runs_are_copied_to_postgres_and_back() {
        let Some(address) = address("copy") else { return };
        is_copied(&World::with_runs(), &address);
    }

    #[test]
    fn all_commands_know_a_store_in_postgres() {
        let Some(address) = address("all") else { return };
        let world = World::with_runs();
        let file = world.path().into_os_string().into_string().unwrap();
        assert_eq!(cot(&["runs", "copy", &file, &address], "").code, 0);
        let call =
            |arguments: &[&str]| cot(&[&["runs"], arguments, &["--store", &address]].concat(), "");
        let state = world.file("state.json", r#"{"text":""}"#);
        for (arguments, code) in [
            (&["start", "Letters", "--state", &state, "--id", "new"][..], 0),
            (&["show", "asking", "--at", "1", "--json"], 0),
            (&["tail", "asking"], 0),
            (&["watch", "--once"], 0),
            (&["trace", "done"], 0),
            (&["case", "done", "--expected-state"], 0),
            (&["fork", "done", "--at", "1", "--as", "forked"], 0),
            (&["cancel", "forked"], 0),
            (&["retry", "asking"], 1),
            (&["cut", "forked", "--from", "9", "--yes"], 0),
            (&["remove", "forked", "--yes"], 0),
            (&["prune", "--older-than", "0s", "--vacuum"], 0),
        ] {
            let ended = call(arguments);
            assert_eq!(ended.code, code, "{arguments:?}: {} {}", ended.out, ended.err);
        }
        let left = call(&["list", "--json"]).out;
        assert!(left.contains(r#""run":"asking""#) && left.contains(r#""run":"new""#), "{left}");
        assert_eq!(left.lines().count(), 2, "{left}");
    }

    #[test]
    fn a_wrong_address_is_no_store() {
        let Some(address) = address("none") else { return };
        let Ended { err, code, .. } = cot(&["runs", "list", "--store", &address], "");
        assert_eq!(code, 2);
        assert!(err.contains("this is no store"), "{err}");
        let Ended { err, .. } =
            cot(&["runs", "list", "--store", "postgres://u:secret@127.0.0.1:1/x"], "");
        assert!(err.contains("server can't be reached") && !err.contains("secret"), "{err}");
    }
}
