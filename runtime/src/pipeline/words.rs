//! A pipeline's words as a request. In: the pipeline. Out: the request, and findings about it moved to the words that they
//! are about: the request's own text was written by nobody.

use unisono_compiler::diagnostic::Diagnostic;
use unisono_compiler::query::{Request, parse_request};
use unisono_compiler::source::{SourceId, Span, Spanned};

use crate::project::Pipeline;
use crate::request::entry;

/// The text of a request that stands in no file.
const TEXT: SourceId = SourceId(u32::MAX);

/// Where a pipeline's words stand in the text of its request, and where in the project file.
pub struct Words {
    places: Vec<(Span, Span)>,
    pipeline: Span,
}

/// The request as it is written in JSON.
pub fn json(pipeline: &Pipeline) -> serde_json::Value {
    let list = |names: &[Spanned<String>]| -> Vec<serde_json::Value> {
        names.iter().map(|name| entry(&name.value)).collect()
    };
    serde_json::json!({"dimensions": list(&pipeline.dimensions), "measures": list(&pipeline.metrics)})
}

/// The request, with what is wrong with it.
pub fn request(pipeline: &Pipeline) -> (Option<Request>, Vec<Diagnostic>, Words) {
    let mut words = Words { places: Vec::new(), pipeline: pipeline.name.span };
    let mut lists: Vec<String> = Vec::new();
    let mut length = 1;
    for (key, names) in [("dimensions", &pipeline.dimensions), ("measures", &pipeline.metrics)] {
        if names.is_empty() {
            continue;
        }
        let mut list = format!("\"{key}\":[");
        for (at, name) in names.iter().enumerate() {
            if at > 0 {
                list.push(',');
            }
            let start = offset(length + list.len());
            list.push_str(&entry(&name.value).to_string());
            let end = offset(length + list.len());
            words.places.push((Span { source: TEXT, start, end }, name.span));
        }
        list.push(']');
        // A comma follows.
        length += list.len() + 1;
        lists.push(list);
    }
    let (request, findings) = parse_request(TEXT, &format!("{{{}}}", lists.join(",")));
    (request, findings, words)
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl Words {
    /// A finding about the request points at the word, else at the pipeline; one about a model stays where it is.
    pub fn place(&self, mut finding: Diagnostic) -> Diagnostic {
        finding.secondary.retain(|label| label.span.source != TEXT);
        match &mut finding.primary {
            None => finding.at(self.pipeline, ""),
            Some(label) => {
                if label.span.source == TEXT {
                    let span = label.span;
                    let is_in = |place: Span| place.start <= span.start && span.end <= place.end;
                    let word = self.places.iter().find(|(place, _)| is_in(*place));
                    label.span = word.map_or(self.pipeline, |(_, word)| *word);
                }
                finding
            }
        }
    }
}
