//! The corpora of the fuzz targets: each input once through what its target does.
//! In: fuzz/corpus. Out: the input that panics, or takes long enough to be a fault.

use std::fs;
use std::time::{Duration, Instant};

use unisono_tests::project;

#[path = "../../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "the fuzz targets use it from outside, and this binary from inside")]
mod targets;

/// An input is at most some kilobytes; more than this is a cost that doubles with a step.
const LONGEST: Duration = Duration::from_secs(10);

fn run_each(target: &str, run: fn(&[u8])) {
    let folder = project("fuzz/corpus").join(target);
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() > 20, "{} has {} inputs", folder.display(), paths.len());
    for path in paths {
        // Shown only if the test fails: the last one is the input at fault.
        println!("{}", path.display());
        let began = Instant::now();
        run(&fs::read(&path).unwrap());
        assert!(began.elapsed() < LONGEST, "took {:?}", began.elapsed());
    }
}

#[test]
fn documents_end_in_a_model_or_findings() {
    run_each("document", targets::document);
}

#[test]
fn expressions_print_back() {
    run_each("expression", targets::expression);
}

#[test]
fn requests_end_in_a_text_or_findings() {
    run_each("request", targets::request);
}
