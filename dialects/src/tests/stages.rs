//! Models and requests as texts, through all stages.
//! In: texts, the name of a target. Out: a resolved model, the text for the target, or the codes of what is wrong.

use unisono_compiler::catalog::Catalog;
use unisono_compiler::diagnostic::{Code, Diagnostic, has_errors};
use unisono_compiler::plan::plan;
use unisono_compiler::query::{Moment, bind, parse_request};
use unisono_compiler::relation::relate;
use unisono_compiler::resolve::{Resolved, object_diagnostics, resolve_model};
use unisono_compiler::source::SourceId;
use unisono_compiler::syntax::parse_document;

use super::target;
use crate::{adapt, bindings_of, emit};

/// A model with names resolved, and everything that is said of it.
pub(crate) fn load(text: &str) -> (Option<Resolved>, Vec<Diagnostic>) {
    let (document, mut findings) = parse_document(SourceId(0), text);
    let Some(model) = document.as_ref().and_then(|document| document.models.first()) else {
        return (None, findings);
    };
    let (resolved, said) = resolve_model(model, &Catalog::default(), "");
    findings.extend(said);
    findings.extend(resolved.iter().flat_map(object_diagnostics));
    (resolved, findings)
}

/// A model without errors.
pub(crate) fn whole(text: &str) -> Resolved {
    let (resolved, findings) = load(text);
    assert!(!has_errors(&findings), "{:?}", findings.first());
    resolved.unwrap()
}

/// The text of a request, or the code of the first error.
pub(crate) fn text_of(model: &Resolved, request: &str, target_text: &str) -> Result<String, Code> {
    let first = |findings: Vec<Diagnostic>| {
        findings.into_iter().find(|finding| has_errors(std::slice::from_ref(finding))).unwrap().code
    };
    let moment = Moment { now: "2026-01-01 00:00:00.000000".to_owned(), zone: "UTC".to_owned() };
    let (request, findings) = parse_request(SourceId(1), request);
    if has_errors(&findings) {
        return Err(first(findings));
    }
    let (bound, findings) = bind(model, &request.unwrap(), &moment);
    let bound = bound.ok_or_else(|| first(findings))?;
    let (planned, findings) = plan(model, &bound);
    let planned = planned.ok_or_else(|| first(findings))?;
    let relation = relate(model, &planned);
    let (adapted, findings) = adapt(&relation, &target(target_text));
    let adapted = adapted.ok_or_else(|| first(findings))?;
    let (text, findings) = emit(&adapted, &target(target_text), &bindings_of(model));
    text.ok_or_else(|| first(findings))
}
