//! `check`, `replay` and `branch merge` over rollups that a real Flink keeps. In: the gateway that UNISONO_FLINK_GATEWAY names; UNISONO_FLINK_CHECKS
//! sets how often a running job is checked after a change (50 by hand, 3 by default). Out: verdicts, evidence, and what main became.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use unisono_runtime::engine::datafusion::block_on;
use unisono_runtime::engine::flink::{Mode, create_catalog};

use crate::flink_engine::{address, gateway};
use crate::flink_pipelines::{Jobs, LIMITS, both, one, until};
use crate::project_folder::{Folder, rows};

pub(crate) const CHECK: &str = "check --between flink,datafusion";
pub(crate) const EVIDENCE: &str = "target/unisono/evidence/flink_sector_turnover.json";
const HEADER: &str = "trade_id,symbol,traded_at,sequence,price,quantity,status\n";

/// The outcome of the only pipeline of a check: exit code, verdict, and the cause and detail of the first metric.
pub(crate) fn outcome(folder: &Folder, line: &str) -> (i32, String, String, String) {
    let output = folder.run(&format!("{line} --format json"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let object: Json = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"));
    let pipeline = &object["data"]["pipelines"][0];
    let word = |value: &Json| value.as_str().unwrap_or_default().to_string();
    let metric = &pipeline["metrics"][0];
    assert_eq!(object["data"]["pipelines"].as_array().map(Vec::len), Some(1), "{said}");
    let code = output.status.code().unwrap();
    (code, word(&pipeline["verdict"]), word(&metric["cause"]), word(&metric["detail"]))
}

/// Checks until all is equal. On the way nothing but a job that lags may be told; how often it was.
pub(crate) fn until_equal(folder: &Folder) -> u32 {
    let began = Instant::now();
    let mut lagged = 0;
    loop {
        let (code, verdict, cause, detail) = outcome(folder, CHECK);
        if verdict == "equal" {
            assert_eq!(code, 0);
            return lagged;
        }
        assert_eq!((code, verdict.as_str(), cause.as_str()), (3, "cannot-tell", "behind"), "{detail}");
        assert!(detail.contains("the job has not read market."), "{detail}");
        lagged += 1;
        assert!(began.elapsed() < Duration::from_mins(1), "{detail}");
    }
}

/// A branch `quiet` that changes what no stream here reads.
fn branch_with_a_quote(folder: &Folder) {
    folder.good("branch create quiet");
    folder.write(
        "data/quote.csv",
        "quote_id,symbol,quoted_at,bid,ask\n90,CORE,2026-03-02 09:05:00.000000,1.0000,2.0000\n",
    );
    folder.good("load market.quotes data/quote.csv --branch quiet");
}

/// Puts a row into a rollup past this program, beside the job that writes it.
fn tamper(folder: &Folder, address: &str, values: &str) {
    let statement = format!(
        "INSERT INTO unisono.market.flink_sector_turnover /*+ OPTIONS('write-only'='true') */ VALUES ({values})"
    );
    block_on(async {
        let session = gateway(address).open(Mode::Batch).await.unwrap();
        session.execute(&create_catalog(&folder.path.join("warehouse")), LIMITS).await.unwrap();
        session.execute(&statement, LIMITS).await.unwrap();
        session.close().await;
    })
    .unwrap();
}

fn evidence(folder: &Folder) -> Json {
    serde_json::from_str(&fs::read_to_string(folder.path.join(EVIDENCE)).unwrap()).unwrap()
}

/// A metric, its verdict, and its groups that differ with their cause.
type Told<'a> = (&'a str, &'a str, Vec<(&'a str, &'a str)>);

#[test]
fn a_running_job_is_equal_once_it_reflects_the_pins_and_before_that_nothing_is_told() {
    let Some(address) = address("a_running_job_is_equal_once_it_reflects_the_pins") else { return };
    let folder = one("flink-checked", &address, "sector_turnover");
    let _jobs = Jobs { folder: &folder, address: &address };
    let (code, verdict, cause, detail) = outcome(&folder, CHECK);
    assert_eq!((code, verdict.as_str(), cause.as_str()), (3, "cannot-tell", "behind"), "{detail}");
    assert!(detail.contains("never run"), "{detail}");
    folder.good("pipeline run");
    let times: u32 = std::env::var("UNISONO_FLINK_CHECKS").map_or(3, |text| text.parse().unwrap());
    let (mut lagged, mut at_once) = (0, 0);
    for time in 0..times {
        // A correction, a trade that comes or goes, a symbol that moves from one sector to another.
        let price = format!("{}.{:04}", 10 + time % 7, time * 37 % 10_000);
        let trade = format!("1,ACME,2026-03-02 09:00:05.000000,101,{price},{},regular\n", 50 + time);
        let more = format!("{},BOLT,2026-03-02 09:09:00.000000,{time},{price},3,regular\n", 1000 + time / 2);
        folder.write("data/change.csv", &format!("{HEADER}{trade}{more}"));
        folder.good("load market.trades data/change.csv --upsert");
        match time % 5 {
            3 => {
                folder.write("data/gone.csv", &format!("trade_id\n{}\n", 1000 + time / 2));
                folder.good("load market.trades data/gone.csv --delete");
            }
            4 => {
                let sector = if time % 2 == 0 { "Energy" } else { "Transport" };
                folder.write(
                    "data/moved.csv",
                    &format!("symbol,name,venue,sector\nBOLT,Bolt Power,South,{sector}\n"),
                );
                folder.good("load market.symbols data/moved.csv --upsert");
            }
            _ => {}
        }
        let behind = until_equal(&folder);
        lagged += behind;
        at_once += u32::from(behind == 0);
    }
    println!(
        "equal {times} times of {times}; {lagged} checks on the way told that the job lags, {at_once} changes were reflected at the first look"
    );
    assert!(lagged > 0 || times < 20, "no check ever came before the job");
    // What the evidence says can be looked up: the job's statement and settings, and the snapshots.
    let document = evidence(&folder);
    let side = &document["sides"]["realtime"];
    assert_eq!(side["engine"], "flink");
    assert!(side["version"].as_str().unwrap().split('.').count() == 3, "{side}");
    let text = side["text"].as_str().unwrap();
    assert!(text.starts_with("INSERT INTO unisono.market.flink_sector_turnover"), "{text}");
    let setting = |name: &str| {
        let all = side["settings"].as_array().unwrap();
        all.iter().find(|pair| pair[0] == name).map(|pair| pair[1].as_str().unwrap().to_string())
    };
    assert_eq!(setting("execution.runtime-mode").as_deref(), Some("streaming"));
    assert_eq!(setting("table.local-time-zone").as_deref(), Some("UTC"));
    assert_eq!(setting("table.exec.legacy-cast-behaviour").as_deref(), Some("DISABLED"));
    assert_eq!(setting("execution.checkpointing.interval").as_deref(), Some("1 s"));
    let job = setting("pipeline.name").unwrap();
    assert!(text.contains(&format!("unisono.market.trades /*+ OPTIONS('consumer-id'='{job}') */")), "{text}");
    let pins = document["tables"].as_array().unwrap();
    let pin =
        |table: &str| pins.iter().find(|pin| pin["table"] == table).unwrap()["snapshot"].as_i64().unwrap();
    let names: Vec<&str> = pins.iter().map(|pin| pin["table"].as_str().unwrap()).collect();
    assert_eq!(names, ["market.symbols", "market.trades", "market.flink_sector_turnover"]);
    assert!(document["epoch"]["number"].as_i64().unwrap() > 0);
    let rollup =
        |snapshot| rows(&folder, "market.flink_sector_turnover", Some(snapshot), &["sector", "turnover"]);
    let pinned = rollup(pin("market.flink_sector_turnover"));
    if times == 3 {
        // By hand: Bolt's trade of 200, and its trades of 3 at the prices of the second and third change, 11.0037 and 12.0074.
        assert!(pinned.contains(&"Energy|269.0333".to_string()), "{pinned:?}");
    }
    let said = folder.good(&format!("replay {EVIDENCE}"));
    assert!(said.contains("the same verdicts and answers came again"), "{said}");
    assert!(said.contains("the stream that made it was not run again"), "{said}");
    // The stream goes on, and the recorded state stays what it was.
    folder.write(
        "data/change.csv",
        &format!("{HEADER}1,ACME,2026-03-02 09:00:05.000000,101,99.0000,1,regular\n"),
    );
    folder.good("load market.trades data/change.csv --upsert");
    let kept = folder.path.join("kept.json");
    fs::copy(folder.path.join(EVIDENCE), &kept).unwrap();
    until_equal(&folder);
    let said = folder.good("replay kept.json");
    assert!(said.contains("the same verdicts and answers came again"), "{said}");
    assert_eq!(folder.json("replay kept.json")["same"], true);
}

#[test]
fn a_row_that_is_not_the_streams_is_different_and_no_branch_is_merged_on_it() {
    let Some(address) = address("a_row_that_is_not_the_streams_is_different") else { return };
    let folder = one("flink-tampered", &address, "sector_turnover");
    let _jobs = Jobs { folder: &folder, address: &address };
    folder.good("pipeline run");
    until_equal(&folder);
    branch_with_a_quote(&folder);
    // Another value of a group, and a group that no trade stands behind.
    tamper(
        &folder,
        &address,
        "'V6:Energy', 'Energy', CAST(200.0001 AS DECIMAL(38,4)), CAST(10 AS DECIMAL(38,0)), CAST(20.0 AS DOUBLE)",
    );
    tamper(
        &folder,
        &address,
        "'V5:Ghost', 'Ghost', CAST(1 AS DECIMAL(38,4)), CAST(1 AS DECIMAL(38,0)), CAST(1.0 AS DOUBLE)",
    );
    let report = folder.run(&format!("{CHECK} --format json"));
    assert_eq!(report.status.code(), Some(1));
    let report: Json = serde_json::from_slice(&report.stdout).unwrap();
    let metrics = report["data"]["pipelines"][0]["metrics"].as_array().unwrap().clone();
    let found: Vec<Told<'_>> = metrics
        .iter()
        .map(|metric| {
            let groups = metric["groups"].as_array().unwrap().iter();
            let groups = groups
                .map(|group| (group["key"]["sector"].as_str().unwrap(), group["cause"].as_str().unwrap()));
            (metric["name"].as_str().unwrap(), metric["verdict"].as_str().unwrap(), groups.collect())
        })
        .collect();
    let ghost = ("Ghost", "extra-group");
    assert_eq!(
        found,
        [
            ("turnover", "different", vec![("Energy", "value"), ghost]),
            ("volume", "different", vec![ghost]),
            ("vwap", "different", vec![ghost])
        ]
    );
    let said = folder.exits(1, "branch merge quiet");
    assert!(said.contains("refused: main stays as it is"), "{said}");
    let quotes = "query --metrics spread --by quotes.symbol --where \"quotes.symbol = 'CORE'\" --format csv";
    assert_eq!(folder.good(quotes).lines().count(), 1, "main has no quote of CORE");
    let said = folder.good(&format!("replay {EVIDENCE}"));
    assert!(said.contains("the same verdicts and answers came again"), "{said}");
}

#[test]
fn a_merge_passes_beside_a_running_job_and_not_over_its_sources() {
    let Some(address) = address("a_merge_passes_beside_a_running_job") else { return };
    let folder = one("flink-merged", &address, "sector_turnover");
    let _jobs = Jobs { folder: &folder, address: &address };
    folder.good("pipeline run");
    until_equal(&folder);
    branch_with_a_quote(&folder);
    let quotes = "query --metrics spread --by quotes.symbol --where \"quotes.symbol = 'CORE'\" --format csv";
    assert_eq!(folder.good(quotes).lines().count(), 1, "main has no quote of CORE yet");
    // The job commits a checkpoint each second: main's rollup moves on, and that hinders no merge.
    std::thread::sleep(Duration::from_secs(3));
    let (code, verdict, _, detail) = outcome(&folder, "check flink_sector_turnover --branch quiet");
    assert_eq!((code, verdict.as_str()), (0, "equal"), "{detail}");
    let merged = folder.json("branch merge quiet");
    assert_eq!(
        (merged["outcome"].as_str(), &merged["tables"]),
        (Some("merged"), &serde_json::json!(["market.quotes"]))
    );
    assert_eq!(folder.good(quotes).lines().count(), 2);
    // The version holds the rollup as it was checked.
    let version: Json = serde_json::from_str(
        &fs::read_to_string(
            folder.path.join(format!("warehouse/.unisono/versions/{}.json", merged["version"])),
        )
        .unwrap(),
    )
    .unwrap();
    let document = evidence(&folder);
    let pins = document["tables"].as_array().unwrap();
    let rollup = pins.iter().find(|pin| pin["rollup"] == true).unwrap();
    assert_eq!(rollup["line"], "main");
    assert_eq!(version["tables"]["market.flink_sector_turnover"]["snapshot"], rollup["snapshot"]);
    assert!(folder.good(&format!("replay {EVIDENCE}")).contains("the same verdicts"));
    until_equal(&folder);
    // A branch that changes what the stream reads: its rollup cannot be there yet, so nothing is proved.
    folder.good("branch create trades");
    folder.write(
        "data/trade.csv",
        &format!("{HEADER}901,BOLT,2026-03-02 09:09:00.000000,9,1.0000,3,regular\n"),
    );
    folder.good("load market.trades data/trade.csv --upsert --branch trades");
    let said = folder.exits(3, "branch merge trades");
    assert!(said.contains("branch `trades` changes market.trades, and a Flink reads main"), "{said}");
    assert!(said.contains("refused: main stays as it is"), "{said}");
    until_equal(&folder);
}

#[test]
fn first_and_last_prices_are_checked_though_flink_reads_the_trades_in_several_places() {
    let Some(address) = address("first_and_last_prices_are_checked") else { return };
    let folder = one("flink-candles", &address, "minute_candles");
    let _jobs = Jobs { folder: &folder, address: &address };
    folder.good("pipeline run");
    until_equal(&folder);
    // A cancellation alone in its commit: the readings that pass over cancelled trades must see that the old version goes.
    folder.write(
        "data/change.csv",
        &format!("{HEADER}2,ACME,2026-03-02 09:00:59.500000,104,10.5000,200,cancelled\n"),
    );
    folder.good("load market.trades data/change.csv --upsert");
    until_equal(&folder);
    let columns = ["symbol", "traded_at__minute", "open", "high", "low", "close"];
    let path = folder.path.join("target/unisono/evidence/flink_minute_candles.json");
    let document: Json = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let pins = document["tables"].as_array().unwrap();
    let rollup = pins.iter().find(|pin| pin["rollup"] == true).unwrap()["snapshot"].as_i64().unwrap();
    // By hand from data/trades.csv: of Acme's first minute the trades 1 at 10.00 and 3 at 9.75 are left.
    let rows = rows(&folder, "market.flink_minute_candles", Some(rollup), &columns);
    let first = "ACME|2026-03-02T09:00:00|10.0000|10.0000|9.7500|9.7500";
    assert!(rows.iter().any(|row| row.replace(".000000", "") == first), "{rows:?}");
}

/// The hash of what a pipeline means, from evidence that says nothing else yet.
fn meaning(folder: &Folder, pipeline: &str) -> String {
    let (code, _, cause, detail) = outcome(folder, &format!("check {pipeline}"));
    assert_eq!((code, cause.as_str()), (3, "behind"), "{detail}");
    let path = folder.path.join(format!("target/unisono/evidence/{pipeline}.json"));
    let document: Json = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    document["hashes"]["pipeline"].as_str().unwrap().to_string()
}

#[test]
fn a_variant_for_flink_is_another_definition_of_what_flink_keeps_only() {
    let folder = both("flink-variant", "http://127.0.0.1:1");
    let pipelines = ["sector_turnover", "flink_sector_turnover"];
    let before = pipelines.map(|pipeline| meaning(&folder, pipeline));
    let model = fs::read_to_string(folder.path.join("models/candles.yaml")).unwrap();
    let common = "{dialect: ANSI_SQL, expression: SUM(trades.counted_quantity)}";
    assert!(model.contains(common));
    let variant = format!("{common}, {{dialect: FLINK, expression: SUM(trades.counted_quantity) + 0}}");
    folder.write("models/candles.yaml", &model.replacen(common, &variant, 1));
    let after = pipelines.map(|pipeline| meaning(&folder, pipeline));
    assert_eq!(after[0], before[0]);
    assert_ne!(after[1], before[1]);
}

#[test]
fn the_engines_of_a_check_can_be_named() {
    let folder = one("flink-between", "http://127.0.0.1:1", "sector_turnover");
    for engines in ["flink,datafusion", "datafusion,flink", "batch,flink"] {
        let (code, _, cause, detail) = outcome(&folder, &format!("check --between {engines}"));
        assert_eq!((code, cause.as_str()), (3, "behind"), "{engines}: {detail}");
    }
    folder.refused(2, "check --between incremental,datafusion", "stands between `flink` and `batch`");
    folder.refused(2, "check --between flink", "names two engines");
    folder.refused(2, "check --between flink,datafusoin", "datafusion");
}

#[test]
fn a_job_that_has_failed_proves_nothing_and_its_cause_is_told() {
    let Some(address) = address("a_job_that_has_failed_proves_nothing") else { return };
    let folder = one("flink-failed", &address, "sector_turnover");
    let _jobs = Jobs { folder: &folder, address: &address };
    folder.good("pipeline run");
    until_equal(&folder);
    branch_with_a_quote(&folder);
    // Twelve amounts of 9E32 leave DECIMAL(38,4): the job fails while it runs.
    let mut large = HEADER.to_string();
    for id in 700..712 {
        large.push_str(&format!(
            "{id},ACME,2026-03-02 09:00:05.000000,{id},99999999999999.0000,9000000000000000000,regular\n"
        ));
    }
    folder.write("data/large.csv", &large);
    folder.good("load market.trades data/large.csv --upsert");
    until(&folder, "flink_sector_turnover", &["stopped: the job has failed"]);
    let began = Instant::now();
    let (code, verdict, cause, detail) = outcome(&folder, CHECK);
    assert_eq!((code, verdict.as_str(), cause.as_str()), (3, "cannot-tell", "engine-failed"), "{detail}");
    assert!(
        detail.starts_with("no job keeps the rollup: the job has failed:") && detail.contains("overflow"),
        "{detail}"
    );
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    // The trades are main's and not the branch's: no merge either.
    folder.refused(1, "branch merge quiet", "E_MAIN_MOVED");
}
