//! One stage on one workload, for tests/benches/instructions.sh to count its instructions.
//! In: a stage (`parse`, `load`, `compile`) and a workload's name. Out: nothing but the exit status.

#[path = "../benches/stages/workload.rs"]
mod workload;

use std::hint::black_box;

use workload::{requests, workload};

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [stage, name] = arguments.as_slice() else {
        return Err(format!("usage: stages parse|load|compile {}", requests().join("|")));
    };
    let texts = workload(name)?;
    let catalog = texts.catalog()?;
    match stage.as_str() {
        "parse" => measure(|| texts.parse()),
        "load" => measure(|| texts.load(&catalog)),
        "compile" => {
            let resolved = texts.load(&catalog)?;
            measure(|| texts.compile(&resolved))
        }
        other => Err(format!("no stage is called {other}")),
    }
}

/// The first run pays for what an earlier stage left to the allocator: nine tenths of a `compile` over the generated model.
fn measure<T>(stage: impl Fn() -> Result<T, String>) -> Result<(), String> {
    stage()?;
    measured(stage).map(drop)
}

/// The counter collects inside of this function only; its name is known to the script.
#[inline(never)]
fn measured<T>(stage: impl FnOnce() -> T) -> T {
    black_box(stage())
}
