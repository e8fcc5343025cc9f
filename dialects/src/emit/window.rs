//! Windows: frames and null orders are written out, IGNORE NULLS stands where the target wants it.
//! In: a window of the relation. Out: a call with OVER.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{Aggregate, Frame, FrameBound, FrameMode, Window};
use unisono_compiler::function::WindowFunction;
use unisono_compiler::relation::ColumnRef;

use super::Emitter;
use crate::form::{RankingCall, RankingForm, Refusal};
use crate::sql::tree::{self, Expr};
use crate::strategy::windows::written_frame;

impl Emitter<'_> {
    pub(super) fn window(&mut self, window: &Window<ColumnRef>, data_type: DataType) -> Expr {
        let over = tree::Over {
            partition_by: window.partition_by.iter().map(|key| self.expr(key)).collect(),
            order_by: self.order_keys(&window.order_by),
            frame: written_frame(window, self.capabilities.several_keys).map(frame),
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
