//! Reports of evals as pages.

use std::{fs, path::Path, sync::Arc};

use axum::{Router, http::StatusCode};
use cot_core::store::MemoryStore;
use cot_web::{Access, Site};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::world::{ended, get, put};

/// A trial, which failed at `sort` or passed.
fn trial(variant: &str, case: &str, passed: bool) -> Value {
    let usage = json!({ "calls": 2, "input_tokens": 900, "output_tokens": 100, "cost": 0.5 });
    let wrong = if passed { json!([]) } else { json!("\"bills\" is not \"friends\"") };
    let score = match passed {
        true => json!({ "value": 1.0 }),
        false => json!({ "value": 0.0, "why": wrong }),
    };
    json!({
        "variant": variant, "case": case, "tags": ["mail"], "repeat": 1, "passed": passed,
        "scores": { "folder": score }, "end": if passed { "done" } else { "sort" },
        "usage": usage, "elapsed": { "secs": 2, "nanos": 0 },
        "tasks": { "sort": {
            "visits": 1, "failed_attempts": 1, "retries": 1, "repaired_replies": 0, "usage": usage,
        } },
    })
}

/// A report that was made at a second. `rights` says for each case whether the small model was right.
fn report(second: u64, rights: &[bool]) -> Value {
    let small =
        rights.iter().enumerate().map(|(at, right)| trial("small", &format!("case-{at}"), *right));
    let large =
        rights.iter().enumerate().map(|(at, _)| trial("large", &format!("case-{at}"), true));
    json!({
        "name": "folders", "process": "Sorter", "version": "1.0.0", "variants": ["small", "large"],
        "at": { "secs_since_epoch": second, "nanos_since_epoch": 0 },
        "scorers": { "folder": 1.0 }, "left_out": 0, "paid": { "calls": 0, "input_tokens": 0, "output_tokens": 0 },
        "trials": small.chain(large).collect::<Vec<_>>(),
    })
}

fn write(folder: &Path, file: &str, report: &Value) {
    fs::write(folder.join(file), report.to_string()).unwrap();
}

/// A folder with two reports, of which the one with the later name is the older one.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.json", &report(2_000, &[true, false, true, false]));
    write(folder.path(), "b.json", &report(1_000, &[true, false, false, false]));
    folder
}

fn site(folder: &Path, store: MemoryStore) -> Router {
    Site::new(Arc::new(store)).access(Access::open()).evals(folder).router()
}

/// Asserts that a page has these texts, one after the other.
fn assert_order(page: &str, texts: &[&str]) {
    let mut rest = page;
    for text in texts {
        let (_, after) = rest.split_once(text).unwrap_or_else(|| panic!("{text} in {rest}"));
        rest = after;
    }
}

#[tokio::test]
async fn reports_are_listed_the_newest_first() {
    let folder = folder();
    let router = site(folder.path(), MemoryStore::default());
    let page = get(&router, "/evals").await;
    assert_eq!(page.status, StatusCode::OK);
    assert_order(
        &page.text,
        &["file=a.json", "50 %", "(2 of 4", "before: 25 %", "file=b.json", "25 %"],
    );
    assert!(get(&router, "/").await.text.contains(r#"href="/evals""#));
    write(folder.path(), "a.json", &report(2_000, &[true, true, true, true, true]));
    assert!(
        get(&router, "/evals").await.text.contains("(5 of 5"),
        "a file that changes is read again"
    );
}

#[tokio::test]
async fn a_report_shows_plots_and_the_worst_cases_first() {
    let folder = folder();
    let page = get(&site(folder.path(), MemoryStore::default()), "/evals/report?file=a.json").await;
    assert_eq!(page.status, StatusCode::OK);
    let parts = [
        "folders",
        "Sorter",
        "small",
        "Quality against cost",
        "0.5000",
        "Pass rate over the last reports",
        "file=b.json",
        "50 %",
        "large",
        "100 %",
        "Where each task loses",
        "sort",
        "2<span class=\"muted\"> of 2, 100 %",
        "By tag",
        "Cases, the worst first",
        "case-1",
        "case-3",
        "case-0",
        "case-2",
    ];
    assert_order(&page.text, &parts);
    assert!(
        page.text.contains("folder 0.00, &quot;bills&quot; is not &quot;friends&quot;"),
        "{}",
        page.text
    );
    assert!(!page.text.contains(" style="));
}

#[tokio::test]
async fn a_case_leads_to_its_runs() {
    let folder = folder();
    let mut report = report(3_000, &[false, true]);
    report["trials"][0]["run"] = json!("eval-7");
    report["trials"][1]["run"] = json!("gone");
    write(folder.path(), "a.json", &report);
    let store = MemoryStore::default();
    for run in ["eval-7", "case-0"] {
        put(&store, run, "Sorter", 5, ended("end", "")).await;
    }
    let router = site(folder.path(), store);
    let case = get(&router, "/evals/case?file=a.json&case=case-0").await;
    let parts = [
        r#"href="/runs/case-0""#,
        "failed",
        "small",
        r#"href="/runs/eval-7""#,
        "is not",
        "passed",
        "large",
    ];
    assert_order(&case.text, &parts);
    let other = get(&router, "/evals/case?file=a.json&case=case-1").await;
    assert!(!other.text.contains("/runs/"), "the store has no such run: {}", other.text);
}

#[tokio::test]
async fn many_cases_are_shown_in_pages() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.json", &report(1, &[false; 120]));
    let router = site(folder.path(), MemoryStore::default());
    let first = get(&router, "/evals/report?file=a.json").await.text;
    assert!(first.contains("1 to 50 of 120") && first.contains("after=50#cases"), "{first}");
    let last = get(&router, "/evals/report?file=a.json&after=100").await.text;
    assert!(last.contains("101 to 120 of 120") && !last.contains("after=120"), "{last}");
    for after in ["99999999999", "-1", "x"] {
        let page = get(&router, &format!("/evals/report?file=a.json&after={after}")).await;
        assert_eq!(page.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn what_is_no_report_is_said() {
    let folder = folder();
    fs::write(folder.path().join("c.json"), r#"{"name": 7}"#).unwrap();
    fs::write(folder.path().join("notes.txt"), "no report").unwrap();
    fs::create_dir(folder.path().join("d.json")).unwrap();
    let router = site(folder.path(), MemoryStore::default());
    let list = get(&router, "/evals").await.text;
    assert!(list.contains("`c.json` is not a report of an eval: invalid type"), "{list}");
    assert!(!list.contains("notes.txt") && !list.contains("d.json"), "{list}");
    for number in 0..30 {
        fs::write(folder.path().join(format!("e-{number:02}.json")), "[]").unwrap();
    }
    let many = get(&router, "/evals").await.text;
    assert!(many.contains("e-18.json") && !many.contains("e-19.json"), "{many}");
    assert!(many.contains("31 files can't be read"), "{many}");
    let page = get(&router, "/evals/report?file=c.json").await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    for file in ["notes.txt", "none.json", "", "..%2Fa.json", "%2Fetc%2Fpasswd", "d.json"] {
        let page = get(&router, &format!("/evals/report?file={file}")).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{file}");
    }
    let unknown = get(&router, "/evals/case?file=a.json&case=none").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_folder_without_reports_and_a_site_without_a_folder_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let empty = get(&site(folder.path(), MemoryStore::default()), "/evals").await;
    assert!(empty.text.contains("has no report of an eval"), "{}", empty.text);
    let gone = get(&site(&folder.path().join("gone"), MemoryStore::default()), "/evals").await;
    assert_eq!(gone.status, StatusCode::SERVICE_UNAVAILABLE);
    let none = Site::new(Arc::new(MemoryStore::default())).access(Access::open()).router();
    let page = get(&none, "/evals").await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert!(!page.text.contains(r#"href="/evals""#), "{}", page.text);
}

#[tokio::test]
async fn one_report_with_any_numbers_hides_no_other() {
    let folder = folder();
    let mut hostile = report(3_000, &[false, false]);
    for trial in hostile["trials"].as_array_mut().unwrap() {
        trial["elapsed"] = json!({ "secs": u64::MAX, "nanos": 0 });
        for figure in ["visits", "failed_attempts", "retries", "repaired_replies"] {
            trial["tasks"]["sort"][figure] = json!(u64::MAX);
        }
        trial["usage"]["calls"] = json!(u64::MAX);
        trial["usage"]["cost"] = json!(f64::MAX);
    }
    write(folder.path(), "h.json", &hostile);
    let mut late = report(0, &[false]);
    late["at"]["secs_since_epoch"] = json!(i64::MAX);
    write(folder.path(), "late.json", &late);
    fs::write(
        folder.path().join("long.json"),
        json!({ "name": "n", "trials": "x".repeat(9_000) }).to_string(),
    )
    .unwrap();
    let router = site(folder.path(), MemoryStore::default());
    let list = get(&router, "/evals").await;
    assert_eq!(list.status, StatusCode::OK);
    for file in ["a.json", "h.json", "late.json", "long.json"] {
        assert!(list.text.contains(file), "no {file} in {}", list.text);
    }
    assert!(list.text.len() < 50_000, "{}", list.text.len());
    for file in ["h.json", "late.json"] {
        let page = get(&router, &format!("/evals/report?file={file}")).await;
        assert_eq!(page.status, StatusCode::OK, "{file}");
    }
}

/// Returns a report with one trial of a task whose figures are given.
fn with_task(figures: &Value) -> Value {
    let mut report = report(1, &[false]);
    report["variants"] = json!(["small"]);
    report["trials"].as_array_mut().unwrap().truncate(1);
    report["trials"][0]["tasks"]["sort"] = figures.clone();
    report
}

#[tokio::test]
async fn the_rates_of_tasks_are_shares_of_replies() {
    let folder = tempfile::tempdir().unwrap();
    let usage = json!({ "calls": 2, "input_tokens": 0, "output_tokens": 0 });
    let figures = json!({
        "visits": 1, "accepted_replies": 0, "failed_attempts": 2, "retries": 1, "repaired_replies": 2, "usage": usage,
    });
    let mut failing = with_task(&figures);
    let mut outage = failing["trials"][0].clone();
    outage["error"] = json!("the server is down");
    failing["trials"].as_array_mut().unwrap().push(outage);
    write(folder.path(), "a.json", &failing);
    let items = json!({
        "visits": 1, "accepted_replies": 8, "failed_attempts": 2, "retries": 2, "repaired_replies": 9,
        "usage": { "calls": 10, "input_tokens": 0, "output_tokens": 0 },
    });
    write(folder.path(), "b.json", &with_task(&items));
    let router = site(folder.path(), MemoryStore::default());
    let failing = get(&router, "/evals/report?file=a.json").await.text;
    let all = r#"2<span class="muted"> of 2, 100 %"#;
    assert_eq!(
        failing.matches(all).count(),
        2,
        "attempts and repairs, without the outage: {failing}"
    );
    let items = get(&router, "/evals/report?file=b.json").await.text;
    assert_order(
        &items,
        &[r#"2<span class="muted"> of 10, 20 %"#, r#"9<span class="muted"> of 10, 90 %"#],
    );
}

#[tokio::test]
async fn an_engine_without_a_price_is_not_the_cheapest() {
    let folder = tempfile::tempdir().unwrap();
    let mut report = report(1, &[true]);
    write(folder.path(), "priced.json", &report);
    report["trials"][1]["usage"].as_object_mut().unwrap().remove("cost");
    write(folder.path(), "some.json", &report);
    let router = site(folder.path(), MemoryStore::default());
    let priced = get(&router, "/evals/report?file=priced.json").await.text;
    assert!(
        priced.contains("Cost of a trial") && !priced.contains("Tokens of a trial"),
        "{priced}"
    );
    let some = get(&router, "/evals/report?file=some.json").await.text;
    assert!(some.contains("Tokens of a trial") && !some.contains("Cost of a trial"), "{some}");
}

#[tokio::test]
async fn what_a_page_has_no_room_for_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut report = report(1, &[true]);
    let variants: Vec<String> = (0..1_000).map(|number| format!("v-{number:03}")).collect();
    report["variants"] = json!(variants);
    report["scorers"] = variants.iter().map(|name| (name.clone(), json!(1.0))).collect();
    let trial = &mut report["trials"][0];
    trial["variant"] = json!("v-000");
    trial["tags"] = json!(variants);
    let score =
        |name: &String| json!({ "value": 1.0, "judgement": { "verdict": name, "label": "good" } });
    trial["scores"] = variants.iter().map(|name| (name.clone(), score(name))).collect();
    write(folder.path(), "a.json", &report);
    let router = site(folder.path(), MemoryStore::default());
    let list = get(&router, "/evals").await.text;
    assert!(list.contains("and 980 more variants") && !list.contains("v-020"), "{list}");
    let page = get(&router, "/evals/report?file=a.json").await.text;
    let lines = [
        "980 more variants are not shown",
        "The first 20 of 1000 scorers are shown",
        "The first 100 of 1000 rows are shown",
        "and 980 more</span>",
    ];
    for line in lines {
        assert!(page.contains(line), "no {line} in {page}");
    }
    let case = get(&router, "/evals/case?file=a.json&case=case-0").await.text;
    assert!(case.contains("and 980 more</span>"), "{case}");
}

#[tokio::test]
async fn a_report_that_changes_is_read_again() {
    let folder = folder();
    let router = site(folder.path(), MemoryStore::default());
    let page = async || get(&router, "/evals/report?file=a.json").await.text;
    assert!(page().await.contains("(2 of 4)"));
    write(folder.path(), "a.json", &report(2_000, &[true, true, true, true, true]));
    assert!(page().await.contains("(5 of 5)"));
}
