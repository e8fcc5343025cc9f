//! `pipeline stop`: what there is to stop, and what is said where there is nothing. In: projects, records of jobs, the gateway that
//! UNISONO_FLINK_GATEWAY names. Out: exit codes, texts, JSON, Flink's own list of jobs.

use std::fs;

use serde_json::json;
use unisono_runtime::engine::datafusion::block_on;
use unisono_runtime::engine::flink::Mode;

use crate::flink_engine::{address, gateway};
use crate::flink_pipelines::{Jobs, both, until};
use crate::lakehouse::shop;
use crate::project_folder::rows;

#[test]
fn a_pipeline_without_a_job_has_nothing_to_stop() {
    let folder = shop("stop-nothing");
    let embedded = "nothing to stop: the embedded engine keeps it, and works only while pipeline run does\n";
    assert_eq!(folder.good("pipeline stop"), format!("by_region: {embedded}by_day: {embedded}"));
    folder.refused(2, "pipeline stop by_regoin", "by_region");
    let project = fs::read_to_string(folder.path.join("unisono.yaml")).unwrap();
    // Nothing answers at that address, and where no job was submitted nothing is asked.
    let flink = "realtime: {kind: flink, gateway: \"http://127.0.0.1:1\"}";
    folder.write("unisono.yaml", &project.replace("realtime: {kind: incremental}", flink));
    assert_eq!(folder.good("pipeline stop by_day"), "by_day: nothing to stop: it was never submitted\n");
    let record = json!({
        "format": 1, "name": "unisono_by_day_0", "engine": "realtime", "generation": "0", "version": "2.2.1", "settings": [],
        "statement": "INSERT", "submitted": "2026-03-02 09:00:00Z", "start": {}, "readers": {}, "shared": [],
    });
    folder.write("warehouse/.unisono/jobs/by_day.json", &record.to_string());
    folder.refused(4, "pipeline stop by_day", "E_ENGINE_UNREACHABLE");
    // The other pipeline is told all the same.
    let said = folder.exits(4, "pipeline stop");
    assert_eq!(said, "by_region: nothing to stop: it was never submitted\n");
    // A job of a Flink that the project does not name any more is not said to have none.
    folder.write("unisono.yaml", &project);
    let heard = folder.refused(2, "pipeline stop by_day", "E_NAME_NOT_FOUND");
    assert!(heard.contains("`unisono_by_day_0`"), "{heard}");
}

#[test]
fn a_job_is_stopped_by_hand_and_told_as_that() {
    let Some(address) = address("a_job_is_stopped_by_hand_and_told_as_that") else { return };
    let folder = both("flink-stopped", &address);
    let _jobs = Jobs { folder: &folder, address: &address };
    let name = "flink_sector_turnover";
    let submitted = folder.json(&format!("pipeline run {name}"))["pipelines"][0].clone();
    until(&folder, name, &["up to date"]);
    let columns = ["sector", "turnover"];
    let kept = rows(&folder, "market.flink_sector_turnover", None, &columns);
    // By hand from data/trades.csv and data/symbols.csv: Bolt 10 x 20.00; Acme 100 x 10.00, 200 x 10.50, 50 x 9.75 and 50 x 10.30.
    assert_eq!(kept, ["Energy|200.0000", "Industry|4102.5000"]);
    // A model that is broken keeps nobody from stopping.
    let model = fs::read_to_string(folder.path.join("models/candles.yaml")).unwrap();
    folder.write("models/candles.yaml", "version: [");
    let stopped = folder.json(&format!("pipeline stop {name} sector_turnover"))["pipelines"].clone();
    folder.write("models/candles.yaml", &model);
    assert_eq!(stopped[0]["how"], "stopped");
    assert_eq!(stopped[0]["engine"], "flink");
    assert_eq!(stopped[0]["jobs"], json!([submitted["job"]]));
    assert_eq!(stopped[1]["how"], "embedded");
    block_on(async {
        let session = gateway(&address).open(Mode::Batch).await.unwrap();
        let jobs = session.jobs().await.unwrap();
        let job = jobs.iter().find(|job| Some(job.id.as_str()) == submitted["job"].as_str());
        assert_eq!(job.map(|job| job.status.as_str()), Some("CANCELED"));
        session.close().await;
    })
    .unwrap();
    assert_eq!(rows(&folder, "market.flink_sector_turnover", None, &columns), kept);
    let status = folder.json(&format!("pipeline status {name}"))["pipelines"][0].clone();
    assert!(
        status["state"].as_str().unwrap().starts_with("stopped: it was stopped by hand at 20"),
        "{status}"
    );
    assert_eq!(status["job"]["id"], submitted["job"]);
    let again = folder.good(&format!("pipeline stop {name}"));
    assert!(again.starts_with(&format!("{name}: nothing to stop: it was stopped by hand at 20")), "{again}");
    folder.exits(3, "check --between flink,datafusion");
    // A job that another record took the place of is stopped too: it is known by what it wrote.
    let run = folder.json(&format!("pipeline run {name}"))["pipelines"][0].clone();
    let path = folder.path.join(format!("warehouse/.unisono/jobs/{name}.json"));
    let record = fs::read_to_string(&path).unwrap();
    let of_run: serde_json::Value = serde_json::from_str(&record).unwrap();
    let job_name = of_run["name"].as_str().unwrap();
    fs::write(&path, record.replace(job_name, "unisono_flink_sector_turnover_000000000000")).unwrap();
    let stopped = folder.json(&format!("pipeline stop {name}"))["pipelines"][0].clone();
    assert_eq!((&stopped["how"], &stopped["jobs"]), (&json!("stopped"), &json!([run["job"]])));
    let run = folder.good(&format!("pipeline run {name}"));
    assert!(run.contains("submitted; its first checkpoint is snapshot"), "{run}");
    until(&folder, name, &["up to date"]);
    assert_eq!(rows(&folder, "market.flink_sector_turnover", None, &columns), kept);
}
