//! What each fuzz target does with an input, one function a target; `tests/it/corpus.rs` does the same with the corpus.
//! In: any bytes. Out: nothing; what must hold for every input is asserted.

use std::sync::OnceLock;

use unisono_compiler::catalog::{Catalog, parse_ddl};
use unisono_compiler::diagnostic::render::{
    diagnostics_json, diagnostics_sarif, render_github, render_human, render_line,
};
use unisono_compiler::diagnostic::{Code, Diagnostic, has_errors};
use unisono_compiler::plan::plan;
use unisono_compiler::query::{Moment, bind, parse_request};
use unisono_compiler::relation::{Relation, relate};
use unisono_compiler::resolve::{Resolved, object_diagnostics, resolve_model};
use unisono_compiler::source::{SourceId, SourceMap};
use unisono_compiler::syntax::expr::{MAX_BYTES, parse_expr_str, print_expr};
use unisono_compiler::syntax::parse_document;
use unisono_dialects::{TARGETS, Target, adapt, bindings_of, emit, parse_target};

/// The models that requests are asked of, each with its tables.
const MODELS: [(&str, &str); 2] = [
    (include_str!("../model.yaml"), include_str!("../schema.sql")),
    (include_str!("../../models/shop/model.yaml"), include_str!("../../models/shop/schema.sql")),
];

/// A document: parsed, lowered, checked and resolved, and everything that is said of it rendered in every form.
pub fn document(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut sources = SourceMap::default();
    let source = sources.add("model.yaml", text.as_ref());
    let (document, mut findings) = parse_document(source, &text);
    assert!(document.is_some() || has_errors(&findings), "refused without an error");
    for model in document.iter().flat_map(|document| &document.models) {
        for dialect in ["", "FLINK"] {
            let (resolved, said) = resolve_model(model, &Catalog::default(), dialect);
            findings.extend(said);
            findings.extend(resolved.iter().flat_map(object_diagnostics));
        }
    }
    check_findings(&findings, &sources);
}

/// An expression: what is parsed prints as a text that parses to the same tree.
pub fn expression(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut sources = SourceMap::default();
    let source = sources.add("expression", text.as_ref());
    let (tree, findings) = parse_expr_str(&text, source);
    check_findings(&findings, &sources);
    let Some(tree) = tree else {
        assert!(has_errors(&findings), "refused without an error");
        return;
    };
    let printed = print_expr(&tree);
    // Blanks around operators may make it longer than what is read.
    if printed.len() <= MAX_BYTES {
        let (again, findings) = parse_expr_str(&printed, source);
        assert_eq!(again.as_ref(), Some(&tree), "{printed}: {findings:?}");
    }
}

/// A request, asked of each model and said to each target: a text, or a refusal with an error.
pub fn request(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut sources = SourceMap::default();
    for (path, (model, _)) in ["fuzz.yaml", "shop.yaml"].into_iter().zip(MODELS) {
        sources.add(path, model);
    }
    let source = sources.add("request.json", text.as_ref());
    let (request, mut findings) = parse_request(source, &text);
    assert!(request.is_some() || has_errors(&findings), "refused without an error");
    let moment = Moment { now: "2026-01-01 00:00:00.000000".to_owned(), zone: "UTC".to_owned() };
    for model in request.iter().flat_map(|_| models()) {
        let Some(request) = &request else { continue };
        let bound = kept(bind(model, request, &moment), &mut findings);
        let planned = bound.and_then(|bound| kept(plan(model, &bound), &mut findings));
        if let Some(planned) = planned {
            let relation = relate(model, &planned);
            for target in targets() {
                say(model, &relation, *target, &mut findings);
            }
        }
    }
    check_findings(&findings, &sources);
}

fn say(model: &Resolved, relation: &Relation, target: Target, findings: &mut Vec<Diagnostic>) {
    let Some(adapted) = kept(adapt(relation, &target), findings) else { return };
    let text = kept(emit(&adapted, &target, &bindings_of(model)), findings);
    assert!(text.is_none_or(|text| !text.is_empty()), "an empty text");
}

/// A stage's output, which is there if no finding is an error, and only then.
fn kept<T>((output, said): (Option<T>, Vec<Diagnostic>), findings: &mut Vec<Diagnostic>) -> Option<T> {
    assert_eq!(output.is_some(), !has_errors(&said), "{said:?}");
    findings.extend(said);
    output
}

fn models() -> &'static [Resolved] {
    static RESOLVED: OnceLock<Vec<Resolved>> = OnceLock::new();
    RESOLVED.get_or_init(|| {
        let mut all = Vec::new();
        for (index, (text, tables)) in (0..).zip(MODELS) {
            let (document, findings) = parse_document(SourceId(index), text);
            assert!(!has_errors(&findings), "{findings:?}");
            let (catalog, findings) = parse_ddl(SourceId(99), tables);
            assert!(!has_errors(&findings), "{findings:?}");
            for model in document.iter().flat_map(|document| &document.models) {
                let (resolved, mut findings) = resolve_model(model, &catalog, "");
                findings.extend(resolved.iter().flat_map(object_diagnostics));
                assert!(!has_errors(&findings), "{findings:?}");
                all.extend(resolved);
            }
        }
        assert_eq!(all.len(), MODELS.len());
        all
    })
}

fn targets() -> &'static [Target] {
    static READ: OnceLock<Vec<Target>> = OnceLock::new();
    READ.get_or_init(|| TARGETS.iter().flat_map(|text| parse_target(text)).collect())
}

/// No finding is a fault of our own, each points at characters of a text, and all can be shown.
fn check_findings(findings: &[Diagnostic], sources: &SourceMap) {
    for finding in findings {
        assert_ne!(finding.code, Code::Internal, "{finding:?}");
        for label in finding.primary.iter().chain(&finding.secondary) {
            let source = sources.get(label.span.source);
            let place = label.span.start as usize..label.span.end as usize;
            let text = source.and_then(|source| source.text.get(place));
            assert!(text.is_some(), "{finding:?}");
        }
        assert!(!render_line(finding, sources).contains('\n'), "{finding:?}");
    }
    // Many findings cost as much as one, many times: a fuzzer learns nothing from all of them.
    let some = &findings[..findings.len().min(100)];
    for color in [false, true] {
        render_human(some, sources, color);
    }
    render_github(some, sources);
    diagnostics_json(some, sources);
    diagnostics_sarif(some, sources);
}
