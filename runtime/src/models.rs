//! The models that a command works on: files that were named, or those of the project.
//! In: paths and the project file. Out: documents with their texts, and the one model that is meant.

use std::fs;
use std::path::{Path, PathBuf};

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::source::{SourceId, Spanned};
use unisono_compiler::syntax::Document;
use unisono_compiler::syntax::document::SemanticModel;
use unisono_compiler::syntax::parse_document;

use crate::flags::ModelFlags;
use crate::load::read_text;
use crate::output::Run;
use crate::project::{self, Project};

/// How model files end.
const ENDINGS: [&str; 3] = [".yaml", ".yml", ".json"];

/// A project that was found.
pub struct Found {
    /// What its file says.
    pub project: Project,
    /// The file.
    pub path: PathBuf,
    /// The directory that its paths are relative to.
    pub directory: PathBuf,
}

/// A model file.
pub struct ModelFile {
    /// As messages show it.
    pub path: PathBuf,
    /// Its text.
    pub source: SourceId,
    /// What it holds, if it could be read.
    pub document: Option<Document>,
}

/// The project of `--project`, else of the nearest file upward; `None` if there is none or it has errors.
pub fn find_project(run: &mut Run, named: Option<&Path>) -> Option<Found> {
    let path = match named {
        Some(path) => path.to_path_buf(),
        None => shorten(&project::discover(&std::env::current_dir().ok()?)?),
    };
    let text = run.check(read_text(&path, "project file", &[project::FILE_NAME]))?;
    let source = run.sources.add(path.display().to_string(), text.as_str());
    let project = run.stage(project::read_project(source, &text))?;
    let directory = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    Some(Found { project, path, directory })
}

/// The project, or the finding that there is none.
pub fn need_project(run: &mut Run, named: Option<&Path>) -> Option<Found> {
    let before = run.diagnostics.len();
    let found = find_project(run, named);
    if found.is_none() && run.diagnostics.len() == before {
        let message = format!("no {} stands in this directory or above it", project::FILE_NAME);
        run.diagnostics.push(
            Diagnostic::new(Code::ProjectNotFound, message)
                .help("run it inside a project, or name the file with --project"),
        );
    }
    found
}

/// Reads model files; a file with errors has no document.
pub fn read_models(run: &mut Run, paths: &[PathBuf]) -> Vec<ModelFile> {
    let mut files = Vec::new();
    for path in paths {
        let Some(text) = run.check(read_text(path, "model", &ENDINGS)) else { continue };
        let source = run.sources.add(path.display().to_string(), text.as_str());
        let document = run.stage(parse_document(source, &text));
        files.push(ModelFile { path: path.clone(), source, document });
    }
    files
}

/// The model files of a project, sorted by pattern and then by path; a pattern that matches nothing is a finding.
pub fn project_models(run: &mut Run, found: &Found) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = Vec::new();
    if found.project.models.is_empty() {
        let message = format!("`{}` names no models", found.path.display());
        run.diagnostics.push(
            Diagnostic::new(Code::FileUnreadable, message)
                .about("models")
                .help("add `models: [models/*.yaml]`"),
        );
    }
    for pattern in &found.project.models {
        let matched = run.check(expand(&found.directory, pattern)).unwrap_or_default();
        for path in matched {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    paths
}

/// The model files below a directory: YAML files, hidden directories and `target` left out, the project file too.
pub fn directory_models(run: &mut Run, directory: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    collect(directory, &mut paths);
    if paths.is_empty() {
        let message = format!("the directory `{}` holds no YAML file", directory.display());
        run.diagnostics.push(Diagnostic::new(Code::FileUnreadable, message).help("name a model file"));
    }
    paths
}

/// The one model that flags mean, with the project's rules where no file was named.
pub fn open_model(
    run: &mut Run,
    flags: &ModelFlags,
    project: Option<&Path>,
) -> Option<(SemanticModel, Option<Found>)> {
    if !flags.models.is_empty() {
        let found = match project {
            Some(path) => Some(find_project(run, Some(path))?),
            None => None,
        };
        return Some((choose(run, &flags.models, flags.name.as_deref())?, found));
    }
    let before = run.diagnostics.len();
    let found = find_project(run, project);
    let Some(found) = found else {
        if run.diagnostics.len() == before {
            run.diagnostics.push(
                Diagnostic::new(Code::Usage, "no model is named and no project is found")
                    .help("name a model with --model FILE, or run it below a unisono.yaml"),
            );
        }
        return None;
    };
    let paths = project_models(run, &found);
    Some((choose(run, &paths, flags.name.as_deref())?, Some(found)))
}

/// The model of that name, or the only one.
fn choose(run: &mut Run, paths: &[PathBuf], name: Option<&str>) -> Option<SemanticModel> {
    let before = run.diagnostics.len();
    let files = read_models(run, paths);
    run.check_since(before)?;
    let mut models: Vec<SemanticModel> =
        files.into_iter().filter_map(|file| file.document).flat_map(|document| document.models).collect();
    let names: Vec<String> = models.iter().map(|model| model.name.value.clone()).collect();
    let position = match name {
        Some(name) => names.iter().position(|known| known.eq_ignore_ascii_case(name)),
        None if models.len() == 1 => Some(0),
        None => None,
    };
    if position.is_none() && !models.is_empty() {
        run.diagnostics.push(match name {
            Some(name) => Diagnostic::new(Code::NameNotFound, format!("no model is called `{name}`"))
                .suggest(name, names.iter().map(String::as_str))
                .help(format!("models: {}", names.join(", "))),
            None => Diagnostic::new(Code::Usage, format!("{} models are read, one is needed", models.len()))
                .help(format!("choose with --name: {}", names.join(", "))),
        });
    }
    position.map(|at| models.swap_remove(at))
}

fn expand(directory: &Path, pattern: &Spanned<String>) -> Result<Vec<PathBuf>, Vec<Diagnostic>> {
    let full = directory.join(&pattern.value);
    let wrong = |message: String| {
        vec![Diagnostic::new(Code::FileUnreadable, message).at(pattern.span, "").about("models")]
    };
    let Some(text) = full.to_str() else {
        return Err(wrong(format!("`{}` is no Unicode text", full.display())));
    };
    let paths = glob::glob(text)
        .map_err(|error| wrong(format!("`{}` is no pattern: {}", pattern.value, error.msg)))?;
    let mut found = Vec::new();
    for path in paths {
        let path = path.map_err(|error| wrong(error.to_string()))?;
        if path.is_dir() {
            collect(&path, &mut found);
        } else {
            found.push(path);
        }
    }
    if found.is_empty() {
        return Err(wrong(format!("no model file matches `{}`", pattern.value)));
    }
    Ok(found)
}

fn collect(directory: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    inside.sort();
    for path in inside {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with('.') || name == project::FILE_NAME {
            continue;
        }
        if path.is_dir() {
            if name != "target" {
                collect(&path, paths);
            }
        } else if path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml") {
            paths.push(path);
        }
    }
}

/// Relative to the working directory where that is shorter: messages and artefacts must not hold absolute paths.
fn shorten(path: &Path) -> PathBuf {
    let Ok(here) = std::env::current_dir() else { return path.to_path_buf() };
    if let Ok(below) = path.strip_prefix(&here) {
        return below.to_path_buf();
    }
    let directory = path.parent().unwrap_or_else(|| Path::new(""));
    match here.strip_prefix(directory) {
        Ok(deeper) => {
            let mut short: PathBuf = deeper.components().map(|_| "..").collect();
            short.extend(path.file_name());
            short
        }
        Err(_) => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_searched_in_order_without_hidden_ones() {
        let root = std::env::temp_dir().join(format!("unisono-models-{}", std::process::id()));
        for file in ["b.yaml", "a/x.yml", ".git/c.yaml", "target/t.yaml", "unisono.yaml", "a/data.json"] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let mut run = Run::default();
        assert_eq!(directory_models(&mut run, &root), [root.join("a/x.yml"), root.join("b.yaml")]);
        fs::remove_dir_all(&root).unwrap();
        assert!(directory_models(&mut run, &root).is_empty());
        assert_eq!(run.diagnostics[0].code, Code::FileUnreadable);
    }

    #[test]
    fn without_model_and_project_the_help_says_both_ways() {
        let mut run = Run::default();
        let flags = ModelFlags { models: Vec::new(), name: None };
        assert!(open_model(&mut run, &flags, Some(Path::new("no/unisono.yaml"))).is_none());
        assert_eq!(run.diagnostics[0].code, Code::FileUnreadable);
    }
}
