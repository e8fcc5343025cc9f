//! How long it takes from a request's text to the SQL text of a target: `cargo bench -p unisono-dialects`.
//! In: the compiler's workloads. Out: a table of times, for a person beside the same machine's last one; see docs/performance.md.

#[path = "../../compiler/benches/stages/workload.rs"]
mod workload;

use divan::{Bencher, black_box};
use unisono_compiler::resolve::Resolved;
use unisono_dialects::{Bindings, Engine, Target, adapt, bindings_of, emit};

use workload::{Workload, requests, workload};

/// Every workload must have a text before one is measured.
fn main() -> Result<(), String> {
    for name in requests() {
        let texts = workload(&name)?;
        let resolved = texts.load(&texts.catalog()?)?;
        text(&texts, &resolved, &bindings_of(&resolved)).map_err(|fault| format!("{name}: {fault}"))?;
    }
    divan::main();
    Ok(())
}

/// Request to DuckDB's text, over a model that is loaded.
#[divan::bench(args = requests())]
fn duckdb(bencher: Bencher<'_, '_>, name: &str) {
    let Ok(texts) = workload(name) else { return };
    let Ok(resolved) = texts.catalog().and_then(|catalog| texts.load(&catalog)) else { return };
    let bindings = bindings_of(&resolved);
    bencher.bench_local(|| text(black_box(&texts), &resolved, &bindings));
}

fn text(texts: &Workload, resolved: &Resolved, bindings: &Bindings) -> Result<String, String> {
    let target = Target::latest(Engine::DuckDb);
    let relation = texts.compile(resolved)?;
    let (adapted, findings) = adapt(&relation, &target);
    let adapted = adapted.ok_or_else(|| format!("{findings:?}"))?;
    let (text, findings) = emit(&adapted, &target, bindings);
    text.ok_or_else(|| format!("{findings:?}"))
}
