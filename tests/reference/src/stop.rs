//! Why an evaluation ends without a value. In: nothing. Out: the error type of every step of the reference.

/// The evaluation cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The rules refuse the request: any of these codes is right, nothing else is.
    Refused(Vec<&'static str>),
    /// A value left its type's range: an error of the engine or a refusal is right, a number is not.
    Overflow(String),
    /// The rules leave the answer open (ties without an order, divergent functions): the case says nothing.
    Open(String),
    /// The reference does not know this form: the case says nothing, and a run counts how often.
    Unknown(String),
}
