//! The home of a measure: the finest dataset that its argument touches, from which all others are reached.
//! In: the datasets that an expression touches. Out: the home, or why there is none, and why a dataset is out of reach.

use crate::diagnostic::{Code, Diagnostic};
use crate::ids::{DatasetId, Id};
use crate::resolve::fields::path_text;
use crate::resolve::graph::Reach;
use crate::resolve::{ModelExpr, Reference, Resolved};

/// The datasets of the fields that an expression refers to, in order of appearance, without repeats.
pub(super) fn touched(resolved: &Resolved, expr: &ModelExpr) -> Vec<DatasetId> {
    let mut found = Vec::new();
    for reference in expr.references() {
        if let Reference::Field(field) = reference {
            let dataset = resolved.model.fields[*field].dataset;
            if !found.contains(&dataset) {
                found.push(dataset);
            }
        }
    }
    found
}

/// The datasets of the fields that several expressions refer to, as `touched` gives them; if none does, the only dataset of the model.
pub(super) fn touched_by<'a>(
    resolved: &Resolved,
    exprs: impl Iterator<Item = &'a ModelExpr>,
) -> Vec<DatasetId> {
    let mut found = Vec::new();
    for dataset in exprs.flat_map(|expr| touched(resolved, expr)) {
        if !found.contains(&dataset) {
            found.push(dataset);
        }
    }
    if found.is_empty() && resolved.model.datasets.len() == 1 {
        found.extend(resolved.model.datasets.ids());
    }
    found
}

/// The one dataset among `datasets` that reaches all others; the first of several that reach each other (1:1).
pub(super) fn finest(resolved: &Resolved, datasets: &[DatasetId]) -> Option<DatasetId> {
    datasets.iter().copied().find(|candidate| {
        let reached = resolved.graph.reached(*candidate);
        datasets.iter().all(|other| reached[other.index()])
            && datasets.iter().all(|other| resolved.graph.has_one_path(*candidate, *other))
    })
}

/// The first datasets of many among which an ambiguous way is looked for: it only makes the reason more specific.
const COMPARED: usize = 32;

/// Why no dataset of several is the home of `what`, with the most specific code.
pub(super) fn no_home(resolved: &Resolved, datasets: &[DatasetId], what: &str) -> Diagnostic {
    let pairs = |most: usize| {
        let some = &datasets[..datasets.len().min(most)];
        some.iter().flat_map(move |near| some.iter().map(move |far| (*near, *far)))
    };
    let graph = &resolved.graph;
    if let Some((near, far)) = pairs(usize::MAX).find(|(near, far)| !graph.connected(*near, *far)) {
        return out_of_reach(resolved, near, far, &Reach::Unconnected, what);
    }
    let ambiguous = pairs(COMPARED).find_map(|(near, far)| {
        let reach = graph.reach(near, far);
        matches!(reach, Reach::Ambiguous(..)).then(|| out_of_reach(resolved, near, far, &reach, what))
    });
    ambiguous.unwrap_or_else(|| {
        Diagnostic::new(
            Code::AmbiguousMeasureGrain,
            format!("{what} has no single home: none of {} reaches all the others", list(resolved, datasets)),
        )
        .help("aggregate over one dataset and what it reaches by many-to-one steps")
    })
}

/// Why a dataset cannot be used from a home: `what` names the dimension or predicate.
pub(super) fn out_of_reach(
    resolved: &Resolved,
    home: DatasetId,
    far: DatasetId,
    reach: &Reach,
    what: &str,
) -> Diagnostic {
    let model = &resolved.model;
    let (home_name, far_name) = (&model.datasets[home].name.text, &model.datasets[far].name.text);
    match reach {
        Reach::Ambiguous(first, second) => {
            let mut finding = Diagnostic::new(
                Code::AmbiguousPath,
                format!(
                    "two ways lead from `{home_name}` to `{far_name}`: {} and {}",
                    path_text(model, first),
                    path_text(model, second)
                ),
            )
            .help(format!("use a role-playing copy of `{far_name}` for each way"));
            for path in [first, second] {
                if let Some(step) = path.first() {
                    finding = finding.also_at(model.relationships[step.relationship].name.span, "one way");
                }
            }
            finding
        }
        Reach::ManyWays(first, second) if first == second => Diagnostic::new(
            Code::AmbiguousPath,
            format!(
                "{what} is reached from `{home_name}` in two ways, both through `{}`",
                model.datasets[*first].name.text
            ),
        )
        .help(format!("use a role-playing copy of `{home_name}` for each way")),
        Reach::ManyWays(first, second) => Diagnostic::new(
            Code::AmbiguousPath,
            format!(
                "{what} is reached from `{home_name}` in two ways: through `{}` and through `{}`",
                model.datasets[*first].name.text, model.datasets[*second].name.text
            ),
        )
        .help(format!("use a role-playing copy of `{far_name}` for each way")),
        Reach::NoSafeWay => Diagnostic::new(
            Code::E3012MnNoSafeRewrite,
            format!(
                "{what} has no safe way from `{home_name}` to `{far_name}`: they meet only in a shared dimension \
                 or across a many-to-many edge"
            ),
        )
        .help(format!(
            "declare a many-to-one relationship from `{home_name}` to `{far_name}` if its rows have such a column, \
             or add a bridge dataset with many-to-one relationships to both"
        )),
        Reach::Unconnected => {
            Diagnostic::new(Code::NoPath, format!("{what} has no path: no relationship connects `{home_name}` with `{far_name}`"))
                .help("declare a relationship between the two, or a bridge dataset with many-to-one relationships to both")
        }
        // These are ways and no reasons; callers ask only where there is none.
        Reach::Path(_) | Reach::Many(_) | Reach::Edge(_) => Diagnostic::new(Code::NoPath, format!("{what} is out of reach of `{home_name}`")),
    }
}

/// Names of datasets for a message.
pub(super) fn list(resolved: &Resolved, datasets: &[DatasetId]) -> String {
    let names: Vec<String> =
        datasets.iter().map(|id| format!("`{}`", resolved.model.datasets[*id].name.text)).collect();
    names.join(", ")
}
