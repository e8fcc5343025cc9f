//! Far sides: dimensions and predicates that have many rows for one home row, sorted by the dataset that links them.
//! In: typed expressions of one branch. Out: the sides of the branch, or why a dataset has no safe way.

use crate::diagnostic::{Code, Diagnostic};
use crate::ids::{DatasetId, Id};
use crate::query::bind::home::{out_of_reach, touched};
use crate::query::{Link, Side};
use crate::resolve::graph::Reach;
use crate::resolve::{ModelExpr, Resolved};
use crate::source::Span;

/// The sides of one home while they are collected.
pub(super) struct Sides<'a> {
    resolved: &'a Resolved,
    home: DatasetId,
    pub(super) found: Vec<Side>,
    /// For each side, what the dataset that links it reaches; nothing for an edge.
    reached: Vec<Vec<bool>>,
}

impl<'a> Sides<'a> {
    pub(super) fn of(resolved: &'a Resolved, home: DatasetId) -> Self {
        Sides { resolved, home, found: Vec::new(), reached: Vec::new() }
    }

    /// Routes the datasets that an expression touches; false if one has no safe way.
    pub(super) fn add(
        &mut self,
        expr: &ModelExpr,
        what: &str,
        span: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> bool {
        let mut safe = true;
        for far in touched(self.resolved, expr) {
            let finding = match self.resolved.graph.reach(self.home, far) {
                Reach::Path(_) => None,
                Reach::Many(entry) => self.link(Link::Through(entry), far, what),
                Reach::Edge(edge) => self.link(Link::Edge(edge), far, what),
                reach @ (Reach::Ambiguous(..)
                | Reach::ManyWays(..)
                | Reach::NoSafeWay
                | Reach::Unconnected) => Some(out_of_reach(self.resolved, self.home, far, &reach, what)),
            };
            if let Some(finding) = finding {
                diagnostics.push(finding.at(span, "used here"));
                safe = false;
            }
        }
        safe
    }

    fn link(&mut self, link: Link, far: DatasetId, what: &str) -> Option<Diagnostic> {
        let home = &self.resolved.model.datasets[self.home].name.text;
        if self.resolved.identity(self.home).is_none() {
            return Some(
                Diagnostic::new(
                    Code::PrimaryKeyRequired,
                    format!("{what} has many rows for one of `{home}`, and `{home}` has no primary key to tell its rows apart"),
                )
                .also_at(self.resolved.model.datasets[self.home].name.span, "no primary_key")
                .help(format!("declare `primary_key` of `{home}`")),
            );
        }
        if let Some(side) = self.found.iter_mut().find(|side| side.link == link) {
            if !side.datasets.contains(&far) {
                side.datasets.push(far);
            }
            return None;
        }
        let reached = match link {
            Link::Through(entry) => self.resolved.graph.reached(entry),
            Link::Edge(_) => Vec::new(),
        };
        let nested =
            |(side, others): &(&Side, &Vec<bool>)| leads_to(others, link) || leads_to(&reached, side.link);
        if let Some((other, _)) = self.found.iter().zip(&self.reached).find(nested) {
            return Some(
                Diagnostic::new(
                    Code::UnsafeReaggregation,
                    format!(
                        "{what} and {} lie at two depths below `{home}`: a row of one has many of the other",
                        crate::query::bind::home::list(self.resolved, &other.datasets)
                    ),
                )
                .help("use fields of the finer one only, or ask in two requests"),
            );
        }
        self.found.push(Side { link, datasets: vec![far] });
        self.reached.push(reached);
        None
    }
}

/// Whether the rows of a side with that link lie above those of the dataset that reaches these.
fn leads_to(reached: &[bool], link: Link) -> bool {
    match link {
        Link::Through(entry) => reached.get(entry.index()).is_some_and(|reached| *reached),
        Link::Edge(_) => false,
    }
}
