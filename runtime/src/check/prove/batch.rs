//! The batch side: the request as SQL of DataFusion or of a StarRocks over the pinned tables. In: a pipeline. Out: its answer with the
//! companions that bounds need, and the text that was run.

use std::collections::BTreeMap;
use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use unisono_compiler::diagnostic::{Diagnostic, has_errors};
use unisono_compiler::expr::print_typed;
use unisono_compiler::plan::{Plan, plan};
use unisono_compiler::query::{Bound, Shape, bind};
use unisono_compiler::relation::{Relation, relate};
use unisono_compiler::resolve::{ModelExpr, Resolved, resolve_model};
use unisono_dialects::{Target, adapt, bindings_of, emit};

use super::starrocks::{self, Opened};
use super::{Asked, Untold, engine_failed};
use crate::check::bound::{Companions, companions};
use crate::compile::{NOTHING_SAID, dialect_name, made, reference_name};
use crate::engine::Limits;
use crate::engine::datafusion::{Session, VERSION};
use crate::engine::pinned::fill;
use crate::lake::{Pin, TableName};
use crate::pipeline::{Prepared, moment, scanned};
use crate::table::Table;

/// The request in the words of the batch engine.
pub(super) struct Compiled {
    /// The model with the engine's own variants.
    pub(super) resolved: Resolved,
    /// The request as it was asked.
    pub(super) bound: Bound,
    /// The request with what bounds need.
    pub(super) companions: Companions,
    /// Its plan.
    pub(super) plan: Plan,
    /// Its form on the engine.
    pub(super) adapted: Relation,
    /// The engine.
    pub(super) target: Target,
}

/// An answer of the batch side.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// The engine's kind.
    pub engine: &'static str,
    /// Its version.
    pub version: String,
    /// What its session was told.
    pub settings: Vec<(String, String)>,
    /// The text that was run.
    pub sql: String,
    /// Its rows, companions included.
    pub answer: Table,
}

/// What one side may take.
pub(super) const LIMITS: Limits = Limits { rows: 50_000_000, time: Duration::from_mins(30) };

/// Compiles a pipeline's request for the batch engine.
pub(super) fn compile(
    prepared: &Prepared,
    target: Target,
    findings: &mut Vec<Diagnostic>,
) -> Result<Compiled, Vec<Diagnostic>> {
    let (resolved, wrong) = resolve_model(&prepared.model, &prepared.catalog, dialect_name(target.engine));
    let resolved = kept(resolved, wrong, findings)?;
    let (bound, wrong) = bind(&resolved, &prepared.request, &moment());
    let bound = kept(bound, wrong, findings)?;
    let companions = companions(&resolved, &bound);
    let (made, wrong) = plan(&resolved, &companions.bound);
    let plan = kept(made, wrong, findings)?;
    let (adapted, wrong) = adapt(&relate(&resolved, &plan), &target);
    let adapted = kept(adapted, wrong, findings)?;
    // What the engine lacks is said before anything is read.
    let (sql, wrong) = emit(&adapted, &target, &bindings_of(&resolved));
    kept(sql, wrong, findings)?;
    Ok(Compiled { resolved, bound, companions, plan, adapted, target })
}

fn kept<T>(
    value: Option<T>,
    wrong: Vec<Diagnostic>,
    findings: &mut Vec<Diagnostic>,
) -> Result<T, Vec<Diagnostic>> {
    if has_errors(&wrong) {
        return Err(wrong);
    }
    for finding in wrong {
        if !findings.contains(&finding) {
            findings.push(finding);
        }
    }
    made(value, Vec::new())
}

/// Runs the batch side; why it has no answer, in words.
pub(super) async fn answer(
    asked: &Asked<'_>,
    prepared: &Prepared,
    compiled: &Compiled,
    state: &BTreeMap<TableName, Pin>,
    starrocks: Option<&mut Opened>,
) -> Result<Batch, Untold> {
    if let Some(opened) = starrocks {
        return starrocks::answer(asked, prepared, compiled, state, opened).await;
    }
    let session = (asked.session)();
    fill(&session, asked.lake, &compiled.resolved, &compiled.plan, &prepared.tables, state)
        .await
        .map_err(engine_failed)?;
    run(&session, compiled).await
}

/// Rows in the place of a table.
#[derive(Debug)]
pub(super) struct Given {
    /// Its name in a session.
    pub(super) table: Vec<String>,
    /// Its columns, as many as are read.
    pub(super) schema: SchemaRef,
    /// Its rows.
    pub(super) batches: Vec<RecordBatch>,
}

/// The same over rows that are given in the place of the only table.
pub(super) async fn answer_over(
    asked: &Asked<'_>,
    compiled: &Compiled,
    given: &Given,
) -> Result<Batch, Untold> {
    let session = (asked.session)();
    let Given { table, schema, batches } = given;
    session.add_batches(table, schema.clone(), batches.clone()).map_err(engine_failed)?;
    run(&session, compiled).await
}

async fn run(session: &Session, compiled: &Compiled) -> Result<Batch, Untold> {
    let (sql, wrong) = emit(&compiled.adapted, &compiled.target, &bindings_of(&compiled.resolved));
    let sql = sql.ok_or_else(|| engine_failed(words(&wrong)))?;
    let answer = session.run(&sql, LIMITS).await.map_err(engine_failed)?;
    let settings = vec![("time_zone".to_string(), "UTC".to_string())];
    Ok(Batch { engine: "datafusion", version: VERSION.to_string(), settings, sql, answer })
}

/// What findings say, in one line.
pub(super) fn words(findings: &[Diagnostic]) -> String {
    findings.first().map_or(NOTHING_SAID.to_string(), |finding| finding.message.clone())
}

/// Metrics and fields that the model defines in other words for one of the two engines.
pub(super) fn variants(prepared: &Prepared, compiled: &Compiled) -> Vec<String> {
    let engine = dialect_name(compiled.target.engine);
    let words = |resolved: &Resolved, expr: &ModelExpr| {
        print_typed(expr, &|reference| reference_name(resolved, *reference))
    };
    // A model may have a variant for a Flink too, and none for the batch engine.
    let (batch_side, realtime_side) = match &prepared.flink {
        Some(_) => ("batch uses".to_string(), "the Flink that keeps the rollup uses"),
        None => (format!("batch uses the model's {engine} variant"), "real time uses"),
    };
    let mut notes = Vec::new();
    for ((id, realtime), (_, batch)) in prepared.resolved.metrics.iter().zip(compiled.resolved.metrics.iter())
    {
        let name = &prepared.resolved.model.metrics[id].name.text;
        if let (Ok(realtime), Ok(batch)) = (realtime, batch)
            && realtime != batch
            && measures(prepared).contains(name)
        {
            notes.push(format!(
                "`{name}`: {batch_side} {}; {realtime_side} {}",
                words(&compiled.resolved, batch),
                words(&prepared.resolved, realtime),
            ));
        }
    }
    let scanned = scanned(&prepared.plan);
    for ((id, realtime), (_, batch)) in prepared.resolved.fields.iter().zip(compiled.resolved.fields.iter()) {
        let field = &prepared.resolved.model.fields[id];
        if let (Ok(realtime), Ok(batch)) = (realtime, batch)
            && realtime != batch
            && scanned.contains(&field.dataset)
        {
            notes.push(format!(
                "`{}.{}`: {batch_side} {}; {realtime_side} {}",
                prepared.resolved.model.datasets[field.dataset].name.text,
                field.name.text,
                words(&compiled.resolved, batch),
                words(&prepared.resolved, realtime),
            ));
        }
    }
    notes
}

/// The metrics that a pipeline asks for.
fn measures(prepared: &Prepared) -> Vec<String> {
    match &prepared.bound.shape {
        Shape::Aggregation(request) => request.measures.iter().map(|measure| measure.name.clone()).collect(),
        Shape::Scalar(_) => Vec::new(),
    }
}
