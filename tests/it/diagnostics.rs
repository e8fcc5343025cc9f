//! The pages of docs/diagnostics keep their word: the example of a page raises its code with the message that stands there, and
//! the mended one is accepted. In: the pages' fenced blocks. Out: one line for each page that is wrong.
//! With `UNISONO_UPDATE_PAGES=1` the message blocks are written anew, for a person to read and commit.

use std::fmt::Write as _;
use std::fs;

use unisono_compiler::catalog::{Catalog, parse_ddl};
use unisono_compiler::check::check;
use unisono_compiler::diagnostic::render::render_human;
use unisono_compiler::diagnostic::{Code, Diagnostic, Severity};
use unisono_compiler::model::lower;
use unisono_compiler::plan::plan;
use unisono_compiler::query::{Moment, bind, parse_request};
use unisono_compiler::relation::relate;
use unisono_compiler::resolve::{Resolved, object_diagnostics, resolve};
use unisono_compiler::source::SourceMap;
use unisono_compiler::syntax::parse_document;
use unisono_dialects::{adapt, bindings_of, emit, parse_target};
use unisono_tests::project;

const PAGES: &str = "docs/diagnostics";

/// Begins the line of a page that has no example.
const NOT_RAISED: &str = "Not raised by an example: ";

/// The headings of a page, in their order.
const SECTIONS: [&str; 3] = ["Example", "Why", "Mending it"];

/// What an example is compiled from. A part that the mended example does not repeat stays as it was.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Example {
    model: Option<String>,
    request: Option<String>,
    schema: Option<String>,
    target: Option<String>,
}

/// A page, taken apart.
#[derive(Default, PartialEq, Eq, Debug)]
struct Page {
    title: String,
    /// The first paragraph.
    meaning: String,
    headings: Vec<String>,
    /// Why there is no example.
    not_raised: Option<String>,
    example: Example,
    message: Option<String>,
    mended: Example,
    /// Fences whose info string means nothing here.
    unknown: Vec<String>,
}

fn parse_page(text: &str) -> Page {
    let mut page = Page::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let in_mended = page.headings.last().is_some_and(|heading| heading == SECTIONS[2]);
        if let Some(title) = line.strip_prefix("# ") {
            page.title = title.to_string();
        } else if let Some(heading) = line.strip_prefix("## ") {
            page.headings.push(heading.to_string());
        } else if let Some(info) = line.strip_prefix("```") {
            let block = block(&mut lines);
            if info == "text message" {
                page.message = Some(block);
                continue;
            }
            let example = if in_mended { &mut page.mended } else { &mut page.example };
            match info {
                "yaml model" => example.model = Some(block),
                "json request" => example.request = Some(block),
                "sql schema" => example.schema = Some(block),
                other => page.unknown.push(other.to_string()),
            }
        } else if let Some(target) = line.strip_prefix("Target: ") {
            let example = if in_mended { &mut page.mended } else { &mut page.example };
            example.target = Some(target.to_string());
        } else if let Some(reason) = line.strip_prefix(NOT_RAISED) {
            page.not_raised = Some(reason.to_string());
        } else if page.headings.is_empty() && !line.is_empty() {
            let separator = if page.meaning.is_empty() { "" } else { " " };
            page.meaning = [page.meaning.as_str(), separator, line].concat();
        }
    }
    page
}

/// The lines up to the end of a fence.
fn block<'a>(lines: &mut impl Iterator<Item = &'a str>) -> String {
    lines.take_while(|line| *line != "```").fold(String::new(), |text, line| text + line + "\n")
}

fn mended(page: &Page) -> Example {
    let Page { example, mended, .. } = page;
    let pick = |own: &Option<String>, other: &Option<String>| own.clone().or_else(|| other.clone());
    Example {
        model: pick(&mended.model, &example.model),
        request: pick(&mended.request, &example.request),
        schema: pick(&mended.schema, &example.schema),
        target: pick(&mended.target, &example.target),
    }
}

/// All findings of an example, and the texts that they point into.
fn findings(example: &Example) -> (Vec<Diagnostic>, SourceMap) {
    let mut run = Run::default();
    run.example(example);
    (run.findings, run.sources)
}

#[derive(Default)]
struct Run {
    findings: Vec<Diagnostic>,
    sources: SourceMap,
}

impl Run {
    /// The output of a stage; its findings are kept, each once: a broken metric is reported by itself and by its users.
    fn stage<T>(&mut self, (output, findings): (Option<T>, Vec<Diagnostic>)) -> Option<T> {
        for finding in findings {
            if !self.findings.contains(&finding) {
                self.findings.push(finding);
            }
        }
        output
    }

    fn example(&mut self, example: &Example) -> Option<()> {
        let target = match parse_target(example.target.as_deref().unwrap_or("datafusion")) {
            Ok(target) => target,
            Err(finding) => return self.stage((None, vec![finding])),
        };
        let catalog = self.catalog(example.schema.as_deref());
        let variant = target.engine.as_str().trim_end_matches("-streaming").to_uppercase();
        let resolved = self.model(example.model.as_deref()?, &catalog, &variant)?;
        let text = example.request.as_deref()?;
        let source = self.sources.add("request.json", text);
        let request = self.stage(parse_request(source, text))?;
        let moment = Moment { now: "2024-06-30 12:00:00.000000".to_string(), zone: "UTC".to_string() };
        let bound = self.stage(bind(&resolved, &request, &moment))?;
        let plan = self.stage(plan(&resolved, &bound))?;
        let adapted = self.stage(adapt(&relate(&resolved, &plan), &target))?;
        self.stage(emit(&adapted, &target, &bindings_of(&resolved)))?;
        Some(())
    }

    fn catalog(&mut self, schema: Option<&str>) -> Catalog {
        let Some(text) = schema else { return Catalog::default() };
        let source = self.sources.add("schema.sql", text);
        let (catalog, findings) = parse_ddl(source, text);
        self.stage((Some(catalog), findings)).unwrap_or_default()
    }

    fn model(&mut self, text: &str, catalog: &Catalog, variant: &str) -> Option<Resolved> {
        let source = self.sources.add("model.yaml", text);
        let document = self.stage(parse_document(source, text))?;
        let (model, found) = lower(document.models.first()?);
        self.stage((Some(()), found));
        self.stage((Some(()), check(&model)));
        let (resolved, found) = resolve(model, catalog, variant);
        self.stage((Some(()), found));
        self.stage((Some(()), object_diagnostics(&resolved)));
        Some(resolved)
    }
}

/// What is wrong with a page, in words.
fn faults(code: Code, page: &Page) -> Vec<String> {
    let mut faults = Vec::new();
    if page.title != code.as_str() {
        faults.push(format!("the title is `{}`", page.title));
    }
    if page.headings != SECTIONS {
        faults.push(format!("the headings are {:?}, not {SECTIONS:?}", page.headings));
    }
    faults.extend(page.unknown.iter().map(|info| format!("a fence `{info}` means nothing")));
    match (&page.not_raised, &page.message) {
        (Some(_), None) if page.example == Example::default() => {}
        (Some(_), _) => faults.push("says that no example raises it, and has one".to_string()),
        (None, None) => faults.push("has neither a message nor a reason for having none".to_string()),
        (None, Some(message)) => faults.extend(broken_promises(code, page, message)),
    }
    faults
}

fn broken_promises(code: Code, page: &Page, message: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let said = rendered(code, &page.example);
    if said.is_empty() {
        let (found, _) = findings(&page.example);
        faults.push(format!("the example raises {:?}", codes(&found)));
    } else if said != message {
        faults.push(format!("the message should be\n{said}"));
    }
    let (left, _) = findings(&mended(page));
    let wrong = |finding: &&Diagnostic| finding.code == code || finding.severity() == Severity::Error;
    faults.extend(
        left.iter()
            .filter(wrong)
            .map(|finding| format!("the mended example raises {}: {}", finding.code, finding.message)),
    );
    faults
}

fn codes(found: &[Diagnostic]) -> Vec<&'static str> {
    found.iter().map(|finding| finding.code.as_str()).collect()
}

/// The findings of one code as people see them.
fn rendered(code: Code, example: &Example) -> String {
    let (found, sources) = findings(example);
    let own: Vec<Diagnostic> = found.into_iter().filter(|finding| finding.code == code).collect();
    let text = render_human(&own, &sources, false);
    if text.is_empty() { text } else { text.trim_end().to_string() + "\n" }
}

/// The page with the message block that its example gives now.
fn updated(text: &str, code: Code) -> String {
    let page = parse_page(text);
    let (Some(old), said) = (&page.message, rendered(code, &page.example)) else { return text.to_string() };
    if said.is_empty() {
        return text.to_string();
    }
    text.replacen(&format!("```text message\n{old}```"), &format!("```text message\n{said}```"), 1)
}

#[test]
fn every_example_raises_its_code_and_every_mended_one_is_accepted() {
    let update = std::env::var_os("UNISONO_UPDATE_PAGES").is_some();
    let mut report = String::new();
    for code in Code::ALL {
        let path = project(format!("{PAGES}/{code}.md"));
        let Ok(mut text) = fs::read_to_string(&path) else {
            let _ = writeln!(report, "{PAGES}/{code}.md: cannot be read");
            continue;
        };
        if update {
            text = updated(&text, *code);
            fs::write(&path, &text).unwrap();
        }
        for fault in faults(*code, &parse_page(&text)) {
            let _ = writeln!(report, "{PAGES}/{code}.md: {fault}");
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn the_index_lists_every_page_with_its_meaning() {
    let mut wanted = String::new();
    for code in Code::ALL {
        let text = fs::read_to_string(project(format!("{PAGES}/{code}.md"))).unwrap_or_default();
        let meaning = parse_page(&text).meaning.replace('|', "\\|");
        let _ = writeln!(wanted, "| [{code}]({code}.md) | {meaning} |");
    }
    let index = fs::read_to_string(project(format!("{PAGES}/README.md"))).unwrap_or_default();
    assert!(index.contains(&wanted), "{PAGES}/README.md should hold these rows:\n{wanted}");
}

#[test]
fn pages_are_taken_apart() {
    let text = "# E_X\n\nOne\nline.\n\n## Example\n\nTarget: flink\n\n```yaml model\na: 1\n```\n\n```text message\nerror[E_X]: y\n```\n\n## Why\n\nSo.\n\n## Mending it\n\n```json request\n{}\n```\n";
    let page = parse_page(text);
    assert_eq!((page.title.as_str(), page.meaning.as_str()), ("E_X", "One line."));
    assert_eq!(page.headings, SECTIONS);
    assert_eq!(page.message.as_deref(), Some("error[E_X]: y\n"));
    let model = Some("a: 1\n".to_string());
    let target = Some("flink".to_string());
    assert_eq!(page.example, Example { model: model.clone(), target: target.clone(), ..Example::default() });
    let request = Some("{}\n".to_string());
    assert_eq!(mended(&page), Example { model, request, target, schema: None });
}

#[test]
fn a_page_that_breaks_its_word_is_seen() {
    let model = "name: m\ndatasets:\n- {name: t, source: t, fields: [{name: a, expression: a}]}\n";
    let example = Example {
        model: Some(model.to_string()),
        request: Some("{\"measures\": [\"n\"]}".to_string()),
        ..Example::default()
    };
    let page = Page {
        title: "E_NAME_NOT_FOUND".to_string(),
        headings: SECTIONS.map(str::to_string).to_vec(),
        message: Some("error[E_NAME_NOT_FOUND]: something else\n".to_string()),
        example,
        ..Page::default()
    };
    let faults = faults(Code::NameNotFound, &page);
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].starts_with("the message should be\nerror[E_NAME_NOT_FOUND]: there is no metric `n`"));
    assert!(faults[1].starts_with("the mended example raises E_NAME_NOT_FOUND"));
}
