//! The places where the real-time side reads and stores values, open to tests that put a fault there. In: a value on its way.
//! Out: the value that goes on. The check knows nothing of it: it must find the fault in what was stored.

use unisono_compiler::ids::DatasetId;

use crate::engine::incremental::{Side, Update, Value};

/// What becomes of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// It goes on.
    Once,
    /// It is lost.
    Never,
    /// It comes twice.
    Twice,
}

/// Sees and changes what a run reads and writes.
pub trait Tap {
    /// A row of a source's state.
    fn read(&mut self, _dataset: DatasetId, _at: Side, _row: &mut [Value]) -> Pass {
        Pass::Once
    }

    /// A row of a source's change, with its sign.
    fn changed(&mut self, _dataset: DatasetId, _sign: i8, _row: &mut [Value]) -> Pass {
        Pass::Once
    }

    /// What is written to the rollup.
    fn stored(&mut self, _update: &mut Update) {}
}

/// Changes nothing.
pub struct NoTap;

impl Tap for NoTap {}
