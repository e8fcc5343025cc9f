//! A windowed pipeline that a real Flink keeps, beside the embedded engine's over the same events. In: the gateway that UNISONO_FLINK_GATEWAY names. Out: rollups
//! and verdicts against rows worked out by hand, row by row the same on both engines.

use std::fs;
use std::time::{Duration, Instant};

use unisono_runtime::engine::datafusion::block_on;
use unisono_runtime::engine::flink::Mode;

use crate::flink_engine::{address, gateway};
use crate::flink_pipelines::{Jobs, LIMITS, until};
use crate::project_folder::{Folder, rows};
use crate::windowed::{FIRST, MINUTE_0, MINUTE_1, MODEL, load, project, verdicts_of};

/// The events with one pipeline a side.
fn events(name: &str, address: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("model.yaml", MODEL);
    let file = project("");
    let (head, rest) = file.split_once("pipelines:\n").unwrap();
    let (pipelines, tail) = rest.split_once("types:").unwrap();
    let kept = pipelines
        .replace("- name: ", "- name: flink_")
        .replace("rollup: shop.", "realtime: flink\n  rollup: shop.flink_");
    let session = "{execution.checkpointing.interval: 1 s, parallelism.default: 2}";
    let engine = format!("engines:\n  flink: {{kind: flink, gateway: \"{address}\", session: {session}}}\n");
    folder.write("unisono.yaml", &format!("{head}{engine}pipelines:\n{pipelines}{kept}types:{tail}"));
    folder
}

/// Waits until Flink has caught up, runs the embedded engine, and compares the rollups with their keys; the rows without keys.
fn same(folder: &Folder) -> Vec<String> {
    until(folder, "flink_by_minute", &["up to date"]);
    folder.good("pipeline run by_minute");
    let columns = ["occurred_at__minute", "total_amount", "kinds", "first_amount", "__key"];
    let flink = rows(folder, "shop.flink_by_minute", None, &columns);
    assert_eq!(flink, rows(folder, "shop.by_minute", None, &columns));
    flink.iter().map(|row| row.rsplit_once('|').unwrap().0.to_string()).collect()
}

#[test]
fn flink_tells_buckets_as_the_embedded_engine_does() {
    let Some(address) = address("flink_tells_buckets_as_the_embedded_engine_does") else { return };
    let folder = events("flink-windows", &address);
    let _jobs = Jobs { folder: &folder, address: &address };
    // What is there at the beginning is one commit, in whatever order.
    let old = ["8,2023-12-31 23:58:00,x,4", "9,2023-12-31 23:57:30,y,6"];
    load(&folder, &[FIRST[0], FIRST[1], old[0], old[1]]);
    let said = folder.good("pipeline run flink_by_minute");
    assert!(said.contains("submitted; its first checkpoint is snapshot"), "{said}");
    folder.good("pipeline run by_minute");
    let (minute_57, minute_58) = ("2023-12-31T23:57:00|6|1|6", "2023-12-31T23:58:00|4|1|4");
    assert_eq!(same(&folder), [minute_57, minute_58]);
    assert_eq!(verdicts_of(&folder, "flink_by_minute"), ["pending"; 3]);
    load(&folder, &["3,00:00:50,a,5"]);
    assert_eq!(same(&folder), [minute_57, minute_58]);
    load(&folder, &["4,00:01:05,a,1"]);
    assert_eq!(same(&folder), [minute_57, minute_58, MINUTE_0]);
    assert_eq!(verdicts_of(&folder, "flink_by_minute"), ["pending"; 3]);
    load(&folder, &["5,00:00:59,c,100", "6,00:02:05,a,2"]);
    assert_eq!(same(&folder), [minute_57, minute_58, MINUTE_0, MINUTE_1]);
    let late = ["different late-data", "different late-data", "pending"];
    assert_eq!(verdicts_of(&folder, "flink_by_minute"), late);
    assert_eq!(verdicts_of(&folder, "by_minute"), late);
    let status = until(&folder, "flink_by_minute", &["up to date"]);
    assert_eq!(status["watermark"], "2024-01-01T00:02:00");
    load(&folder, &["7,,z,50"]);
    assert_eq!(same(&folder), [minute_57, minute_58, MINUTE_0, MINUTE_1]);
    folder.exits(1, "check flink_by_minute");
    folder.good("replay target/unisono/evidence/flink_by_minute.json");

    // Within one commit a row comes after one that closes its bucket. Here that is in time; in Flink it may be late, and the check knows.
    load(&folder, &["12,00:03:30,a,1", "13,00:02:10,b,50"]);
    until(&folder, "flink_by_minute", &["up to date"]);
    folder.good("pipeline run by_minute");
    let columns = ["occurred_at__minute", "total_amount"];
    assert_eq!(rows(&folder, "shop.by_minute", None, &columns).last().unwrap(), "2024-01-01T00:02:00|52");
    let flink = rows(&folder, "shop.flink_by_minute", None, &columns).pop().unwrap();
    let told = verdicts_of(&folder, "flink_by_minute");
    if flink == "2024-01-01T00:02:00|2" {
        assert_eq!(told[0], "cannot-tell unknown-bound", "{told:?}");
    } else {
        assert_eq!((flink.as_str(), told[0].as_str()), ("2024-01-01T00:02:00|52", "different late-data"));
    }
}

/// The script that `compile` writes, statement by statement as a SQL client would give them to Flink, on the same warehouse.
#[test]
fn flink_runs_the_script_of_a_windowed_job() {
    let Some(address) = address("flink_runs_the_script_of_a_windowed_job") else { return };
    let folder = events("flink-script", &address);
    load(&folder, &FIRST);
    folder.good("compile --target flink-streaming");
    let files = fs::read_dir(folder.path.join("target/unisono")).unwrap();
    let script = files
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            path.file_name().unwrap().to_string_lossy().starts_with("flink_by_minute.flink-streaming.job.")
        })
        .unwrap();
    let text = fs::read_to_string(script).unwrap();
    let whole = format!("file://{}", folder.path.join("warehouse").display());
    let text = text.replace("./warehouse", &whole);
    let name = text.split_once("SET 'pipeline.name' = '").unwrap().1.split_once('\'').unwrap().0;
    // As a client of Flink's own sets it; here the test waits for less.
    let text = text
        .replace("'execution.checkpointing.interval' = '10 s'", "'execution.checkpointing.interval' = '1 s'");
    let session = block_on(async {
        let session = gateway(&address).open(Mode::Streaming).await.unwrap();
        for statement in text.split(";\n").map(str::trim).filter(|part| !part.is_empty()) {
            let sql: Vec<&str> = statement.lines().filter(|line| !line.starts_with("--")).collect();
            let sql = sql.join("\n");
            session.execute(&sql, LIMITS).await.unwrap_or_else(|error| panic!("{sql}\n{error:?}"));
        }
        session
    })
    .unwrap();
    load(&folder, &["3,00:00:50,a,5"]);
    load(&folder, &["4,00:01:05,a,1"]);
    let began = Instant::now();
    let told = || {
        rows(
            &folder,
            "shop.flink_by_minute",
            None,
            &["occurred_at__minute", "total_amount", "kinds", "first_amount"],
        )
    };
    while told() != [MINUTE_0] {
        assert!(began.elapsed() < Duration::from_mins(2), "{:?}", told());
        std::thread::sleep(Duration::from_millis(500));
    }
    block_on(async {
        let jobs = session.jobs().await.unwrap();
        let job = jobs.iter().find(|job| job.name == name && !job.has_ended()).unwrap();
        session.stop(&job.id).await.unwrap();
        session.close().await;
    })
    .unwrap();
}
