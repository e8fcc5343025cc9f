//! `init`: the files of a new project that works at once. In: a directory. Out: a project file, a model, small data, and a script
//! for CI. Nothing is overwritten: a file that is there already is an error, and then nothing is written at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use unisono_compiler::diagnostic::{Code, Diagnostic};

use crate::flags::Init;
use crate::output::{Outcome, Run, Style};
use crate::project::FILE_NAME;

/// A file of the new project.
struct Template {
    path: &'static str,
    text: &'static str,
    /// The bits that the file's mode may have; the process's mask takes some away.
    mode: u32,
}

const fn plain(path: &'static str, text: &'static str) -> Template {
    Template { path, text, mode: 0o666 }
}

const FILES: [Template; 6] = [
    plain(FILE_NAME, include_str!("init/unisono.yaml")),
    plain("models/shop.yaml", include_str!("init/model.yaml")),
    plain("data/customers.csv", include_str!("init/customers.csv")),
    plain("data/orders.csv", include_str!("init/orders.csv")),
    plain(".gitignore", include_str!("init/gitignore")),
    Template { path: "ci/unisono.sh", text: include_str!("init/unisono.sh"), mode: 0o777 },
];

pub(super) fn run(verb: &Init) -> Outcome {
    let mut run = Run::default();
    let folder = verb.dir.as_deref().unwrap_or_else(|| Path::new(""));
    let result = run.check(create(folder)).map(|paths| report(&mut run, folder, &paths));
    run.finish(Style::Human, result)
}

fn report(run: &mut Run, folder: &Path, paths: &[String]) -> (String, Value) {
    let step = if folder.as_os_str().is_empty() || folder == Path::new(".") {
        String::new()
    } else {
        format!("cd '{}' && ", folder.display())
    };
    run.notes.push(format!(
        "ask for a metric: {step}unisono query --data data --metrics revenue,order_count --by customers.region"
    ));
    let lines: Vec<String> = paths.iter().map(|path| format!("written   {path}\n")).collect();
    (lines.concat(), json!({ "files": paths }))
}

/// Writes all files or none; their paths.
fn create(folder: &Path) -> Result<Vec<String>, Vec<Diagnostic>> {
    let there: Vec<Diagnostic> = FILES
        .iter()
        .map(|template| folder.join(template.path))
        // A link that leads nowhere is there too.
        .filter(|path| path.symlink_metadata().is_ok())
        .map(|path| {
            Diagnostic::new(Code::FileUnwritable, format!("`{}` exists already", path.display()))
                .help("`init` overwrites nothing: name an empty directory, or move the file away")
        })
        .collect();
    if !there.is_empty() {
        return Err(there);
    }
    let mut made = Made::default();
    for template in &FILES {
        let path = folder.join(template.path);
        if let Err(error) = made.write(&path, template) {
            made.undo();
            let message = format!("`{}` cannot be written: {error}", path.display());
            return Err(vec![Diagnostic::new(Code::FileUnwritable, message)]);
        }
    }
    Ok(made.files.iter().map(|path| path.display().to_string()).collect())
}

/// What was made so far.
#[derive(Default)]
struct Made {
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Made {
    fn write(&mut self, path: &Path, template: &Template) -> io::Result<()> {
        if let Some(parent) = path.parent() {
            self.folder(parent)?;
        }
        // Whoever was faster since the look must not lose a file either.
        let mut file = OpenOptions::new().write(true).create_new(true).mode(template.mode).open(path)?;
        self.files.push(path.to_path_buf());
        file.write_all(template.text.as_bytes())
    }

    fn folder(&mut self, path: &Path) -> io::Result<()> {
        if path.as_os_str().is_empty() || path.is_dir() {
            return Ok(());
        }
        if let Some(parent) = path.parent() {
            self.folder(parent)?;
        }
        fs::create_dir(path)?;
        self.folders.push(path.to_path_buf());
        Ok(())
    }

    /// Removes what was made, as far as that is possible: the first error is the one to tell.
    fn undo(&self) {
        for path in self.files.iter().rev() {
            let _ = fs::remove_file(path);
        }
        for path in self.folders.iter().rev() {
            let _ = fs::remove_dir(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use unisono_compiler::catalog::Catalog;
    use unisono_compiler::diagnostic::has_errors;
    use unisono_compiler::resolve::{object_diagnostics, resolve_model};
    use unisono_compiler::source::SourceMap;
    use unisono_compiler::syntax::parse_document;

    use super::*;
    use crate::compile::add_types;
    use crate::output::Exit;
    use crate::project::read_project;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("unisono-init-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    #[test]
    fn a_new_folder_gets_all_files() {
        let root = folder("new").join("deeper");
        let outcome = run(&Init { dir: Some(root.clone()) });
        assert_eq!(outcome.exit, Exit::Good);
        for template in &FILES {
            assert_eq!(fs::read_to_string(root.join(template.path)).unwrap(), template.text);
        }
        let mode = |path: &str| fs::metadata(root.join(path)).unwrap().permissions().mode() & 0o100;
        assert_eq!((mode("ci/unisono.sh"), mode("unisono.yaml")), (0o100, 0));
        fs::remove_dir_all(root.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_file_that_is_there_stays_and_nothing_else_is_written() {
        let root = folder("there");
        fs::create_dir_all(root.join("models")).unwrap();
        fs::write(root.join("models/shop.yaml"), "mine").unwrap();
        let outcome = run(&Init { dir: Some(root.clone()) });
        assert_eq!(outcome.exit, Exit::Refused);
        assert_eq!(outcome.diagnostics.len(), 1);
        assert!(outcome.diagnostics[0].message.contains("models/shop.yaml"));
        assert_eq!(fs::read_to_string(root.join("models/shop.yaml")).unwrap(), "mine");
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let root = folder("half");
        fs::create_dir_all(&root).unwrap();
        // Nothing can be written below a file.
        fs::write(root.join("data"), "").unwrap();
        let outcome = run(&Init { dir: Some(root.clone()) });
        assert_eq!(outcome.exit, Exit::Refused);
        assert_eq!(outcome.diagnostics[0].code, Code::FileUnwritable);
        let left: Vec<_> = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["data"]);
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn the_files_fit_each_other() {
        let text = |path: &str| FILES.iter().find(|template| template.path == path).unwrap().text;
        let mut sources = SourceMap::default();
        let (project, findings) = read_project(sources.add(FILE_NAME, text(FILE_NAME)), text(FILE_NAME));
        assert!(findings.is_empty(), "{findings:?}");
        let project = project.unwrap();
        let mut catalog = Catalog::default();
        assert!(!has_errors(&add_types(&mut catalog, &project.types)));
        let model = text("models/shop.yaml");
        let (document, findings) = parse_document(sources.add("shop.yaml", model), model);
        assert!(findings.is_empty(), "{findings:?}");
        let (resolved, findings) = resolve_model(&document.unwrap().models[0], &catalog, "");
        assert!(findings.is_empty(), "{findings:?}");
        assert!(object_diagnostics(&resolved.unwrap()).is_empty());
        let script = text("ci/unisono.sh");
        for pipeline in &project.pipelines {
            assert!(script.contains(&format!("pipeline run {}\n", pipeline.name.value)));
        }
        for table in &catalog.tables {
            let name = table.name.join(".");
            assert!(script.contains(&format!("load {name} data/{}.csv", table.name[1])), "{name}");
        }
    }
}
