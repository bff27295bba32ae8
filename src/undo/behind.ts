/** Files that come back only after other files of the plan are removed. */
import type { FileSystem } from '../lib/files/file-system.ts';
import { infoOf } from '../workspace/files.ts';
import { pathsOf, resolveInWorkspace } from '../workspace/jail.ts';
import { entriesOf } from '../workspace/walk.ts';
import { type FolderPlace, placeOf } from './folders.ts';
import { targetFor, type UndoFile } from './plan.ts';
import { type Step, type StepPlace, stepFor } from './step.ts';

/**
 * The step for a file in whose place the run put others that are removed first: a file in place of its folder, a
 * folder in its own place, or the same name in another case on a disk where both are one. `null`: nothing is in
 * its way, or not all of it goes.
 */
export function behindFile(file: UndoFile, files: readonly UndoFile[], at: StepPlace): Step | null {
  const { path } = file;
  const isGoing = (other: UndoFile): boolean => {
    const step = stepFor(other, at);
    return step.do === 'restore' && step.hash === null;
  };
  const place = placeOf(path, at);
  if (place === null) {
    const spelled = spellingOf(path, at);
    const inTheWay = files.find(
      (other) => other.path === spelled || path.startsWith(`${other.path}/`),
    );
    if (inTheWay === undefined || !isGoing(inTheWay)) return null;
  } else {
    if (infoOf(at.fs, place)?.kind !== 'directory') return null;
    const below = files.filter((other) => other.path.startsWith(`${path}/`) && isGoing(other));
    const going = new Set(below.map((other) => other.path));
    if (below.length === 0 || !isEmptied(at.fs, place, path, going)) return null;
  }
  const { kind, hash, mode } = targetFor(file, null);
  return kind === 'restore' ? { do: 'restore', path, current: null, hash, mode } : null;
}

/** How the disk spells a path that it finds in another case; `null`: the path leads elsewhere, or nowhere. */
function spellingOf(path: string, { fs, workspace }: FolderPlace): string | null {
  const found = resolveInWorkspace(fs, workspace, path, { platform: fs.platform, forWrite: true });
  return found.kind === 'inside' && folded(found.relative) === folded(path) ? found.relative : null;
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase();

/** True if nothing is left in the folder once these files are removed. */
const isEmptied = (
  fs: FileSystem,
  folder: string,
  path: string,
  going: ReadonlySet<string>,
): boolean =>
  [...entriesOf(fs, folder)].every(({ path: name, info }) =>
    info.kind === 'directory'
      ? isEmptied(fs, pathsOf(fs.platform).join(folder, name), `${path}/${name}`, going)
      : going.has(`${path}/${name}`),
  );
