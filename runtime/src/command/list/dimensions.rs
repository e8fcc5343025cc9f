//! The dimensions that a model offers, or that some metrics share: fields, and `metric_time` where the metrics have one.
//! In: a model, metrics as typed. Out: a row each; a dimension without which the metrics mean nothing is marked.

use serde_json::{Value, json};
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, Diagnostic, Severity, has_errors};
use unisono_compiler::expr::ExprKind;
use unisono_compiler::function::Unit;
use unisono_compiler::ids::FieldId;
use unisono_compiler::plan::plan;
use unisono_compiler::query::{Bound, Shape, bind, parse_request};
use unisono_compiler::resolve::{ModelExpr, Reference, Resolved};
use unisono_compiler::source::SourceId;

use super::{any_moment, written};
use crate::output::Run;
use crate::request::{Typed, to_json};

/// The time that each measure goes by.
const METRIC_TIME: &str = "metric_time";

/// What dimensions are wanted for.
struct Wanted<'a> {
    resolved: &'a Resolved,
    /// As a request writes them; none for the whole model.
    measures: Vec<Value>,
    /// Dimensions that these measures name in their windows.
    required: Vec<String>,
}

pub(super) fn rows(run: &mut Run, resolved: &Resolved, metrics: &[String]) -> Option<Vec<Value>> {
    let request = to_json(&Typed { metrics: metrics.to_vec(), ..Typed::default() });
    let measures = request["measures"].as_array().cloned().unwrap_or_default();
    let mut wanted = Wanted { resolved, measures, required: Vec::new() };
    if wanted.measures.is_empty() {
        return Some(time_of_any(resolved).into_iter().chain(wanted.fields()).collect());
    }
    let text = request.to_string();
    let source = run.sources.add("<command line>", text.as_str());
    let request = run.stage(parse_request(source, &text))?;
    let (bound, findings) = bind(resolved, &request, &any_moment());
    let mut errors = findings.iter().filter(|finding| finding.severity() == Severity::Error);
    if !has_errors(&findings) || !errors.all(mended_by_a_dimension) {
        run.stage((bound, findings))?;
        return Some(wanted.rows());
    }
    wanted.required = required(resolved, &wanted.measures);
    let rows = wanted.rows();
    if rows.is_empty() {
        run.diagnostics.extend(findings);
        return None;
    }
    run.notes.push(wanted.note());
    Some(rows)
}

/// Whether measures that cannot be asked for alone may be with a dimension: one that a window of theirs runs over, or one that
/// unconnected facts share.
fn mended_by_a_dimension(finding: &Diagnostic) -> bool {
    matches!(finding.code, Code::UnaggregatedFinerGrainReference | Code::E3013NoStitchingDimension)
}

/// The fields that the windows of metrics are partitioned or ordered by, by name.
fn required(resolved: &Resolved, measures: &[Value]) -> Vec<String> {
    let mut found = Vec::new();
    for name in measures.iter().filter_map(Value::as_str) {
        let metrics = resolved.model.metrics.iter();
        for (id, metric) in metrics.filter(|(_, metric)| metric.name.text.eq_ignore_ascii_case(name)) {
            if let (false, Ok(expr)) = (metric.private, &resolved.metrics[id]) {
                outside_aggregates(resolved, expr, &mut found);
            }
        }
    }
    found.iter().map(|field| field_name(resolved, *field)).collect()
}

fn outside_aggregates(resolved: &Resolved, expr: &ModelExpr, found: &mut Vec<FieldId>) {
    match &*expr.kind {
        ExprKind::Aggregate(_) => {}
        ExprKind::Reference(Reference::Field(id)) => {
            if !found.contains(id) {
                found.push(*id);
            }
        }
        // Cycles were refused, so this ends.
        ExprKind::Reference(Reference::Metric(id)) => {
            if let Ok(expr) = &resolved.metrics[*id] {
                outside_aggregates(resolved, expr, found);
            }
        }
        ExprKind::Literal(_)
        | ExprKind::Reference(Reference::Column(_) | Reference::Now)
        | ExprKind::Call { .. }
        | ExprKind::Case { .. }
        | ExprKind::InList { .. }
        | ExprKind::Cast { .. }
        | ExprKind::Window(_) => {
            for child in expr.children() {
                outside_aggregates(resolved, child, found);
            }
        }
    }
}

fn field_name(resolved: &Resolved, id: FieldId) -> String {
    let field = &resolved.model.fields[id];
    format!("{}.{}", written(&resolved.model.datasets[field.dataset].name), written(&field.name))
}

impl Wanted<'_> {
    fn rows(&self) -> Vec<Value> {
        self.metric_time().into_iter().chain(self.fields()).collect()
    }

    fn fields(&self) -> Vec<Value> {
        let fields = self.resolved.model.fields.iter().filter(|(_, field)| !field.private);
        fields.filter_map(|(id, _)| self.field(id)).collect()
    }

    /// Why these metrics are not asked for alone.
    fn note(&self) -> String {
        let names: Vec<String> = self.required.iter().map(|name| format!("`{name}`")).collect();
        match names.as_slice() {
            [] => "the metrics cannot be asked for without a dimension; each of these will do".to_string(),
            names => format!(
                "a window of the metrics runs over {}, which each request for them must have among its dimensions",
                names.join(" and ")
            ),
        }
    }

    /// A field, if the measures can be grouped by it.
    fn field(&self, id: FieldId) -> Option<Value> {
        let field = &self.resolved.model.fields[id];
        let data_type = self.resolved.fields[id].as_ref().ok()?.data_type;
        let name = field_name(self.resolved, id);
        if !self.measures.is_empty() && !self.can_be_asked(&[&name]) {
            return None;
        }
        // Whether a time can be cut to a grain is a matter of its type alone.
        let is_time = matches!(data_type, DataType::Date | DataType::Timestamp | DataType::TimestampTz);
        let grains =
            grains(|grain| is_time && bound(self.resolved, &[&grain_of(&name, grain)], &[]).is_some());
        Some(json!({
            "name": name,
            "type": data_type.to_string(),
            "time": field.is_time,
            "grains": grains,
            "required": self.required.contains(&name),
            "description": field.description,
        }))
    }

    /// `metric_time`, if every home of the measures has a time. Times of different types have only the grains of a day or longer
    /// in common, at which each is a Date.
    fn metric_time(&self) -> Option<Value> {
        let grains = grains(|grain| self.can_be_asked(&[&grain_of(METRIC_TIME, grain)]));
        let by_itself = if self.can_be_asked(&[METRIC_TIME]) {
            self.type_of(METRIC_TIME)
        } else {
            self.type_of(&grain_of(METRIC_TIME, grains.last().copied()?))
        };
        Some(time_row(&json!(by_itself?.to_string()), &grains))
    }

    /// The type of a dimension that stands first.
    fn type_of(&self, dimension: &str) -> Option<DataType> {
        first_type(&bound(self.resolved, &[&[dimension][..], &self.required()].concat(), &self.measures)?)
    }

    fn required(&self) -> Vec<&str> {
        self.required.iter().map(String::as_str).collect()
    }

    /// Whether all measures together can be grouped by some dimensions.
    fn can_be_asked(&self, dimensions: &[&str]) -> bool {
        let mut all = self.required();
        all.extend(dimensions.iter().filter(|name| !self.required.iter().any(|known| known == *name)));
        let Some(bound) = bound(self.resolved, &all, &self.measures) else { return false };
        let (planned, findings) = plan(self.resolved, &bound);
        planned.is_some() && !has_errors(&findings)
    }
}

/// `metric_time` of a whole model, if any metric has one: with the types that it has for the metrics, and the grains of all.
fn time_of_any(resolved: &Resolved) -> Option<Value> {
    let mut types: Vec<DataType> = Vec::new();
    let mut all: Vec<&str> = Vec::new();
    for (_, metric) in resolved.model.metrics.iter().filter(|(_, metric)| !metric.private) {
        let measures = [json!(written(&metric.name))];
        let found = bound(resolved, &[METRIC_TIME], &measures).and_then(|bound| first_type(&bound));
        let Some(data_type) = found else { continue };
        if !types.contains(&data_type) {
            types.push(data_type);
        }
        // A window may forbid a metric what others of its type can.
        let more = grains(|grain| {
            !all.contains(&grain) && bound(resolved, &[&grain_of(METRIC_TIME, grain)], &measures).is_some()
        });
        all.extend(more);
    }
    let words: Vec<String> = types.iter().map(ToString::to_string).collect();
    let data_type = match words.as_slice() {
        [] => return None,
        [only] => json!(only),
        several => json!(several),
    };
    Some(time_row(&data_type, &grains(|grain| all.contains(&grain))))
}

fn time_row(data_type: &Value, grains: &[&str]) -> Value {
    json!({
        "name": METRIC_TIME,
        "type": data_type,
        "time": true,
        "grains": grains,
        "required": false,
        "description": "The time that each metric goes by.",
    })
}

/// The words of the grains that pass, the longest first.
fn grains(passes: impl Fn(&'static str) -> bool) -> Vec<&'static str> {
    Unit::ALL.into_iter().map(Unit::as_str).filter(|grain| passes(grain)).collect()
}

fn grain_of(name: &str, grain: &str) -> String {
    format!("{name}:{grain}")
}

/// A request without more than dimensions and measures, if it means something.
fn bound(resolved: &Resolved, dimensions: &[&str], measures: &[Value]) -> Option<Bound> {
    let text = json!({"dimensions": dimensions, "measures": measures}).to_string();
    let (request, _) = parse_request(SourceId(u32::MAX), &text);
    let (bound, findings) = bind(resolved, &request?, &any_moment());
    bound.filter(|_| !has_errors(&findings))
}

fn first_type(bound: &Bound) -> Option<DataType> {
    match &bound.shape {
        Shape::Aggregation(aggregation) => aggregation.dimensions.first().map(|first| first.data_type),
        Shape::Scalar(_) => None,
    }
}
