//! A Flink that loses a part of itself while it keeps a rollup, or whose warehouse is full. In: a cluster that the test starts, where
//! UNISONO_FLINK_GATEWAY says that Flink is installed. Out: each verb ends in a clear error within its deadline, and works again afterwards.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use unisono_tests::helper::skip;
use unisono_tests::project;

use crate::flink_checks::{CHECK, EVIDENCE, outcome, until_equal};
use crate::flink_engine::address;
use crate::flink_pipelines::{Jobs, one, until};
use crate::project_folder::Folder;

/// A cluster of this test's own, which is stopped when it goes out of scope.
struct Cluster {
    run: PathBuf,
    ports: [u16; 3],
}

impl Cluster {
    /// Starts JobManager, TaskManager and gateway in a folder.
    fn start(run: PathBuf) -> Cluster {
        // All three are taken at once, so that they differ.
        let free = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let ports = free.each_ref().map(|listener| listener.local_addr().unwrap().port());
        drop(free);
        let cluster = Cluster { run, ports };
        cluster.script("start.sh");
        cluster
    }

    fn script(&self, name: &str) {
        let [gateway, rest, rpc] = self.ports.map(|port| port.to_string());
        fs::create_dir_all(&self.run).unwrap();
        // Into a file: a pipe would stay open for as long as the cluster runs.
        let log = fs::File::create(self.run.join(format!("{name}.log"))).unwrap();
        let ended = Command::new(project("tests/flink").join(name))
            .env("FLINK_RUN", &self.run)
            .env("FLINK_GATEWAY_PORT", gateway)
            .env("FLINK_JM_REST_PORT", rest)
            .env("FLINK_JM_RPC_PORT", rpc)
            .stdin(Stdio::null())
            .stderr(log.try_clone().unwrap())
            .stdout(log)
            .status()
            .unwrap();
        let said = fs::read_to_string(self.run.join(format!("{name}.log"))).unwrap_or_default();
        assert!(ended.success() || name == "stop.sh", "{name}: {said}");
    }

    fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.ports[0])
    }

    /// Ends one of its processes at once.
    fn kill(&self, name: &str) {
        let id = fs::read_to_string(self.run.join(format!("pid/{name}.pid"))).unwrap();
        assert!(Command::new("kill").args(["-9", id.trim()]).status().unwrap().success());
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.script("stop.sh");
    }
}

/// Runs a closure that must end within a time; how long it took.
fn within<T>(most: Duration, what: &str, act: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let done = act();
    let took = began.elapsed();
    println!("{what}: {:.1} s", took.as_secs_f64());
    assert!(took < most, "{what} took {took:?}");
    done
}

const HEADER: &str = "trade_id,symbol,traded_at,sequence,price,quantity,status\n";

#[test]
fn a_killed_task_manager_and_a_dead_gateway_end_in_clear_errors() {
    let Some(_) = address("a_killed_task_manager_and_a_dead_gateway_end_in_clear_errors") else { return };
    let place = Folder::new("flink-cluster");
    let cluster = Cluster::start(place.path.join("run"));
    let folder = one("flink-broken", &cluster.address(), "sector_turnover");
    folder.good("pipeline run");
    until_equal(&folder);
    let kept = folder.path.join("kept.json");
    fs::copy(folder.path.join(EVIDENCE), &kept).unwrap();
    cluster.kill("taskmanager");
    // At first Flink itself does not know. No commit comes, and the check does not wait for ever.
    let (code, verdict, cause, detail) =
        within(Duration::from_secs(90), "check, TaskManager killed", || outcome(&folder, CHECK));
    assert_eq!((code, verdict.as_str()), (3, "cannot-tell"), "{detail}");
    let told = match cause.as_str() {
        "behind" => detail.contains("no checkpoint was committed into the rollup within 30 s"),
        "engine-failed" => detail.starts_with("no job keeps the rollup: the job"),
        _ => false,
    };
    assert!(told, "{cause}: {detail}");
    // Then it does, and says which TaskManager.
    until(&folder, "flink_sector_turnover", &["stopped: the job has failed"]);
    let (code, _, cause, detail) =
        within(Duration::from_secs(30), "check, job failed", || outcome(&folder, CHECK));
    assert_eq!((code, cause.as_str()), (3, "engine-failed"), "{detail}");
    assert!(
        detail.contains("TaskManager") || detail.contains("Heartbeat") || detail.contains("heartbeat"),
        "{detail}"
    );
    // Nobody can run it: the submission ends too.
    let refused = within(Duration::from_mins(3), "pipeline run without a TaskManager", || {
        folder.refused(4, "pipeline run", "E_ENGINE_FAILED")
    });
    assert!(refused.contains("slot") || refused.contains("resource"), "{refused}");
    cluster.kill("gateway");
    let (code, verdict, cause, detail) =
        within(Duration::from_secs(30), "check, gateway dead", || outcome(&folder, CHECK));
    assert_eq!((code, verdict.as_str(), cause.as_str()), (3, "cannot-tell", "engine-failed"), "{detail}");
    assert!(detail.contains("no gateway answers at"), "{detail}");
    within(Duration::from_secs(30), "status, gateway dead", || {
        folder.refused(4, "pipeline status", "no gateway answers at")
    });
    within(Duration::from_secs(30), "run, gateway dead", || {
        folder.refused(4, "pipeline run", "no gateway answers at")
    });
    // A replay needs no Flink.
    let said = within(Duration::from_secs(30), "replay without Flink", || folder.good("replay kept.json"));
    assert!(said.contains("the same verdicts and answers came again"), "{said}");
    // A gateway that takes the call and never answers.
    let deaf = TcpListener::bind("127.0.0.1:0").unwrap();
    let file = fs::read_to_string(folder.path.join("unisono.yaml")).unwrap();
    let there = format!("http://{}", deaf.local_addr().unwrap());
    folder.write("unisono.yaml", &file.replace(&cluster.address(), &there));
    let (code, _, cause, detail) =
        within(Duration::from_mins(2), "check, gateway deaf", || outcome(&folder, CHECK));
    assert_eq!((code, cause.as_str()), (3, "engine-failed"), "{detail}");
    assert!(detail.contains("ran longer than 30 s"), "{detail}");
    drop(deaf);
    folder.write("unisono.yaml", &file);
    // With all of it back the job is submitted anew, and proves again.
    cluster.script("stop.sh");
    cluster.script("start.sh");
    folder.good("pipeline run");
    until_equal(&folder);
    // Before the folder goes: the job still writes into it.
    drop(cluster);
}

/// A small file system, which is taken away when it goes out of scope.
struct Small {
    path: PathBuf,
}

impl Small {
    /// `None` where this user may mount nothing.
    fn mount(path: PathBuf, size: &str) -> Option<Small> {
        fs::create_dir_all(&path).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(&path)
            .stderr(Stdio::null())
            .status();
        mounted.is_ok_and(|status| status.success()).then_some(Small { path })
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.path).status();
    }
}

#[test]
fn a_full_disk_under_the_warehouse_ends_in_a_clear_error() {
    let test = "a_full_disk_under_the_warehouse_ends_in_a_clear_error";
    let Some(address) = address(test) else { return };
    let place = Folder::new("flink-full");
    let Some(small) = Small::mount(place.path.join("disk"), "24m") else {
        skip(test, "no small file system can be mounted here");
        return;
    };
    let folder = one("flink-disk", &address, "sector_turnover");
    // The warehouse moves onto the small disk.
    let (old, new) = (folder.path.join("warehouse"), small.path.join("warehouse"));
    assert!(Command::new("mv").arg(&old).arg(&new).status().unwrap().success());
    std::os::unix::fs::symlink(&new, &old).unwrap();
    let _jobs = Jobs { folder: &folder, address: &address };
    folder.good("pipeline run");
    until_equal(&folder);
    folder.write(
        "data/change.csv",
        &format!("{HEADER}1,ACME,2026-03-02 09:00:05.000000,101,99.0000,1,regular\n"),
    );
    folder.good("load market.trades data/change.csv --upsert");
    // Nothing more fits.
    let filler = small.path.join("filler");
    let _ = Command::new("dd")
        .args(["if=/dev/zero", "bs=4k", &format!("of={}", filler.display())])
        .stderr(Stdio::null())
        .status();
    let began = Instant::now();
    let stopped = until(&folder, "flink_sector_turnover", &["stopped: the job has failed"]);
    println!(
        "the job failed {:.1} s after the disk was full: {}",
        began.elapsed().as_secs_f64(),
        stopped["state"]
    );
    assert!(stopped["state"].as_str().unwrap().contains("No space left on device"), "{stopped}");
    let (code, _, cause, detail) =
        within(Duration::from_secs(30), "check, disk full", || outcome(&folder, CHECK));
    assert_eq!((code, cause.as_str()), (3, "engine-failed"), "{detail}");
    assert!(detail.contains("No space left on device"), "{detail}");
    // Our own writer says it too, and leaves what is there as it was.
    within(Duration::from_secs(30), "load, disk full", || {
        folder.refused(4, "load market.trades data/change.csv --upsert", "No space left on device")
    });
    within(Duration::from_mins(3), "run, disk full", || {
        folder.refused(4, "pipeline run", "o space left on device")
    });
    fs::remove_file(&filler).unwrap();
    folder.good("pipeline run");
    until_equal(&folder);
}
