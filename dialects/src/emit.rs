//! Relation to text: walks the adapted relation once, asks the target's tables for every form, and prints. It decides nothing.
//! In: an adapted relation, a target, bindings. Out: SQL text, or every refusal that stands in its way.

mod divergent;
mod expression;
mod scope;
mod select;
mod window;

use std::collections::BTreeSet;

use unisono_compiler::diagnostic::{Code, Diagnostic, has_errors};
use unisono_compiler::relation::Relation;

use crate::bindings::Bindings;
use crate::capabilities::{Capabilities, UnknownTypes};
use crate::dialect::{Dialect, dialect};
use crate::form::{DECLARE_TYPE, Refusal, Tables};
use crate::sql::{print, tree};
use crate::target::Target;
use scope::{KnownColumns, Scope};

/// The text of a relation for a target; `None` with at least one error if it cannot be said there.
pub fn emit(relation: &Relation, target: &Target, bindings: &Bindings) -> (Option<String>, Vec<Diagnostic>) {
    let mut emitter = Emitter::new(*target, bindings);
    let query = emitter.relation(relation);
    let diagnostics = emitter.into_diagnostics();
    if has_errors(&diagnostics) {
        return (None, diagnostics);
    }
    let text = print::query(&query, &dialect(*target).capabilities.quoting);
    (Some(text), diagnostics)
}

/// Nodes that all forms of one text may add to their arguments. A guard repeats what it guards, so that guards in guards
/// double at each step.
const MOST_ADDED: usize = 200_000;

/// What is known while one relation is emitted.
struct Emitter<'a> {
    target: Target,
    tables: Tables,
    capabilities: Capabilities,
    bindings: &'a Bindings,
    /// The relation's CTEs, which hide tables of the same name.
    cte_names: Vec<&'a str>,
    /// Columns of the CTEs emitted so far.
    known: KnownColumns,
    /// The sources of the select at hand.
    scope: Scope<'a>,
    /// Nodes of the text so far that the forms added to their arguments.
    added: usize,
    /// Columns without a type on which a form depends.
    untyped: BTreeSet<String>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Emitter<'a> {
    fn new(target: Target, bindings: &'a Bindings) -> Self {
        let Dialect { tables, capabilities } = dialect(target);
        Emitter {
            target,
            tables,
            capabilities,
            bindings,
            cte_names: Vec::new(),
            known: KnownColumns::default(),
            scope: Scope::default(),
            added: 0,
            untyped: BTreeSet::new(),
            diagnostics: Vec::new(),
        }
    }

    fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics;
        if !self.untyped.is_empty() {
            let columns: Vec<String> = self.untyped.iter().map(|column| format!("`{column}`")).collect();
            let columns = columns.join(", ");
            let finding = match self.capabilities.unknown_types {
                UnknownTypes::NativeForm => Diagnostic::new(
                    Code::UnknownType,
                    format!("the type of {columns} is not declared; {}'s own forms are used", self.target),
                ),
                UnknownTypes::Refused => Diagnostic::new(
                    Code::TypeRequired,
                    format!("{} needs the type of {columns}, and nothing declares it", self.target),
                ),
            };
            diagnostics.push(finding.help(DECLARE_TYPE));
        }
        diagnostics
    }

    /// Records a finding once.
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether a form leaves the text small enough; counts what it added to its arguments.
    fn is_small<'e>(&mut self, said: &tree::Expr, arguments: impl Iterator<Item = &'e tree::Expr>) -> bool {
        let before: usize = arguments.map(tree::size).sum();
        self.added += tree::size(said).saturating_sub(before);
        self.added <= MOST_ADDED
    }

    /// Records why `name` cannot be said and stands NULL in for it; the text is never printed then.
    fn refuse(&mut self, name: &str, refusal: Refusal) -> tree::Expr {
        let Refusal { code, why, help } = refusal;
        self.report(Diagnostic::new(code, format!("`{name}` on {}: {why}", self.target)).help(help));
        tree::NULL
    }
}
