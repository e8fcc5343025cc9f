//! The lock of a table, which every commit of ours holds and Java's FileChannel locks respect. In: a table's folder name.
//! Out: a lock, let go when dropped or when the process ends; or who waited in vain.

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;
use tokio::time::{Instant, sleep};

use super::error::{LakeError, Place};
use super::files;

/// A held lock. One open file each: the handles of one process exclude each other too.
#[derive(Debug)]
pub struct TableLock {
    _file: File,
}

/// Waits for the lock of a table's folder (`database.table`) and gives up after `wait`. An open-file-description lock: `flock` would not
/// be seen by Java, and a plain record lock would not part two tasks of one process. Asking again and again instead of
/// blocking lets a cancelled command end at once.
pub(super) async fn acquire(
    locks: &Path,
    name: &str,
    place: &Place,
    wait: Duration,
) -> Result<TableLock, LakeError> {
    fs::create_dir_all(locks).map_err(|error| files::written(locks, error))?;
    let path = locks.join(format!("{name}.lock"));
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(&path)
        .map_err(|error| files::written(&path, error))?;
    let deadline = Instant::now() + wait;
    let mut pause = Duration::from_millis(1);
    loop {
        match fcntl(&file, FcntlArg::F_OFD_SETLK(&whole_file())) {
            Ok(_) => return Ok(TableLock { _file: file }),
            Err(Errno::EAGAIN | Errno::EACCES) => {}
            Err(error) => return Err(files::written(&path, error.into())),
        }
        if Instant::now() >= deadline {
            return Err(LakeError::TableLocked { place: place.clone(), seconds: wait.as_secs() });
        }
        sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn whole_file() -> libc::flock {
    libc::flock {
        l_type: libc::c_short::try_from(libc::F_WRLCK).unwrap_or_default(),
        l_whence: libc::c_short::try_from(libc::SEEK_SET).unwrap_or_default(),
        l_start: 0,
        l_len: 0,
        l_pid: 0,
    }
}
