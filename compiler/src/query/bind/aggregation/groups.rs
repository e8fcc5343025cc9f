//! What a request says about groups: measures, `having` and `order_by`, typed and lifted over aggregates and dimensions.
//! In: the entries and the typed dimensions. Out: expressions over groups, or why one refers to rows.

use super::Ctx;
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::OrderKey;
use crate::ids::FieldId;
use crate::query::bind::entry::{Parsed, parse_entry_expr, parse_text};
use crate::query::bind::lift::{Fault, Lift};
use crate::query::bind::predicate::check_boolean;
use crate::query::bind::scope::{RequestScope, Time, as_metric_time};
use crate::query::{GroupExpr, GroupRef};
use crate::resolve::typing::Level;
use crate::resolve::{ModelExpr, Reference};
use crate::source::Span;

/// Everything over groups, lifted.
pub(super) struct Groups {
    pub(super) measures: Vec<GroupExpr>,
    pub(super) having: Vec<GroupExpr>,
    pub(super) order_by: Vec<OrderKey<GroupRef>>,
}

impl Ctx<'_> {
    pub(super) fn lift_groups(
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
            if let Some(finding) = check_boolean(&typed, "having", text.span) {
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
            let typed = match scope.type_key(&parsed, self.moment) {
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
}

/// Whether an expression holds an aggregate, a metric or a window.
pub(super) fn over_groups(typed: &ModelExpr) -> bool {
    typed.has_aggregate()
        || typed.has_window()
        || typed.references().iter().any(|reference| matches!(reference, Reference::Metric(_)))
}
