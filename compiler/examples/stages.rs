//! One stage on one workload, for tests/benches/instructions.sh to count its instructions.
//! In: a stage (`parse`, `load`, `compile`) and a workload's name. Out: nothing but the exit status.

#[path = "../benches/stages/workload.rs"]
mod workload;

use std::hint::black_box;

use workload::{NAMES, workload};

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [stage, name] = arguments.as_slice() else {
        return Err(format!("usage: stages parse|load|compile {}", NAMES.join("|")));
    };
    let texts = workload(name)?;
    let catalog = texts.catalog()?;
    match stage.as_str() {
        "parse" => measured(|| texts.parse()).map(drop),
        "load" => measured(|| texts.load(&catalog)).map(drop),
        "compile" => {
            let resolved = texts.load(&catalog)?;
            measured(|| texts.compile(&resolved)).map(drop)
        }
        other => Err(format!("no stage is called {other}")),
    }
}

/// The counter collects inside of this function only; its name is known to the script.
#[inline(never)]
fn measured<T>(stage: impl FnOnce() -> T) -> T {
    black_box(stage())
}
