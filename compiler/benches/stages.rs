//! How long the compiler's stages take: `cargo bench -p unisono-compiler`.
//! In: the workloads. Out: a table of times, for a person beside the same machine's last one; see docs/performance.md.

#[path = "stages/workload.rs"]
mod workload;

use divan::{Bencher, black_box};

use workload::{requests, workload};

/// The names of all models.
const MODELS: [&str; 6] = ["shop", "tpch", "hub_200", "warehouse_100", "warehouse_1000", "warehouse_10000"];

/// Every workload must pass every stage before one is measured.
fn main() -> Result<(), String> {
    for name in requests() {
        let texts = workload(&name)?;
        texts.compile(&texts.load(&texts.catalog()?)?).map_err(|fault| format!("{name}: {fault}"))?;
    }
    divan::main();
    Ok(())
}

/// YAML to document.
#[divan::bench(args = MODELS)]
fn parse(bencher: Bencher<'_, '_>, name: &str) {
    let Ok(texts) = workload(name) else { return };
    bencher.bench_local(|| black_box(&texts).parse());
}

/// YAML to resolved model.
#[divan::bench(args = MODELS)]
fn load(bencher: Bencher<'_, '_>, name: &str) {
    let Ok(texts) = workload(name) else { return };
    let Ok(catalog) = texts.catalog() else { return };
    bencher.bench_local(|| black_box(&texts).load(&catalog));
}

/// Request to relation, over a model that is loaded.
#[divan::bench(args = requests())]
fn compile(bencher: Bencher<'_, '_>, name: &str) {
    let Ok(texts) = workload(name) else { return };
    let Ok(resolved) = texts.catalog().and_then(|catalog| texts.load(&catalog)) else { return };
    bencher.bench_local(|| black_box(&texts).compile(&resolved));
}
