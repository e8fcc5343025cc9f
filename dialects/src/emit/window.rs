//! Windows: frames and null orders are written out, IGNORE NULLS stands where the target wants it.
//! In: a window of the relation. Out: a call with OVER.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{Aggregate, Frame, FrameBound, FrameMode, Window};
use unisono_compiler::function::WindowFunction;
use unisono_compiler::relation::ColumnRef;

use super::Emitter;
use crate::capabilities::SeveralKeys;
use crate::form::{RankingCall, RankingForm, Refusal};
use crate::sql::tree::{self, Expr, NullTreatment};

impl Emitter<'_> {
    pub(super) fn window(&mut self, window: &Window<ColumnRef>, data_type: DataType) -> Expr {
        let over = tree::Over {
            partition_by: window.partition_by.iter().map(|key| self.expr(key)).collect(),
            order_by: self.order_keys(&window.order_by),
            // Without an order every frame is the whole partition, and StarRocks takes none.
            frame: window
                .frame
                .filter(|_| !window.order_by.is_empty() && !self.is_left_out(window))
                .map(frame),
        };
        match window.function {
            WindowFunction::Aggregate(function) => {
                let aggregate = Aggregate {
                    function,
                    arguments: window.arguments.clone(),
                    distinct: false,
                    order_by: Vec::new(),
                };
                self.aggregate(&aggregate, data_type, Some(over))
            }
            WindowFunction::Ranking(function) => {
                let row = (self.tables.ranking)(function, self.target.version);
                let mut arguments = self.typed_all(&window.arguments);
                for (argument, expr) in arguments.iter_mut().zip(&window.arguments).skip(2) {
                    argument.expr = self.value(expr);
                }
                let node = RankingCall { arguments: &arguments, ignore_nulls: window.ignore_nulls, over };
                let said = match row.form {
                    RankingForm::Call(name) => Ok(node.plain(name, self.tables.ignore_nulls)),
                    RankingForm::Build(build) => build(&node),
                    RankingForm::Absent { why, needs } => Err(Refusal::function(why, needs)),
                };
                said.unwrap_or_else(|refusal| self.refuse(function.name(), refusal))
            }
        }
    }
}

impl Emitter<'_> {
    /// Whether a frame may not be written: it is the one that stands for no frame.
    fn is_left_out(&self, window: &Window<ColumnRef>) -> bool {
        match self.capabilities.several_keys {
            SeveralKeys::AnyFrame => false,
            SeveralKeys::DefaultFrame => {
                window.order_by.len() > 1 && window.frame.is_some_and(|frame| frame.mode == FrameMode::Range)
            }
        }
    }
}

impl RankingCall<'_> {
    /// A call of that name over the window.
    pub(crate) fn plain(&self, name: &'static str, ignore: NullTreatment) -> Expr {
        self.with_arguments(
            name,
            self.arguments.iter().map(|argument| argument.expr.clone()).collect(),
            ignore,
        )
    }

    /// A call of that name with other arguments over the window.
    pub(crate) fn with_arguments(
        &self,
        name: &'static str,
        arguments: Vec<Expr>,
        ignore: NullTreatment,
    ) -> Expr {
        let nulls = if self.ignore_nulls { ignore } else { NullTreatment::Respect };
        Expr::Call(Box::new(tree::Call {
            nulls,
            over: Some(self.over.clone()),
            ..tree::plain_call(name, arguments)
        }))
    }

    /// LAG or LEAD of `x` with its default written out: a mark that is never NULL tells whether there is such a row.
    pub(crate) fn or_default(&self, name: &'static str, x: Expr, offset: &Expr, default: Expr) -> Expr {
        self.or_default_by(name, tree::number(1), x, offset, default)
    }

    /// The same with a mark of the engine's own liking.
    pub(crate) fn or_default_by(
        &self,
        name: &'static str,
        mark: Expr,
        x: Expr,
        offset: &Expr,
        default: Expr,
    ) -> Expr {
        let of = |value| self.with_arguments(name, vec![value, offset.clone()], NullTreatment::Respect);
        tree::when_else(tree::is_null(of(mark)), default, of(x))
    }
}

fn frame(frame: Frame) -> tree::Frame {
    let mode = match frame.mode {
        FrameMode::Rows => "ROWS",
        FrameMode::Range => "RANGE",
    };
    tree::Frame { mode, start: bound(frame.start), end: bound(frame.end) }
}

fn bound(bound: FrameBound) -> tree::Bound {
    match bound {
        FrameBound::UnboundedPreceding => tree::Bound { offset: None, words: "UNBOUNDED PRECEDING" },
        FrameBound::Preceding(rows) => tree::Bound { offset: Some(rows), words: "PRECEDING" },
        FrameBound::CurrentRow => tree::Bound { offset: None, words: "CURRENT ROW" },
        FrameBound::Following(rows) => tree::Bound { offset: Some(rows), words: "FOLLOWING" },
        FrameBound::UnboundedFollowing => tree::Bound { offset: None, words: "UNBOUNDED FOLLOWING" },
    }
}
