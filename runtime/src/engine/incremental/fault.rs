//! Why the embedded real-time engine gives no answer. In: what went wrong where. Out: one value, never a wrong row.

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// A value past the range of its type (docs/semantics.md, arithmetic): never NULL, never wrapped.
    #[error("{0}")]
    Overflow(String),
    /// What this engine does not do.
    #[error("the incremental engine has no {0}")]
    Unsupported(String),
    /// A source or the state could not be read.
    #[error("{0}")]
    Source(String),
    /// A plan that contradicts itself: a slot that no input carries, a value that is not of its type.
    #[error("inconsistent plan: {0}")]
    Plan(String),
}
