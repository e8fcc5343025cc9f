//! The typed expression that `resolve`, `bind`, `plan` and `relate` share; they differ only in what a leaf refers to.
//! In: a `syntax::Expr` with its names resolved. Out: a tree whose every node knows its type and exactness.

mod make;
mod print;

pub(crate) use print::direction;
pub use print::{print_aggregate, print_order, print_typed};

use std::convert::Infallible;

use crate::data_type::{DataType, Exactness};
use crate::function::{AggregateFunction, Function, WindowFunction};

/// A typed expression; `R` is what its leaves refer to (a field, a slot of a plan, a column of a relation).
#[derive(Clone, PartialEq, Debug)]
pub struct Expr<R> {
    /// What it is.
    pub kind: Box<ExprKind<R>>,
    /// The type of its value.
    pub data_type: DataType,
    /// How equal two engines' values can be.
    pub exactness: Exactness,
}

/// The forms of a typed expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind<R> {
    /// A constant.
    Literal(Literal),
    /// A leaf.
    Reference(R),
    /// An operator or scalar function; argument order as `Function` says.
    Call {
        /// Which.
        function: Function,
        /// Its arguments, already of the types that the function wants.
        arguments: Vec<Expr<R>>,
    },
    /// Searched CASE; a simple CASE became comparisons. Branch types are the node's type.
    Case {
        /// (condition, value), at least one.
        branches: Vec<(Expr<R>, Expr<R>)>,
        /// ELSE; NULL if absent.
        otherwise: Option<Expr<R>>,
    },
    /// `x [NOT] IN (..)`.
    InList {
        /// What is tested.
        operand: Expr<R>,
        /// Of the operand's type, at least one.
        list: Vec<Expr<R>>,
        /// NOT IN.
        negated: bool,
    },
    /// To the node's type; a value that does not fit is NULL.
    Cast {
        /// What is cast.
        operand: Expr<R>,
    },
    /// An aggregate.
    Aggregate(Aggregate<R>),
    /// A window. Boxed, or every reference and literal would be as large.
    Window(Box<Window<R>>),
}

/// A constant. Numbers keep their digits; dates are checked ISO text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// NULL of the node's type.
    Null,
    /// TRUE, FALSE.
    Boolean(bool),
    /// Digits with an optional sign.
    Integer(String),
    /// Digits with a point and an optional sign.
    Decimal(String),
    /// With an exponent.
    Float(String),
    /// Text.
    String(String),
    /// `YYYY-MM-DD`.
    Date(String),
    /// `HH:MM:SS[.ffffff]`.
    Time(String),
    /// `YYYY-MM-DD HH:MM:SS[.ffffff]`, wall clock for Timestamp, UTC for TimestampTz.
    Timestamp(String),
}

/// An aggregate call; FILTER became a CASE in the argument.
#[derive(Clone, PartialEq, Debug)]
pub struct Aggregate<R> {
    /// Which.
    pub function: AggregateFunction,
    /// As the function says; none for `CountRows`.
    pub arguments: Vec<Expr<R>>,
    /// DISTINCT over the arguments.
    pub distinct: bool,
    /// Order of LISTAGG; empty for the others.
    pub order_by: Vec<OrderKey<R>>,
}

/// A window call.
#[derive(Clone, PartialEq, Debug)]
pub struct Window<R> {
    /// What is computed.
    pub function: WindowFunction,
    /// As the function says.
    pub arguments: Vec<Expr<R>>,
    /// IGNORE NULLS.
    pub ignore_nulls: bool,
    /// PARTITION BY.
    pub partition_by: Vec<Expr<R>>,
    /// ORDER BY with the null order always written out.
    pub order_by: Vec<OrderKey<R>>,
    /// The frame of aggregates and FIRST/LAST/NTH_VALUE, defaults written out; `None` where SQL allows none.
    pub frame: Option<Frame>,
}

/// One key of an order.
#[derive(Clone, PartialEq, Debug)]
pub struct OrderKey<R> {
    /// What is ordered by.
    pub expr: Expr<R>,
    /// Greatest first.
    pub descending: bool,
    /// NULLs before all values.
    pub nulls_first: bool,
}

/// A frame with literal bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Rows or range of values.
    pub mode: FrameMode,
    /// First row.
    pub start: FrameBound,
    /// Last row.
    pub end: FrameBound,
}

/// The unit of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameMode {
    /// Single rows.
    Rows,
    /// Values of the one ordering key.
    Range,
}

/// One end of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameBound {
    /// From the first row.
    UnboundedPreceding,
    /// n before.
    Preceding(u64),
    /// This row (and its peers in RANGE).
    CurrentRow,
    /// n after.
    Following(u64),
    /// To the last row.
    UnboundedFollowing,
}

impl<R> Expr<R> {
    /// The direct parts, in order of writing.
    pub fn children(&self) -> Vec<&Expr<R>> {
        let mut parts = Vec::new();
        self.any_child(&mut |part| {
            parts.push(part);
            false
        });
        parts
    }

    /// Whether a direct part satisfies `test`; asked in order of writing, up to the first that does.
    fn any_child<'a>(&'a self, test: &mut dyn FnMut(&'a Expr<R>) -> bool) -> bool {
        match &*self.kind {
            ExprKind::Literal(_) | ExprKind::Reference(_) => false,
            ExprKind::Call { function: _, arguments } => arguments.iter().any(test),
            ExprKind::Case { branches, otherwise } => {
                branches.iter().flat_map(|(when, then)| [when, then]).chain(otherwise).any(test)
            }
            ExprKind::InList { operand, list, negated: _ } => test(operand) || list.iter().any(test),
            ExprKind::Cast { operand } => test(operand),
            ExprKind::Aggregate(aggregate) => aggregate.parts().any(test),
            ExprKind::Window(window) => window
                .arguments
                .iter()
                .chain(&window.partition_by)
                .chain(window.order_by.iter().map(|key| &key.expr))
                .any(test),
        }
    }

    /// The direct parts, in order of writing, to change them in place.
    pub fn children_mut(&mut self) -> Vec<&mut Expr<R>> {
        match &mut *self.kind {
            ExprKind::Literal(_) | ExprKind::Reference(_) => Vec::new(),
            ExprKind::Call { function: _, arguments } => arguments.iter_mut().collect(),
            ExprKind::Case { branches, otherwise } => {
                branches.iter_mut().flat_map(|(when, then)| [when, then]).chain(otherwise).collect()
            }
            ExprKind::InList { operand, list, negated: _ } => std::iter::once(operand).chain(list).collect(),
            ExprKind::Cast { operand } => vec![operand],
            ExprKind::Aggregate(aggregate) => aggregate
                .arguments
                .iter_mut()
                .chain(aggregate.order_by.iter_mut().map(|key| &mut key.expr))
                .collect(),
            ExprKind::Window(window) => window
                .arguments
                .iter_mut()
                .chain(&mut window.partition_by)
                .chain(window.order_by.iter_mut().map(|key| &mut key.expr))
                .collect(),
        }
    }

    /// Whether any node of the tree satisfies `test`.
    pub fn any(&self, test: &mut impl FnMut(&Expr<R>) -> bool) -> bool {
        test(self) || self.any_child(&mut |child| child.any(test))
    }

    /// Number of nodes.
    pub fn size(&self) -> usize {
        let mut size = 1;
        self.any_child(&mut |child| {
            size += child.size();
            false
        });
        size
    }

    /// All leaves, left to right, with repeats.
    pub fn references(&self) -> Vec<&R> {
        let mut found = Vec::new();
        collect_references(self, &mut found);
        found
    }

    /// Whether the tree holds an aggregate that is not a window's function.
    pub fn has_aggregate(&self) -> bool {
        self.any(&mut |expr| matches!(*expr.kind, ExprKind::Aggregate(_)))
    }

    /// Whether the tree holds a window.
    pub fn has_window(&self) -> bool {
        self.any(&mut |expr| matches!(*expr.kind, ExprKind::Window(_)))
    }

    /// The same tree rewritten top-down; types and classes of the nodes that stay are kept.
    pub fn rewrite<S, E>(&self, rules: &mut dyn Rewrite<R, S, E>) -> Result<Expr<S>, E> {
        if let Some(answer) = rules.whole(self) {
            return answer;
        }
        let kind = match &*self.kind {
            ExprKind::Literal(literal) => ExprKind::Literal(literal.clone()),
            ExprKind::Reference(reference) => return rules.leaf(reference, self),
            ExprKind::Call { function, arguments } => {
                ExprKind::Call { function: *function, arguments: rewrite_all(arguments, rules)? }
            }
            ExprKind::Case { branches, otherwise } => ExprKind::Case {
                branches: branches
                    .iter()
                    .map(|(when, then)| Ok((when.rewrite(rules)?, then.rewrite(rules)?)))
                    .collect::<Result<_, E>>()?,
                otherwise: otherwise.as_ref().map(|expr| expr.rewrite(rules)).transpose()?,
            },
            ExprKind::InList { operand, list, negated } => ExprKind::InList {
                operand: operand.rewrite(rules)?,
                list: rewrite_all(list, rules)?,
                negated: *negated,
            },
            ExprKind::Cast { operand } => ExprKind::Cast { operand: operand.rewrite(rules)? },
            ExprKind::Aggregate(aggregate) => ExprKind::Aggregate(aggregate.rewrite(rules)?),
            ExprKind::Window(window) => ExprKind::Window(Box::new(Window {
                function: window.function,
                arguments: rewrite_all(&window.arguments, rules)?,
                ignore_nulls: window.ignore_nulls,
                partition_by: rewrite_all(&window.partition_by, rules)?,
                order_by: rewrite_order(&window.order_by, rules)?,
                frame: window.frame,
            })),
        };
        Ok(Expr::new(kind, self.data_type, self.exactness))
    }

    /// The same tree with every leaf replaced; `replace` gets the reference and its node. Types and classes of the inner nodes stay.
    pub fn map_references<S>(&self, replace: &mut impl FnMut(&R, &Expr<R>) -> Expr<S>) -> Expr<S> {
        match self.rewrite(&mut Leaves(replace)) {
            Ok(mapped) => mapped,
            Err(never) => match never {},
        }
    }
}

fn collect_references<'a, R>(expr: &'a Expr<R>, found: &mut Vec<&'a R>) {
    if let ExprKind::Reference(reference) = &*expr.kind {
        found.push(reference);
    }
    expr.any_child(&mut |child| {
        collect_references(child, found);
        false
    });
}

/// What `Expr::rewrite` asks on its way down.
pub trait Rewrite<R, S, E> {
    /// The answer for a whole subtree, or `None` to go on into its parts.
    fn whole(&mut self, expr: &Expr<R>) -> Option<Result<Expr<S>, E>>;

    /// The answer for a leaf that no whole subtree covered.
    fn leaf(&mut self, reference: &R, expr: &Expr<R>) -> Result<Expr<S>, E>;
}

/// Rules that replace leaves only.
struct Leaves<'f, F>(&'f mut F);

impl<R, S, F: FnMut(&R, &Expr<R>) -> Expr<S>> Rewrite<R, S, Infallible> for Leaves<'_, F> {
    fn whole(&mut self, _: &Expr<R>) -> Option<Result<Expr<S>, Infallible>> {
        None
    }

    fn leaf(&mut self, reference: &R, expr: &Expr<R>) -> Result<Expr<S>, Infallible> {
        Ok((self.0)(reference, expr))
    }
}

impl<R> Aggregate<R> {
    /// The arguments, then what they are ordered by.
    pub fn parts(&self) -> impl Iterator<Item = &Expr<R>> {
        self.arguments.iter().chain(self.order_by.iter().map(|key| &key.expr))
    }

    /// The same aggregate with every leaf replaced, as `Expr::map_references` does it.
    pub fn map_references<S>(&self, replace: &mut impl FnMut(&R, &Expr<R>) -> Expr<S>) -> Aggregate<S> {
        match self.rewrite(&mut Leaves(replace)) {
            Ok(mapped) => mapped,
            Err(never) => match never {},
        }
    }

    /// The same aggregate over rewritten arguments.
    pub fn rewrite<S, E>(&self, rules: &mut dyn Rewrite<R, S, E>) -> Result<Aggregate<S>, E> {
        Ok(Aggregate {
            function: self.function,
            arguments: rewrite_all(&self.arguments, rules)?,
            distinct: self.distinct,
            order_by: rewrite_order(&self.order_by, rules)?,
        })
    }
}

fn rewrite_all<R, S, E>(exprs: &[Expr<R>], rules: &mut dyn Rewrite<R, S, E>) -> Result<Vec<Expr<S>>, E> {
    exprs.iter().map(|expr| expr.rewrite(rules)).collect()
}

fn rewrite_order<R, S, E>(
    keys: &[OrderKey<R>],
    rules: &mut dyn Rewrite<R, S, E>,
) -> Result<Vec<OrderKey<S>>, E> {
    keys.iter()
        .map(|key| {
            Ok(OrderKey {
                expr: key.expr.rewrite(rules)?,
                descending: key.descending,
                nulls_first: key.nulls_first,
            })
        })
        .collect()
}
