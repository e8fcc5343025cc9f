//! Which rows are aggregated, and by which time: the home of each aggregate, and of a request without any.
//! In: an aggregate and all that the request touches. Out: the dataset and the time field, or why there is none.

use super::Ctx;
use crate::diagnostic::{Code, Diagnostic};
use crate::ids::{DatasetId, FieldId};
use crate::query::bind::entry::METRIC_TIME;
use crate::query::bind::home::{finest, list, no_home, touched, touched_by};
use crate::query::bind::lift::Found;
use crate::query::bind::predicate::type_predicate;
use crate::query::bind::scope::Time;
use crate::resolve::typing::Level;
use crate::resolve::{ModelExpr, TimeField};

impl Ctx<'_> {
    /// The home of an aggregate. An argument without fields counts the rows of the finest dataset that the request touches.
    pub(super) fn home_of(
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
        let scope = self.scope(Level::Rows, Time::None, &[]);
        let dimensions = self.dimensions.iter().filter(|dimension| !dimension.is_metric_time());
        let predicates = self.predicates.iter().filter(|predicate| !predicate.mentions_metric_time);
        let typed: Vec<ModelExpr> = dimensions
            .map(|dimension| scope.type_with_grain(&dimension.expr, dimension.grain, self.moment).ok())
            .chain(predicates.map(|predicate| type_predicate(predicate, &scope, self.moment).ok()))
            .flatten()
            .collect();
        let touched_anywhere = touched_by(self.resolved, all.iter().map(|other| &other.typed).chain(&typed));
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

    pub(super) fn time_of(
        &self,
        home: DatasetId,
        aggregate: &Found,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<FieldId> {
        if let Some(field) = aggregate.time {
            return Some(field);
        }
        let dataset = &self.resolved.model.datasets[home];
        let declare = "its time in custom_extensions, vendor UNISONO: {\"v\":\"1\",\"time_dimension\":\"dataset.field\"}";
        let (reason, help) = match self.resolved.time_fields[home] {
            TimeField::Field(field) => return Some(field),
            TimeField::None => (
                "none of its fields is marked as a time",
                format!("mark one of them, `dimension: {{is_time: true}}`, or name {declare}"),
            ),
            TimeField::Ambiguous => ("several of its fields are marked as a time", format!("name {declare}")),
        };
        diagnostics.push(
            Diagnostic::new(
                Code::AmbiguousPath,
                format!("`{METRIC_TIME}` has no one meaning for `{}`: {reason}", dataset.name.text),
            )
            .at(dataset.name.span, "this dataset")
            .help(help),
        );
        None
    }

    /// The home of a request without measures: the finest dataset of its dimensions, else the finest that reaches them all.
    pub(super) fn home_of_dimensions(&self, diagnostics: &mut Vec<Diagnostic>) -> Option<DatasetId> {
        let typed = self.typed_dimensions(None, diagnostics)?;
        let datasets = touched_by(self.resolved, typed.iter());
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
                    && datasets.iter().all(|far| self.resolved.graph.has_one_path(*candidate, *far))
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
    pub(super) fn check_component(
        &self,
        grouped: &[(DatasetId, Option<FieldId>, Vec<usize>)],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<()> {
        let (first, _, _) = grouped.first()?;
        for (other, _, _) in grouped {
            if !self.resolved.graph.connected(*first, *other) {
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
}
