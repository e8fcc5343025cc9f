//! Binds an aggregation request: measures lifted to groups, aggregates given a home, dimensions and predicates typed once
//! a home.
//! In: a request with dimensions or measures. Out: `Shape::Aggregation`.

mod branches;
mod grain;
mod groups;

use self::groups::over_groups;
use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::ids::FieldId;
use crate::query::Request;
use crate::query::bind::column_names::{column_names, refuse_metric_names};
use crate::query::bind::entry::{METRIC_TIME, Parsed, parse_entry};
use crate::query::bind::lift::Lift;
use crate::query::bind::predicate::{Predicate, mentions_metric_time, parse_predicates};
use crate::query::bind::scope::{RequestScope, Time, as_metric_time};
use crate::query::bind::variants;
use crate::query::{Aggregation, BoundAggregate, Branch, Dimension, GroupRef, Measure, Moment, Shape};
use crate::resolve::typing::Level;
use crate::resolve::{ModelExpr, Resolved, TimeField};
use crate::source::Span;

struct Ctx<'a> {
    resolved: &'a Resolved,
    request: &'a Request,
    moment: &'a Moment,
    dimensions: Vec<Parsed>,
    predicates: Vec<Predicate>,
}

pub(super) fn bind_aggregation(
    resolved: &Resolved,
    request: &Request,
    moment: &Moment,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Shape> {
    let dimensions = parse_entries(resolved, request.dimensions.as_deref(), diagnostics);
    let measures = parse_entries(resolved, request.measures.as_deref(), diagnostics);
    let predicates = parse_predicates(resolved, request, diagnostics);
    let (dimensions, measures, predicates) = (dimensions?, measures?, predicates?);
    let columns: Vec<&Parsed> = dimensions.iter().chain(&measures).collect();
    refuse_metric_names(resolved, &columns, diagnostics);
    let mut names = column_names(&columns, diagnostics);
    let measure_names = names.split_off(dimensions.len());
    let ctx = Ctx { resolved, request, moment, dimensions, predicates };

    // Dimensions are first typed for recognition in measures: `metric_time` by the first time field that any home has.
    let uses_time = ctx.uses_metric_time();
    let time = if uses_time { ctx.some_time_field(&measures) } else { None };
    if uses_time && time.is_none() && !measures.is_empty() {
        let message =
            format!("`{METRIC_TIME}` has no meaning here: no field of the model is marked as a time");
        diagnostics.push(
            Diagnostic::new(Code::AmbiguousPath, message).help("mark one: `dimension: {is_time: true}`"),
        );
        return None;
    }
    let Some(typed) = ctx.typed_dimensions(time, diagnostics) else {
        ctx.tell_wrong_measures(&measures, diagnostics);
        return None;
    };
    let mut lift = Lift::new(resolved, moment, &typed);
    let groups = ctx.lift_groups(&measures, &measure_names, &names, &typed, &mut lift, diagnostics)?;
    variants::of_metrics(resolved, &lift.metrics(), diagnostics);
    let found = lift.aggregates;

    let selects = groups.measures.iter().any(|measure| {
        measure.references().iter().any(|reference| matches!(reference, GroupRef::Aggregate(_)))
    });
    let branches = ctx.branches(&found, selects, diagnostics)?;
    let dimensions = ctx.bound_dimensions(&names, &branches, diagnostics)?;
    let aggregates = found
        .into_iter()
        .map(|found| BoundAggregate {
            name: found.name,
            aggregate: found.aggregate,
            data_type: found.typed.data_type,
            exactness: found.typed.exactness,
        })
        .collect();
    let measures =
        measure_names.into_iter().zip(groups.measures).map(|(name, expr)| Measure { name, expr }).collect();
    Some(Shape::Aggregation(Aggregation {
        dimensions,
        branches,
        aggregates,
        measures,
        having: groups.having,
        order_by: groups.order_by,
        limit: request.limit.as_ref().map(|limit| limit.value),
    }))
}

fn parse_entries(
    resolved: &Resolved,
    entries: Option<&[crate::query::Entry]>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Parsed>> {
    let parsed: Vec<Option<Parsed>> =
        entries.unwrap_or(&[]).iter().map(|entry| parse_entry(resolved, entry, diagnostics)).collect();
    parsed.into_iter().collect()
}

impl Ctx<'_> {
    fn uses_metric_time(&self) -> bool {
        self.dimensions.iter().any(Parsed::is_metric_time)
            || self.predicates.iter().any(|predicate| predicate.mentions_metric_time)
    }

    /// The time field that a metric of the request declares, or any that is marked: only its type matters here.
    fn some_time_field(&self, measures: &[Parsed]) -> Option<FieldId> {
        let model = &self.resolved.model;
        let declared = measures
            .iter()
            .filter_map(|measure| measure.bare())
            .filter_map(|name| self.resolved.names.metric(model, name))
            .find_map(|metric| self.resolved.metric_times[metric]);
        let of_a_dataset = self.resolved.time_fields.iter().find_map(|(_, time)| match time {
            TimeField::Field(field) => Some(*field),
            TimeField::None | TimeField::Ambiguous => None,
        });
        let marked = || model.fields.iter().find(|(_, field)| field.is_time).map(|(id, _)| id);
        declared.or(of_a_dataset).or_else(marked)
    }

    fn scope<'s>(
        &'s self,
        level: Level,
        time: Time<'s>,
        aliases: &'s [(String, ModelExpr)],
    ) -> RequestScope<'s> {
        RequestScope { resolved: self.resolved, request: self.request, level, time, aliases }
    }

    /// The dimensions over the rows of one home.
    fn typed_dimensions(
        &self,
        time: Option<FieldId>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<ModelExpr>> {
        let time = time.map_or(Time::None, Time::Field);
        let scope = self.scope(Level::Rows, time, &[]);
        let mut typed = Vec::new();
        for dimension in &self.dimensions {
            let outcome =
                scope.type_with_grain(&dimension.expr, dimension.grain, self.moment).and_then(|expr| {
                    check_dimension(&expr, dimension.span).map_or(Ok(expr), |finding| Err(vec![finding]))
                });
            match outcome {
                Ok(expr) if dimension.is_metric_time() => typed.push(as_metric_time(expr, dimension.grain)),
                Ok(expr) => typed.push(expr),
                Err(findings) => diagnostics.extend(findings),
            }
        }
        (typed.len() == self.dimensions.len()).then_some(typed)
    }

    /// What is wrong with the measures in themselves: a dimension at fault is not all that there is to mend. The time of a measure that names it
    /// is a dimension's.
    fn tell_wrong_measures(&self, measures: &[Parsed], diagnostics: &mut Vec<Diagnostic>) {
        let scope = self.scope(Level::Groups, Time::None, &[]);
        for measure in measures.iter().filter(|measure| !mentions_metric_time(&measure.expr)) {
            let typed = scope.type_with_grain(&measure.expr, measure.grain, self.moment);
            diagnostics.extend(typed.err().into_iter().flatten());
        }
    }

    /// Types of the dimensions, which must be the same in every branch.
    fn bound_dimensions(
        &self,
        names: &[String],
        branches: &[Branch],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<Dimension>> {
        let mut bound = Vec::new();
        for (index, (name, parsed)) in names.iter().zip(&self.dimensions).enumerate() {
            let mut types: Vec<DataType> =
                branches.iter().map(|branch| branch.dimensions[index].data_type).collect();
            types.dedup();
            if let [first, second, ..] = types.as_slice() {
                diagnostics.push(
                    Diagnostic::new(
                        Code::TypeMismatch,
                        format!("`{name}` is {first} in one home and {second} in another"),
                    )
                    .at(parsed.span, "this dimension")
                    .help("use a grain of a day or longer, or fields of one type"),
                );
                return None;
            }
            let expr = &branches.first()?.dimensions[index];
            let exactness = branches
                .iter()
                .fold(Exactness::Exact, |class, branch| class.and(branch.dimensions[index].exactness));
            bound.push(Dimension { name: name.clone(), data_type: expr.data_type, exactness });
        }
        Some(bound)
    }
}

fn check_dimension(expr: &ModelExpr, span: Span) -> Option<Diagnostic> {
    let finding = if expr.data_type.is_float() {
        Diagnostic::new(Code::FloatDimension, "a dimension cannot be a float: engines disagree on -0 and NaN")
            .help("round it to a Decimal, as in CAST(x AS DECIMAL(18, 2))")
    } else if over_groups(expr) && !expr.has_window() {
        Diagnostic::new(Code::AggregateInField, "a dimension is a value of rows, and this is an aggregate")
            .help("ask for it in `measures`")
    } else if expr.has_window() {
        Diagnostic::new(
            Code::WindowOverFanoutRewrite,
            "a window in a dimension has no rows of its own to run over",
        )
        .help("make it a field of its dataset and use the field")
    } else {
        return None;
    };
    Some(finding.at(span, "this dimension"))
}
