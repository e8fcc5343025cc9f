//! Whether a plan can be maintained group by group, and the parts of it that are. In: a program and the places of its
//! dimensions. Out: its lowest group nodes with the views that they group, or what stands against it.

use unisono_compiler::ids::NodeId;

use super::super::aggregate::Measure;
use super::super::program::{GroupKind, Program, Step};
use super::super::view::{View, view};

/// The group nodes of a plan.
#[derive(Clone, PartialEq, Debug)]
pub(in super::super) struct Shape {
    /// In the order of the plan; their hidden columns follow one another.
    pub(in super::super) groups: Vec<GroupNode>,
    /// The rows that are grouped, each once.
    pub(in super::super) views: Vec<(NodeId, View)>,
    /// A group can be without a row of the answer although it has rows: `having`, or a branch that decides no groups.
    pub(in super::super) hides_groups: bool,
}

/// A node whose groups are kept.
#[derive(Clone, PartialEq, Debug)]
pub(in super::super) struct GroupNode {
    pub(in super::super) node: NodeId,
    /// The rows that it groups.
    pub(in super::super) input: NodeId,
    /// Where the dimensions stand in its rows and in those of its input.
    pub(in super::super) keys: Vec<usize>,
}

impl GroupNode {
    /// What it computes.
    pub(in super::super) fn measures<'p>(&self, program: &'p Program) -> &'p [Measure] {
        match program.step(self.node) {
            Step::Group { measures, .. } => measures,
            _ => &[],
        }
    }

    /// Which of its groups have rows.
    pub(in super::super) fn kind(&self, program: &Program) -> GroupKind {
        match program.step(self.node) {
            Step::Group { kind, .. } => *kind,
            _ => GroupKind::Distinct,
        }
    }
}

/// The places of the keys of a node's rows; `None` if they are not groups.
pub(super) fn root_keys(program: &Program, node: NodeId) -> Option<Vec<usize>> {
    match program.step(node) {
        Step::Compute { input, .. }
        | Step::Filter { input, .. }
        | Step::Attach { input, .. }
        | Step::Unsupported { input, .. } => root_keys(program, *input),
        Step::Group { keys, .. } => Some(keys.clone()),
        Step::Stitch { branches: _, keys } => Some(keys.iter().map(|(merged, _)| *merged).collect()),
        Step::Scan { .. } | Step::Join { .. } => None,
    }
}

/// The shape of a program whose rows are groups of `keys`.
pub(in super::super) fn shape(program: &Program, keys: &[usize]) -> Result<Shape, &'static str> {
    let mut shape = Shape { groups: Vec::new(), views: Vec::new(), hides_groups: false };
    add(program, program.root, keys, &mut shape)?;
    shape.groups.sort_by_key(|group| group.node);
    shape.groups.dedup();
    if shape.groups.windows(2).any(|pair| pair[0].node == pair[1].node) {
        return Err("one set of groups is joined in two ways");
    }
    for group in &shape.groups {
        if !shape.views.iter().any(|(input, _)| *input == group.input) {
            shape.views.push((group.input, view(program, group.input)?));
        }
    }
    Ok(shape)
}

fn add(program: &Program, node: NodeId, keys: &[usize], shape: &mut Shape) -> Result<(), &'static str> {
    match program.step(node) {
        Step::Compute { input, .. } => add(program, *input, keys, shape),
        Step::Filter { input, .. } => {
            shape.hides_groups = true;
            add(program, *input, keys, shape)
        }
        Step::Stitch { branches, keys: merged } => {
            for (index, branch) in branches.iter().enumerate() {
                let pairs: Vec<_> = merged.iter().map(|(to, from)| (*to, from.get(index).copied())).collect();
                let own = map(keys, &pairs)?;
                add(program, *branch, &own, shape)?;
            }
            Ok(())
        }
        Step::Attach { input, branch, near_keys, far_keys } => {
            let before = shape.groups.len();
            add(program, *input, keys, shape)?;
            let decided_by: Vec<NodeId> = shape.groups[before..].iter().map(|group| group.input).collect();
            let attached_from = shape.groups.len();
            let pairs: Vec<_> = near_keys.iter().copied().zip(far_keys.iter().copied().map(Some)).collect();
            let own = map(keys, &pairs)?;
            add(program, *branch, &own, shape)?;
            // What is attached from the same rows has no groups of its own.
            let attached = &shape.groups[attached_from..];
            shape.hides_groups |= attached.iter().any(|group| !decided_by.contains(&group.input));
            Ok(())
        }
        Step::Group { input, keys: own, measures: _, kind: _ } => {
            if own.iter().any(|place| !keys.contains(place)) || keys.iter().any(|place| !own.contains(place))
            {
                return Err("groups are not those of the dimensions");
            }
            match program.step(*input) {
                // The one row around a pick without dimensions.
                Step::Group { kind: GroupKind::Pick, .. } if own.is_empty() => {
                    add(program, *input, keys, shape)
                }
                _ => {
                    shape.groups.push(GroupNode { node, input: *input, keys: keys.to_vec() });
                    Ok(())
                }
            }
        }
        Step::Unsupported { .. } => Err("groups are computed by window functions"),
        Step::Scan { .. } | Step::Join { .. } => Err("rows are not grouped"),
    }
}

/// Each key's place on the other side of a join.
fn map(keys: &[usize], pairs: &[(usize, Option<usize>)]) -> Result<Vec<usize>, &'static str> {
    keys.iter()
        .map(|key| pairs.iter().find(|(near, _)| near == key).and_then(|(_, far)| *far))
        .collect::<Option<_>>()
        .ok_or("branches are not joined on all dimensions")
}
