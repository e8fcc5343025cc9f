//! What each target has of the language, read off its tables, for the support matrix.
//! In: a target. Out: one entry a function, in the order of docs/semantics.md.

use unisono_compiler::function::{AggregateFunction, Function, Part, Ranking, Scalar, Unit};

use crate::dialect::dialect;
use crate::form::{AggregateForm, Form, RankingForm};
use crate::target::Target;

/// One function on one target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Support {
    /// The function's name.
    pub function: String,
    /// Whether the target says it.
    pub answer: Answer,
    /// The vendor's page.
    pub url: &'static str,
}

/// Whether a target says a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It does, as far as its arguments have a portable meaning.
    Supported,
    /// It does not: why, and what would.
    Absent {
        /// Why.
        why: &'static str,
        /// What would have it.
        needs: &'static str,
    },
}

/// Every function of the language on a target.
pub fn support(target: &Target) -> Vec<Support> {
    let tables = dialect(*target).tables;
    let mut entries = Vec::new();
    for function in functions() {
        let row = (tables.function)(function, target.version);
        let answer = match row.form {
            Form::Call(_) | Form::Infix(_) | Form::Build(_) | Form::Arithmetic(_) => Answer::Supported,
            Form::Absent { why, needs } => Answer::Absent { why, needs },
        };
        entries.push(Support { function: function.name(), answer, url: row.url });
    }
    for function in AggregateFunction::ALL {
        let row = (tables.aggregate)(*function, target.version);
        let answer = match row.form {
            AggregateForm::Call(_)
            | AggregateForm::Build(_)
            | AggregateForm::Sum
            | AggregateForm::Planned => Answer::Supported,
            AggregateForm::Absent { why, needs } => Answer::Absent { why, needs },
        };
        entries.push(Support { function: function.name().to_string(), answer, url: row.url });
    }
    for function in Ranking::ALL {
        let row = (tables.ranking)(*function, target.version);
        let answer = match row.form {
            RankingForm::Call(_) | RankingForm::Build(_) => Answer::Supported,
            RankingForm::Absent { why, needs } => Answer::Absent { why, needs },
        };
        entries.push(Support { function: function.name().to_string(), answer, url: row.url });
    }
    entries
}

/// Every scalar function with every unit and part.
pub(crate) fn functions() -> Vec<Function> {
    let scalars = Scalar::ALL.iter().map(|scalar| Function::Scalar(*scalar));
    let truncations = Unit::ALL.into_iter().map(Function::DateTrunc);
    let parts = Part::ALL.into_iter().map(Function::Extract);
    let additions = Unit::ALL.into_iter().map(Function::DateAdd);
    let differences = Unit::ALL.into_iter().map(Function::DateDiff);
    scalars.chain(truncations).chain(parts).chain(additions).chain(differences).collect()
}
