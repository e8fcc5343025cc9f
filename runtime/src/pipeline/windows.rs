//! The windows of a windowed pipeline (docs/semantics.md, real time). In: the pipeline's words, its bound request, the sources of the project. Out: which
//! column is the time of an event, which dimension its bucket, and when a bucket is closed; or why there are none.
//! All times are microseconds since 1970, wall clock.

mod duration;

use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::expr::ExprKind;
use unisono_compiler::function::{Function, Unit};
use unisono_compiler::ids::{ColumnId, DatasetId};
use unisono_compiler::model::Source;
use unisono_compiler::plan::Plan;
use unisono_compiler::query::{Aggregation, Bound, Shape};
use unisono_compiler::resolve::{ModelExpr, Reference, Resolved};
use unisono_compiler::source::Spanned;
use unisono_dialects::{Bucket, EVENT_COLUMNS};

use self::duration::duration;
use super::meaning::{scanned, table_of};
use crate::lake::TableName;
use crate::project::{EngineKind, Pipeline, PipelineKind, Project};

/// The windows of a pipeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Windows {
    /// The only dataset that is read.
    pub dataset: DatasetId,
    /// Its table.
    pub table: TableName,
    /// The column of the time of an event.
    pub column: ColumnId,
    /// Its name.
    pub time: String,
    /// The dimension that is the bucket, by position.
    pub dimension: usize,
    /// The length of a bucket.
    pub bucket: Bucket,
    /// How far the watermark stays behind the latest event.
    pub delay: i64,
    /// How long a bucket waits after the watermark.
    pub lateness: i64,
}

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;
/// What Flink can write as an interval.
const LONGEST_WAIT: i64 = 90 * DAY;

impl Windows {
    /// The start of the bucket of an event.
    pub fn start(&self, time: i64) -> i64 {
        let first = self.bucket.first_day() * DAY;
        time.saturating_sub((time - first).rem_euclid(self.size()))
    }

    /// The latest event with which the bucket of an event is closed: its end, and how long it waits.
    pub fn closes(&self, time: i64) -> i64 {
        self.start(time).saturating_add(self.size()).saturating_add(self.wait())
    }

    /// The start of the first bucket that the latest event leaves open.
    pub fn first_open(&self, latest: i64) -> i64 {
        self.start(latest.saturating_sub(self.wait()))
    }

    /// The watermark that the latest event makes.
    pub fn watermark(&self, latest: i64) -> i64 {
        latest.saturating_sub(self.delay)
    }

    /// How far the latest event must be past the end of a bucket to close it.
    pub fn wait(&self) -> i64 {
        self.delay + self.lateness
    }

    fn size(&self) -> i64 {
        self.bucket.seconds() * SECOND
    }

    /// What tells these windows from others.
    pub(super) fn words(&self) -> String {
        format!("{} {} {} {}", self.time, self.bucket.as_str(), self.delay, self.lateness)
    }
}

/// The windows of a pipeline, or what it lacks; `None` for an updating one.
pub fn windows(
    project: &Project,
    pipeline: &Pipeline,
    resolved: &Resolved,
    bound: &Bound,
    plan: &Plan,
) -> Result<Option<Windows>, Vec<Diagnostic>> {
    let allowed_lateness = match &pipeline.kind {
        PipelineKind::Updating => return Ok(None),
        PipelineKind::Windowed { allowed_lateness } => allowed_lateness.as_ref(),
    };
    let name = &pipeline.name.value;
    let refuse = |what: String, help: &str| Err(refused(pipeline, what, help));
    if matches!(project.engine(&pipeline.batch), Some(EngineKind::StarRocks { .. })) {
        return refuse(
            format!("pipeline `{name}` is windowed, and a StarRocks cannot leave its late rows out"),
            "check it with an engine of kind datafusion",
        );
    }
    let datasets: Vec<DatasetId> = scanned(plan).into_iter().collect();
    let (Shape::Aggregation(request), [dataset]) = (&bound.shape, datasets.as_slice()) else {
        return refuse(
            format!("pipeline `{name}` is windowed and reads {} datasets, not one", datasets.len()),
            "windows are of the events of one table: ask for fields and metrics of one dataset, or make it `kind: updating`",
        );
    };
    let declared = &resolved.model.datasets[*dataset];
    let dataset_name = &declared.name.text;
    if looks_at_others(resolved, request) {
        return refuse(
            format!("pipeline `{name}` is windowed and uses a window over other rows (OVER)"),
            "leave it out, or make it `kind: updating`",
        );
    }
    let (Source::Table(parts), Some(table)) = (
        &declared.source,
        table_of(project, &declared.source).and_then(|parts| TableName::parse(&parts.join(".")).ok()),
    ) else {
        return refuse(
            format!("pipeline `{name}` is windowed, and the source of `{dataset_name}` is no table"),
            "give the dataset a table `database.table`",
        );
    };
    let source = parts.join(".");
    let entry = project.sources.iter().find(|entry| entry.source.value == source);
    let event_time = entry.and_then(|entry| entry.event_time.as_ref());
    let delay = entry.and_then(|entry| entry.watermark_delay.as_ref());
    let (Some(event_time), Some(delay)) = (event_time, delay) else {
        return refuse(
            format!(
                "pipeline `{name}` is windowed, and nothing says when an event of `{source}` happened and how late it may come"
            ),
            &format!("under `sources:` write {source}: {{event_time: COLUMN, watermark_delay: 5 minutes}}"),
        );
    };
    let column = event_column(resolved, *dataset, &source, event_time)?;
    if let Some(taken) = columns_of(resolved, *dataset)
        .map(|id| &resolved.columns[id].name)
        .find(|name| EVENT_COLUMNS.iter().any(|own| name.eq_ignore_ascii_case(own)))
    {
        return refuse(
            format!("`{source}` has a column `{taken}`, which is what Flink calls a bound of its windows"),
            "rename the column, or make the pipeline `kind: updating`",
        );
    }
    let (dimension, bucket) = bucket_of(pipeline, resolved, request, (column, &event_time.value))?;
    let lateness = allowed_lateness.map_or(Ok(0), duration)?;
    let windows = Windows {
        dataset: *dataset,
        table,
        column,
        time: resolved.columns[column].name.clone(),
        dimension,
        bucket,
        delay: duration(delay)?,
        lateness,
    };
    if windows.wait() > LONGEST_WAIT {
        return refuse(
            format!("pipeline `{name}` waits for more than {} days", LONGEST_WAIT / DAY),
            "shorten `watermark_delay` or `allowed_lateness`, or make it `kind: updating`",
        );
    }
    Ok(Some(windows))
}

/// The columns of a dataset.
fn columns_of(resolved: &Resolved, dataset: DatasetId) -> impl Iterator<Item = ColumnId> + '_ {
    resolved.columns.iter().filter(move |(_, column)| column.dataset == dataset).map(|(id, _)| id)
}

/// The column of the time of an event, a Timestamp.
fn event_column(
    resolved: &Resolved,
    dataset: DatasetId,
    source: &str,
    event_time: &Spanned<String>,
) -> Result<ColumnId, Vec<Diagnostic>> {
    let refuse = |code, what: String, help: &str| {
        Err(vec![Diagnostic::new(code, what).at(event_time.span, "").help(help)])
    };
    let name = &event_time.value;
    let spelled = |id: &ColumnId| resolved.columns[*id].name.eq_ignore_ascii_case(name);
    let Some(column) = columns_of(resolved, dataset).find(spelled) else {
        let known = columns_of(resolved, dataset).map(|id| resolved.columns[id].name.as_str());
        let dataset = &resolved.model.datasets[dataset].name.text;
        let finding = Diagnostic::new(Code::NameNotFound, format!("`{dataset}` has no column `{name}`"));
        return Err(vec![
            finding.suggest(name, known).at(event_time.span, "").help(
                "name the column of the source that holds the time of the event, and use it in a field",
            ),
        ]);
    };
    match resolved.columns[column].data_type {
        DataType::Timestamp => Ok(column),
        DataType::Unknown => refuse(
            Code::TypeRequired,
            format!("nothing declares the type of `{source}.{name}`, the time of an event"),
            &format!("under `types:` write {source}.{name}: TIMESTAMP"),
        ),
        other => refuse(
            Code::TypeMismatch,
            format!("`{source}.{name}` is {other}, and the time of an event is a Timestamp"),
            "name a column of type Timestamp, the wall clock of the event",
        ),
    }
}

/// The only dimension that is a bucket of the time, and its bucket.
fn bucket_of(
    pipeline: &Pipeline,
    resolved: &Resolved,
    request: &Aggregation,
    (column, time): (ColumnId, &str),
) -> Result<(usize, Bucket), Vec<Diagnostic>> {
    let name = &pipeline.name.value;
    let found = buckets(resolved, request, column);
    let (dimension, unit) = match found.as_slice() {
        [only] => *only,
        [] => {
            return Err(refused(
                pipeline,
                format!("pipeline `{name}` is windowed, and none of its dimensions is a bucket of `{time}`"),
                "add one: its field with :second, :minute, :hour, :day or :week, as in \"orders.ordered_at:hour\"",
            ));
        }
        [_, _, ..] => {
            return Err(refused(
                pipeline,
                format!("pipeline `{name}` is windowed and has {} buckets of `{time}`", found.len()),
                "ask for one; the others follow from it",
            ));
        }
    };
    let bucket = Bucket::of(unit).ok_or_else(|| {
        let what = format!("pipeline `{name}` is windowed, and {}s are not all of one length", unit.as_str());
        refused(pipeline, what, "take :second, :minute, :hour, :day or :week")
    })?;
    Ok((dimension, bucket))
}

/// What a windowed pipeline cannot be.
fn refused(pipeline: &Pipeline, what: String, help: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::new(Code::UnsupportedPipeline, what).at(pipeline.name.span, "").help(help)]
}

/// Whether a value of the request depends on rows or groups of other buckets.
fn looks_at_others(resolved: &Resolved, request: &Aggregation) -> bool {
    let rows = request.branches.iter().flat_map(|branch| branch.dimensions.iter().chain(&branch.predicates));
    let mut inputs = request.aggregates.iter().flat_map(|bound| bound.aggregate.parts()).chain(rows);
    request.measures.iter().any(|measure| measure.expr.has_window())
        || inputs.any(|expr| has_window(resolved, expr))
}

/// Whether an expression has a window, in itself or in a field that it uses.
fn has_window(resolved: &Resolved, expr: &ModelExpr) -> bool {
    let of_field = |reference: &Reference| match reference {
        Reference::Field(field) => {
            resolved.fields[*field].as_ref().is_ok_and(|expr| has_window(resolved, expr))
        }
        Reference::Column(_) | Reference::Metric(_) | Reference::Now => false,
    };
    expr.has_window() || expr.references().into_iter().any(of_field)
}

/// The dimensions that are the time cut to a unit.
fn buckets(resolved: &Resolved, request: &Aggregation, column: ColumnId) -> Vec<(usize, Unit)> {
    let [branch] = request.branches.as_slice() else { return Vec::new() };
    let bucket = |expr| unit_of(resolved, expr, column);
    branch.dimensions.iter().enumerate().filter_map(|(at, expr)| Some((at, bucket(expr)?))).collect()
}

/// The unit to which an expression cuts the column.
fn unit_of(resolved: &Resolved, expr: &ModelExpr, column: ColumnId) -> Option<Unit> {
    let expr = behind(resolved, expr)?;
    match &*expr.kind {
        ExprKind::Call { function: Function::DateTrunc(unit), arguments } => {
            let [time] = arguments.as_slice() else { return None };
            let time = behind(resolved, time)?;
            matches!(&*time.kind, ExprKind::Reference(Reference::Column(of)) if *of == column)
                .then_some(*unit)
        }
        // `metric_time` by days and weeks is a Date.
        ExprKind::Cast { operand } if matches!(expr.data_type, DataType::Date | DataType::Timestamp) => {
            unit_of(resolved, operand, column)
        }
        _ => None,
    }
}

/// What a field that is only a name for something stands for.
fn behind<'e>(resolved: &'e Resolved, expr: &'e ModelExpr) -> Option<&'e ModelExpr> {
    let mut expr = expr;
    while let ExprKind::Reference(Reference::Field(field)) = &*expr.kind {
        expr = resolved.fields[*field].as_ref().ok()?;
    }
    Some(expr)
}

#[cfg(test)]
mod tests;
