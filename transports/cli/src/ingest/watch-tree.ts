import { systemCode } from '@service-mcp/core/wire';
import { watch } from 'chokidar';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { Failure } from '../failure.js';
import { IGNORE_FILES, NEVER_CONTENT } from './walk-folder.js';

export interface TreeEvents {
  /** A path may have changed: relative, `/`-separated; the empty one is everything. */
  readonly onChange: (path: string) => void;
  /** Other folders are to be watched: an ignore file has changed, or a watched folder was replaced. */
  readonly onFolders: () => void;
  /** Nothing more is watched. */
  readonly onFailure: (failure: Failure) => void;
}

/** The watched folders of a tree. */
export interface TreeWatch {
  /** Watches nothing in this folder any more; relative, `/`-separated. */
  leaveOut(folder: string): void;
  close(): Promise<void>;
}

/**
 * Watches the folders of a tree, without those in `leftOut` and without following symbolic links. Resolves when all
 * are watched. Only folders are watched, not each file in them: the system limits the number of watches.
 */
export async function watchTree(
  root: string,
  leftOut: Iterable<string>,
  { onChange, onFolders, onFailure }: TreeEvents,
): Promise<TreeWatch> {
  const top = await realpath(root);
  const ignored = new Set([...leftOut].map((folder) => join(top, folder)));
  const watcher = watch(top, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path, stats) =>
      ignored.has(path) || NEVER_CONTENT.has(basename(path)) || (stats !== undefined && !stats.isDirectory()),
  });
  let failed = false;
  const fail = (failure: Failure): void => {
    if (!failed) onFailure(failure);
    failed = true;
  };
  const changed = (path: string): void => {
    const parts = relative(top, path).split(sep);
    if (parts.some((part) => NEVER_CONTENT.has(part))) return;
    onChange(parts.join('/'));
    if (IGNORE_FILES.includes(basename(path))) onFolders();
  };
  watcher
    // The system's own events: of a file in a watched folder there are no others.
    .on('raw', (_event, name, details) => {
      const { watchedPath } = details as { readonly watchedPath: string }; // as chokidar documents it
      const path = name ? join(watchedPath, name) : watchedPath;
      changed(path);
      // The folder itself was moved or deleted: one that has its place since is not watched (`git stash; git stash pop`).
      if (name === basename(watchedPath) && !existsSync(path)) {
        if (existsSync(top)) onFolders();
        else fail(gone(root));
      }
    })
    // Content may have come into a new folder before it was watched.
    .on('addDir', changed)
    .on('unlinkDir', (path) => {
      if (path === top) fail(gone(root));
      else changed(path);
    });
  await new Promise<void>((resolve) => {
    watcher.on('ready', resolve).on('error', (error) => {
      const limit = LIMITS[systemCode(error) ?? ''];
      // A folder that cannot be read is in the summary.
      if (limit === undefined) return;
      fail(
        new Failure(`The system watches no more folders: ${limit.what} is reached.`, {
          next: limit.next,
          cause: error,
        }),
      );
      resolve();
    });
  });
  return {
    leaveOut(folder) {
      const path = join(top, folder);
      if (ignored.has(path)) return;
      ignored.add(path);
      watcher.unwatch(path);
    },
    close: () => watcher.close(),
  };
}

export function gone(root: string, cause?: unknown): Failure {
  return new Failure(`${root} was deleted or moved away.`, {
    next: 'Run ingest on the folder where it is now.',
    cause,
  });
}

const LIMITS: Readonly<Record<string, { readonly what: string; readonly next: string }>> = {
  ENOSPC: {
    what: 'the limit of inotify watches (ENOSPC)',
    next: 'Raise it: sudo sysctl fs.inotify.max_user_watches=524288   or leave folders out with --exclude.',
  },
  EMFILE: {
    what: 'the limit of open files or inotify instances (EMFILE)',
    next: 'Raise it: sudo sysctl fs.inotify.max_user_instances=512   or: ulimit -n 65536',
  },
};
