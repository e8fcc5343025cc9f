//! Binds an aggregation request: measures lifted to groups, aggregates given a home, dimensions and predicates typed once
//! a home.
//! In: a request with dimensions or measures. Out: `Shape::Aggregation`.

use crate::data_type::DataType;
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::OrderKey;
use crate::ids::{DatasetId, FieldId};
use crate::query::Request;
use crate::query::bind::entry::{METRIC_TIME, Parsed, parse_entry, parse_entry_expr, parse_text};
use crate::query::bind::home::{finest, list, no_home, reach_of, touched};
use crate::query::bind::lift::{Fault, Found, Lift};
use crate::query::bind::order::column_names;
use crate::query::bind::predicate::{Predicate, parse_predicates, type_predicate};
use crate::query::bind::scope::{RequestScope, Time, as_metric_time};
use crate::query::bind::side::Sides;
use crate::query::{
    Aggregation, BoundAggregate, Branch, Dimension, GroupExpr, GroupRef, Measure, Moment, Shape,
};
use crate::resolve::graph::{Reach, connected};
use crate::resolve::typing::Level;
use crate::resolve::{ModelExpr, Reference, Resolved, TimeField};
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
    let dimensions: Vec<Parsed> = parse_entries(resolved, request.dimensions.as_deref(), diagnostics)?;
    let measures: Vec<Parsed> = parse_entries(resolved, request.measures.as_deref(), diagnostics)?;
    let predicates = parse_predicates(resolved, request, diagnostics)?;
    let columns: Vec<&Parsed> = dimensions.iter().chain(&measures).collect();
    let mut names = column_names(&columns, diagnostics);
    let measure_names = names.split_off(dimensions.len());
    let ctx = Ctx { resolved, request, moment, dimensions, predicates };

    // Dimensions are first typed for recognition in measures: `metric_time` by the first time field that any home has.
    let typed = ctx.typed_dimensions(ctx.some_time_field(&measures), diagnostics)?;
    let mut lift = Lift::new(resolved, &typed);
    let groups = ctx.lift_groups(&measures, &measure_names, &names, &typed, &mut lift, diagnostics)?;
    let found = lift.aggregates;

    let branches = ctx.branches(&found, diagnostics)?;
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

/// Everything over groups, lifted.
struct Groups {
    measures: Vec<GroupExpr>,
    having: Vec<GroupExpr>,
    order_by: Vec<OrderKey<GroupRef>>,
}

impl Ctx<'_> {
    fn uses_metric_time(&self) -> bool {
        self.dimensions.iter().any(Parsed::is_metric_time)
            || self.predicates.iter().any(|predicate| predicate.mentions_metric_time)
    }

    /// The time field that a metric of the request declares, or that any dataset has: only its type matters here.
    fn some_time_field(&self, measures: &[Parsed]) -> Option<FieldId> {
        let model = &self.resolved.model;
        let declared = measures
            .iter()
            .filter_map(|measure| measure.bare())
            .filter_map(|name| self.resolved.names.metric(model, name))
            .find_map(|metric| self.resolved.metric_times[metric]);
        declared.or_else(|| {
            self.resolved.time_fields.iter().find_map(|(_, time)| match time {
                TimeField::Field(field) => Some(*field),
                TimeField::None | TimeField::Ambiguous => None,
            })
        })
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

    fn lift_groups(
        &self,
        measures: &[Parsed],
        measure_names: &[String],
        dimension_names: &[String],
        typed: &[ModelExpr],
        lift: &mut Lift<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Groups> {
        let time_dimension = self
            .dimensions
            .iter()
            .zip(typed)
            .find(|(parsed, _)| parsed.is_metric_time())
            .map_or(Time::None, |(_, expr)| Time::Dimension(expr));
        let scope = self.scope(Level::Groups, time_dimension, &[]);
        let mut lifted = Vec::new();
        let mut aliases: Vec<(String, ModelExpr)> = Vec::new();
        for (measure, name) in measures.iter().zip(measure_names) {
            match scope.type_with_grain(&measure.expr, measure.grain, self.moment) {
                Ok(expr) => {
                    match lift.lift(&expr, name, measure.span) {
                        Ok(group) => lifted.push(group),
                        Err(fault) => diagnostics.push(self.finer_reference(fault, name, measure.span)),
                    }
                    aliases.push((name.clone(), expr));
                }
                Err(findings) => diagnostics.extend(findings),
            }
        }
        // Names of answer columns may be used in `having` and `order_by`: measures first, then dimensions.
        for (name, expr) in dimension_names.iter().zip(typed) {
            aliases.push((name.clone(), expr.clone()));
        }
        let scope = self.scope(Level::Groups, time_dimension, &aliases);
        let having = self.having(&scope, lift, diagnostics);
        let order_by = self.order_by(&scope, lift, diagnostics);
        (lifted.len() == measures.len()).then_some(Groups {
            measures: lifted,
            having: having?,
            order_by: order_by?,
        })
    }

    /// A row of the home where only groups are: a field outside every aggregate.
    fn finer_reference(&self, fault: Fault, what: &str, span: Span) -> Diagnostic {
        match fault {
            Fault::Other(finding) => *finding,
            Fault::Row(field) => Diagnostic::new(
                Code::UnaggregatedFinerGrainReference,
                format!(
                    "`{what}` refers to `{}` outside an aggregate, and it is no dimension of the request",
                    self.field_name(field)
                ),
            )
            .at(span, "here")
            .help("aggregate it, as in SUM(..) or MIN(..), or add it to `dimensions`"),
        }
    }

    fn field_name(&self, field: FieldId) -> String {
        let field = &self.resolved.model.fields[field];
        format!("{}.{}", self.resolved.model.datasets[field.dataset].name.text, field.name.text)
    }

    /// Each entry is judged by itself: groups and grouping columns are legal, rows are not, a mix has its own code.
    fn having(
        &self,
        scope: &RequestScope<'_>,
        lift: &mut Lift<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<GroupExpr>> {
        let mut lifted = Vec::new();
        for text in &self.request.having_all {
            let Some(parsed) = parse_text(self.resolved, text, None, diagnostics) else { continue };
            let typed = match scope.type_with_grain(&parsed.expr, None, self.moment) {
                Ok(typed) => typed,
                Err(findings) => {
                    diagnostics.extend(findings);
                    continue;
                }
            };
            if let Some(finding) = crate::query::bind::predicate::check_boolean(&typed, "having", text.span) {
                diagnostics.push(finding);
                continue;
            }
            match lift.lift(&typed, "having", text.span) {
                Ok(group) => lifted.push(group),
                Err(Fault::Row(field)) => {
                    let (code, message) = if over_groups(&typed) {
                        (
                            Code::MixedPredicateLevel,
                            "mixes an aggregate with a row-level reference in one predicate",
                        )
                    } else {
                        (Code::NonAggregateInHaving, "is row-level, and `having` filters groups")
                    };
                    diagnostics.push(
                        Diagnostic::new(code, format!("`{}` {message}: `{}`", text.value, self.field_name(field)))
                            .at(text.span, "this predicate")
                            .help("split it: the row-level part belongs to `where`; or add the field to `dimensions`"),
                    );
                }
                Err(fault @ Fault::Other(_)) => {
                    diagnostics.push(self.finer_reference(fault, &text.value, text.span));
                }
            }
        }
        (lifted.len() == self.request.having_all.len()).then_some(lifted)
    }

    fn order_by(
        &self,
        scope: &RequestScope<'_>,
        lift: &mut Lift<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<OrderKey<GroupRef>>> {
        let mut keys = Vec::new();
        for entry in &self.request.order_by {
            let Some(parsed) = parse_entry_expr(self.resolved, &entry.expr, None, entry.span, diagnostics)
            else {
                continue;
            };
            let typed = match scope.type_with_grain(&parsed.expr, parsed.grain, self.moment) {
                Ok(typed) if parsed.is_metric_time() => as_metric_time(typed, parsed.grain),
                Ok(typed) => typed,
                Err(findings) => {
                    diagnostics.extend(findings);
                    continue;
                }
            };
            match lift.lift(&typed, "order", entry.span) {
                Ok(expr) => keys.push(OrderKey {
                    expr,
                    descending: entry.descending,
                    nulls_first: entry.nulls_first.unwrap_or(entry.descending),
                }),
                Err(fault) => {
                    diagnostics.push(self.finer_reference(fault, &parsed.column_name(), entry.span));
                }
            }
        }
        (keys.len() == self.request.order_by.len()).then_some(keys)
    }

    /// Groups the aggregates by home, and by time field where `metric_time` is used, and types dimensions and predicates
    /// for each.
    fn branches(&self, found: &[Found], diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<Branch>> {
        let uses_time = self.uses_metric_time();
        let mut grouped: Vec<(DatasetId, Option<FieldId>, Vec<usize>)> = Vec::new();
        let mut failed = false;
        for (index, aggregate) in found.iter().enumerate() {
            let home = match self.home_of(aggregate, found, diagnostics) {
                Ok(home) => home,
                Err(finding) => {
                    diagnostics.push(*finding);
                    failed = true;
                    continue;
                }
            };
            let time = if uses_time { self.time_of(home, aggregate, diagnostics) } else { None };
            failed |= uses_time && time.is_none();
            match grouped.iter_mut().find(|(known, known_time, _)| *known == home && *known_time == time) {
                Some((_, _, members)) => members.push(index),
                None => grouped.push((home, time, vec![index])),
            }
        }
        if failed {
            return None;
        }
        if found.is_empty() {
            grouped.push((self.home_of_dimensions(diagnostics)?, None, Vec::new()));
        }
        if self.dimensions.is_empty() && grouped.len() > 1 {
            self.check_component(&grouped, diagnostics)?;
        }
        let branches: Vec<Option<Branch>> = grouped
            .into_iter()
            .map(|(home, time, aggregates)| self.branch(home, time, aggregates, found, diagnostics))
            .collect();
        branches.into_iter().collect()
    }

    fn branch(
        &self,
        home: DatasetId,
        time: Option<FieldId>,
        aggregates: Vec<usize>,
        found: &[Found],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Branch> {
        let dimensions = self.typed_dimensions(time, diagnostics)?;
        let mut sides = Sides::of(self.resolved, home);
        let mut reachable = true;
        for (parsed, expr) in self.dimensions.iter().zip(&dimensions) {
            let what = format!("dimension `{}`", parsed.column_name());
            reachable &= sides.add(expr, &what, parsed.span, diagnostics);
        }
        let time_scope = time.map_or(Time::None, Time::Field);
        let scope = self.scope(Level::Rows, time_scope, &[]);
        let mut predicates = Vec::new();
        for predicate in &self.predicates {
            match type_predicate(predicate, &scope, self.moment) {
                Ok(expr) => {
                    let what = format!("the filter `{}`", predicate.text);
                    reachable &= sides.add(&expr, &what, predicate.span, diagnostics);
                    predicates.push(expr);
                }
                Err(findings) => {
                    for finding in findings {
                        if !diagnostics.contains(&finding) {
                            diagnostics.push(finding);
                        }
                    }
                }
            }
        }
        if let Some(finding) = self.window_over_sides(found, &aggregates, &sides) {
            diagnostics.push(finding);
            reachable = false;
        }
        (reachable && predicates.len() == self.predicates.len()).then_some(Branch {
            home,
            dimensions,
            predicates,
            sides: sides.found,
            aggregates,
        })
    }

    /// A window inside an aggregate would see home rows once for each far row.
    fn window_over_sides(
        &self,
        found: &[Found],
        aggregates: &[usize],
        sides: &Sides<'_>,
    ) -> Option<Diagnostic> {
        let windowed =
            aggregates.iter().map(|index| &found[*index]).find(|found| found.typed.has_window())?;
        let side = sides.found.first()?;
        Some(
            Diagnostic::new(
                Code::WindowOverFanoutRewrite,
                format!(
                    "measure `{}` holds a window over rows that {} would repeat",
                    windowed.name,
                    list(self.resolved, &side.datasets)
                ),
            )
            .at(self.request.span, "this request")
            .help("make the window a field of its dataset, which is computed before anything is joined"),
        )
    }

    /// The home of an aggregate. An argument without fields counts the rows of the finest dataset that the request touches.
    fn home_of(
        &self,
        aggregate: &Found,
        all: &[Found],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<DatasetId, Box<Diagnostic>> {
        let what = format!("measure `{}`", aggregate.name);
        let own = touched(self.resolved, &aggregate.typed);
        if !own.is_empty() {
            return finest(self.resolved, &own).ok_or_else(|| {
                Box::new(no_home(self.resolved, &own, &what).at(aggregate.span, "asked for here"))
            });
        }
        let mut touched_anywhere = Vec::new();
        let mut add = |datasets: Vec<DatasetId>| {
            for dataset in datasets {
                if !touched_anywhere.contains(&dataset) {
                    touched_anywhere.push(dataset);
                }
            }
        };
        for other in all {
            add(touched(self.resolved, &other.typed));
        }
        let scope = self.scope(Level::Rows, Time::None, &[]);
        for dimension in self.dimensions.iter().filter(|dimension| !dimension.is_metric_time()) {
            if let Ok(expr) = scope.type_with_grain(&dimension.expr, dimension.grain, self.moment) {
                add(touched(self.resolved, &expr));
            }
        }
        for predicate in self.predicates.iter().filter(|predicate| !predicate.mentions_metric_time) {
            if let Ok(expr) = type_predicate(predicate, &scope, self.moment) {
                add(touched(self.resolved, &expr));
            }
        }
        if touched_anywhere.is_empty() && self.resolved.model.datasets.len() == 1 {
            touched_anywhere.extend(self.resolved.model.datasets.ids());
        }
        let Some(home) = finest(self.resolved, &touched_anywhere) else {
            let reason = if touched_anywhere.is_empty() {
                "the request touches no dataset".to_string()
            } else {
                format!("none of {} reaches all the others", list(self.resolved, &touched_anywhere))
            };
            return Err(Box::new(
                Diagnostic::new(
                    Code::AmbiguousMeasureGrain,
                    format!("{what} counts rows without naming a dataset, and {reason}"),
                )
                .at(aggregate.span, "asked for here")
                .help("count a column, as in COUNT(dataset.key)"),
            ));
        };
        let name = &self.resolved.model.datasets[home].name.text;
        let warning = Diagnostic::new(
            Code::CountStarGrain,
            format!("{what} counts the rows of `{name}`, the finest dataset that the request touches"),
        )
        .at(aggregate.span, "asked for here")
        .help(format!("write COUNT({name}.<key>) to count the same rows in every request"));
        if !diagnostics.contains(&warning) {
            diagnostics.push(warning);
        }
        Ok(home)
    }

    fn time_of(
        &self,
        home: DatasetId,
        aggregate: &Found,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<FieldId> {
        if let Some(field) = aggregate.time {
            return Some(field);
        }
        let dataset = &self.resolved.model.datasets[home];
        let reason = match self.resolved.time_fields[home] {
            TimeField::Field(field) => return Some(field),
            TimeField::None => "none of its fields is marked as a time",
            TimeField::Ambiguous => "several of its fields are marked as a time",
        };
        diagnostics.push(
            Diagnostic::new(
                Code::AmbiguousPath,
                format!("`{METRIC_TIME}` has no one meaning for `{}`: {reason}", dataset.name.text),
            )
            .at(dataset.name.span, "this dataset")
            .help("name its time in custom_extensions, vendor UNISONO: {\"v\":\"1\",\"time_dimension\":\"dataset.field\"}"),
        );
        None
    }

    /// The home of a request without measures: the finest dataset of its dimensions, else the finest that reaches them all.
    fn home_of_dimensions(&self, diagnostics: &mut Vec<Diagnostic>) -> Option<DatasetId> {
        let typed = self.typed_dimensions(None, diagnostics)?;
        let mut datasets: Vec<DatasetId> = Vec::new();
        for expr in &typed {
            for dataset in touched(self.resolved, expr) {
                if !datasets.contains(&dataset) {
                    datasets.push(dataset);
                }
            }
        }
        if datasets.is_empty() && self.resolved.model.datasets.len() == 1 {
            datasets.extend(self.resolved.model.datasets.ids());
        }
        if let Some(home) = finest(self.resolved, &datasets) {
            return Some(home);
        }
        let reaching: Vec<DatasetId> = self
            .resolved
            .model
            .datasets
            .ids()
            .filter(|candidate| {
                !datasets.is_empty()
                    && datasets
                        .iter()
                        .all(|far| matches!(reach_of(self.resolved, *candidate, *far), Reach::Path(_)))
            })
            .collect();
        let chosen = finest(self.resolved, &reaching);
        if chosen.is_none() {
            let finding = if reaching.len() > 1 {
                Diagnostic::new(
                    Code::AmbiguousPath,
                    format!(
                        "{} all connect {}, and none is finer than the others",
                        list(self.resolved, &reaching),
                        list(self.resolved, &datasets)
                    ),
                )
            } else {
                Diagnostic::new(
                    Code::E3013NoStitchingDimension,
                    format!("no dataset reaches all of {}", list(self.resolved, &datasets)),
                )
            };
            let span = self.dimensions.first().map_or(self.request.span, |dimension| dimension.span);
            diagnostics.push(finding.at(span, "here").help("add a measure that says which rows are meant"));
        }
        chosen
    }

    /// Grand totals of several homes stand side by side only if relationships connect the homes.
    fn check_component(
        &self,
        grouped: &[(DatasetId, Option<FieldId>, Vec<usize>)],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<()> {
        let (first, _, _) = grouped.first()?;
        for (other, _, _) in grouped {
            if !connected(&self.resolved.relationships, *first, *other) {
                diagnostics.push(
                    Diagnostic::new(
                        Code::E3013NoStitchingDimension,
                        format!(
                            "{} are not connected and share no dimension; side by side they would be a Cartesian product",
                            list(self.resolved, &[*first, *other])
                        ),
                    )
                    .at(self.request.span, "this request")
                    .help("ask for one at a time, or add a shared dimension"),
                );
                return None;
            }
        }
        Some(())
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
            bound.push(Dimension {
                name: name.clone(),
                data_type: expr.data_type,
                exactness: expr.exactness,
            });
        }
        Some(bound)
    }
}

/// Whether an expression holds an aggregate, a metric or a window.
fn over_groups(typed: &ModelExpr) -> bool {
    typed.has_aggregate()
        || typed.has_window()
        || typed.references().iter().any(|reference| matches!(reference, Reference::Metric(_)))
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
