//! The branches of an aggregation: one a home and time field, with dimensions and predicates typed over its rows.
//! In: the aggregates found. Out: a branch for each home, or what is out of its reach.

use super::Ctx;
use crate::diagnostic::{Code, Diagnostic};
use crate::ids::{DatasetId, FieldId};
use crate::query::Branch;
use crate::query::bind::home::list;
use crate::query::bind::lift::Found;
use crate::query::bind::predicate::type_predicate;
use crate::query::bind::scope::Time;
use crate::query::bind::side::Sides;
use crate::resolve::typing::Level;

impl Ctx<'_> {
    /// Groups the aggregates by home, and by time field where `metric_time` is used, and types dimensions and predicates
    /// for each.
    pub(super) fn branches(
        &self,
        found: &[Found],
        selects: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<Branch>> {
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
        if !selects {
            // No measure says which groups there are: those that exist.
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
}
