//! How long the compiler's stages take: `cargo bench -p unisono-compiler`.
//! In: the workloads. Out: a table of times, for a person beside the same machine's last one; see docs/performance.md.

#[path = "stages/workload.rs"]
mod workload;

use divan::{Bencher, black_box};

use workload::{NAMES, workload};

/// Every workload must pass every stage before one is measured.
fn main() -> Result<(), String> {
    for name in NAMES {
        let texts = workload(name)?;
        texts.compile(&texts.load(&texts.catalog()?)?).map_err(|fault| format!("{name}: {fault}"))?;
    }
    divan::main();
    Ok(())
}

/// YAML to document.
#[divan::bench(args = NAMES)]
fn parse(bencher: Bencher<'_, '_>, name: &str) {
    let Ok(texts) = workload(name) else { return };
    bencher.bench_local(|| black_box(&texts).parse());
}

/// YAML to resolved model.
#[divan::bench(args = NAMES)]
fn load(bencher: Bencher<'_, '_>, name: &str) {
    let Ok(texts) = workload(name) else { return };
    let Ok(catalog) = texts.catalog() else { return };
    bencher.bench_local(|| black_box(&texts).load(&catalog));
}

/// Request to relation, over a model that is loaded.
#[divan::bench(args = NAMES)]
fn compile(bencher: Bencher<'_, '_>, name: &str) {
    let Ok(texts) = workload(name) else { return };
    let Ok(resolved) = texts.catalog().and_then(|catalog| texts.load(&catalog)) else { return };
    bencher.bench_local(|| black_box(&texts).compile(&resolved));
}
