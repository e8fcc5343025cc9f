//! Names and comments of CTEs: what the rows of a node are, in the model's words.
//! In: a node of the plan. Out: a name that nothing else has, and one line for a reader.

use super::Ctx;
use crate::ids::{DatasetId, NodeId, SlotId};
use crate::model::{Model, Source};
use crate::plan::{Node, Plan};
use crate::relation::Names;

impl Ctx<'_> {
    /// The home of a node and one line about what it is.
    pub(super) fn describe(&self, node: NodeId) -> (String, String) {
        let homes = self.homes(node);
        let names: Vec<&str> =
            homes.iter().map(|dataset| self.resolved.model.datasets[*dataset].name.text.as_str()).collect();
        let first = names.first().copied().unwrap_or("rows").to_string();
        let what = match &self.plan.nodes[node] {
            Node::Scan { .. } => format!("rows of {first}"),
            Node::Compute { input, .. } => return self.describe(*input),
            Node::Filter { .. } => format!("rows of {first} that pass the filter"),
            Node::Enrich { .. } => format!("rows of {first} with what they reach"),
            Node::Fan { .. } => format!("rows of {first}, once for each far row"),
            Node::Aggregate { keys, .. } => format!("{first} aggregated{}", self.by(keys)),
            Node::Pick { keys, .. } => format!("one row of {first}{}", self.by(keys)),
            Node::Distinct { keys, .. } => format!("distinct rows of {first}{}", self.by(keys)),
            Node::Stitch { .. } => format!("{} side by side", names.join(" and ")),
            Node::Attach { .. } => format!("{first} with picked or filtering values"),
        };
        (first, what)
    }

    fn by(&self, keys: &[SlotId]) -> String {
        if keys.is_empty() {
            return " in one row".to_string();
        }
        let names: Vec<&str> = keys.iter().map(|key| self.plan.slots[*key].name.as_str()).collect();
        format!(" by {}", names.join(", "))
    }

    fn homes(&self, node: NodeId) -> Vec<DatasetId> {
        match &self.plan.nodes[node] {
            Node::Scan { dataset, columns: _ } => vec![*dataset],
            Node::Compute { input, .. }
            | Node::Filter { input, .. }
            | Node::Enrich { input, .. }
            | Node::Fan { input, .. }
            | Node::Aggregate { input, .. }
            | Node::Pick { input, .. }
            | Node::Distinct { input, .. }
            | Node::Attach { input, .. } => self.homes(*input),
            Node::Stitch { branches, keys: _ } => {
                branches.iter().flat_map(|branch| self.homes(*branch)).collect()
            }
        }
    }

    pub(super) fn is_over_groups(&self, node: NodeId) -> bool {
        match &self.plan.nodes[node] {
            Node::Scan { .. } => false,
            Node::Compute { input, .. }
            | Node::Filter { input, .. }
            | Node::Enrich { input, .. }
            | Node::Fan { input, .. } => self.is_over_groups(*input),
            Node::Aggregate { .. }
            | Node::Pick { .. }
            | Node::Distinct { .. }
            | Node::Stitch { .. }
            | Node::Attach { .. } => true,
        }
    }

    /// A CTE name that neither a CTE nor a dataset has.
    pub(super) fn cte_name(&mut self, wanted: &str) -> String {
        self.names.unused(&wanted.to_lowercase())
    }
}

/// The names that no CTE may have: those of the plan's datasets and of their tables. The text of a query may read a table of any name, so
/// where the plan has one all datasets count.
pub(super) fn names_of_datasets(model: &Model, plan: &Plan) -> Names {
    let mut names = Names::default();
    let scanned = || plan.scans().map(|(dataset, _)| &model.datasets[dataset]);
    let reads_query = scanned().any(|dataset| matches!(dataset.source, Source::Query(_)));
    let all = model.datasets.iter().map(|(_, dataset)| dataset).filter(|_| reads_query);
    for dataset in scanned().chain(all) {
        names.take(&dataset.name.text);
        if let Source::Table(parts) = &dataset.source
            && let Some(name) = parts.last()
        {
            names.take(name);
        }
    }
    names
}
