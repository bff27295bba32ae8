/**
 * Restores files from the copies outside the workspace when the state of the run is lost.
 * 1. A file that is missing, or has the content that the run left, gets its earlier content back.
 * 2. A file that someone changed since stays; its earlier content is written beside it.
 * 3. After a kill at any point, calling it again does the rest. There is no journal to write to.
 */
import { createBlobStore } from '../journal/blobs/blobs.ts';
import type { Layout } from '../journal/layout.ts';
import { withStorageErrors } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { runSync } from '../lib/interruptible.ts';
import type { BeforeImageLine } from '../schema/journal/before-image-copies.ts';
import {
  copiedContents,
  type FoundCopies,
  findCopies,
  readIndex,
  writeAbout,
} from '../workspace/before-images/copy-folder.ts';
import { contentReader, manifestIfGood } from '../workspace/before-images/packs.ts';
import { bringing } from './bring.ts';
import { isMeantPath } from './named-file.ts';
import type { RestoredFile, UndoFile, UndoWrite } from './plan.ts';
import { type Previewed, previewOf, type UndoPreview } from './preview.ts';
import { reportOf, type UndoReport } from './report.ts';
import type { StepPlace } from './step.ts';

export interface CopiesPlace {
  readonly fs: FileSystem;
  /** The folder with all copies of this user. */
  readonly root: string;
  /** Absolute real path. */
  readonly workspace: string;
}

/** The latest run or conversation whose copies were not restored yet, otherwise the latest one. */
function foundIn({ fs, root, workspace }: CopiesPlace): FoundCopies | null {
  return withStorageErrors(`reading ${root}`, () => {
    const all = findCopies(fs, root, workspace);
    return all.find(({ about }) => !about.isUndone) ?? all[0] ?? null;
  });
}

export const hasCopies = (where: CopiesPlace): boolean => foundIn(where) !== null;

const NOTHING_ELSE: Omit<Previewed, 'files'> = {
  folders: [],
  foldersGone: [],
  unseen: [],
  uncovered: [],
  commands: [],
  isWatched: false,
  manifests: [],
};

/** Changes nothing. `null` if there are no copies for the folder. */
export function copiesPreview(where: CopiesPlace, only: string | undefined): UndoPreview | null {
  const found = foundIn(where);
  if (found === null) return null;
  const { title, kind, number, isUndone } = found.about;
  const goal = title === '' ? (number === null ? kind : `${kind} ${number}`) : title;
  const { files, at } = changesIn(found, where);
  const preview = previewOf({ ...NOTHING_ELSE, isWatched: true, files }, { goal, only }, at);
  const isAsBefore = isUndone || preview.isAsBefore;
  return { ...preview, isAsBefore, copiesUsed: found.place.folder };
}

/** `null` if there are no copies for the folder. Throws E_DISK_FULL, E_IO; calling it again continues. */
export function undoFromCopies(
  now: number,
  where: CopiesPlace,
  only: string | undefined,
): UndoReport | null {
  const { fs, root } = where;
  const found = foundIn(where);
  if (found === null) return null;
  return withStorageErrors(`putting files back from ${root}`, () => {
    const isDone = found.about.isUndone && only === undefined;
    const report = isDone
      ? reportOf('already_undone', [], NOTHING_ELSE)
      : restoreIn(found, where, only);
    const owner = { ...found.about.owner, since: now };
    if (only === undefined) writeAbout(fs, found.place, { ...found.about, owner, isUndone: true });
    return report;
  });
}

function restoreIn(found: FoundCopies, where: CopiesPlace, only: string | undefined): UndoReport {
  const { files, at } = changesIn(found, where);
  const done: { readonly restored: RestoredFile; readonly beside: string | undefined }[] = [];
  const paths = files.map(({ path }) => path);
  const isMeant = isMeantPath(only, paths, where.fs.platform);
  const meant = files.filter(({ path }) => isMeant(path));
  const aim = { files: meant, folders: [], foldersGone: [] };
  const place = { ...at, storeBlob: () => '' };
  const work = bringing(aim, new Set(), place, (restored, step) => {
    const beside = step.do === 'restore' && restored.skipped === '' ? step.beside : undefined;
    if (step.do !== 'nothing') done.push({ restored, beside });
  });
  runSync(work);
  const own = done.flatMap(({ restored, beside }) => (beside === undefined ? [restored] : []));
  return {
    ...reportOf(done.length > 0 ? 'undone' : 'nothing_to_undo', own, NOTHING_ELSE),
    beside: done.flatMap(({ restored: { path }, beside }) =>
      beside === undefined ? [] : [{ path, beside }],
    ),
  };
}

/** The files in order of their names, and access to their earlier contents. */
function changesIn(
  { place, about }: FoundCopies,
  { fs, workspace }: CopiesPlace,
): { readonly files: readonly UndoFile[]; readonly at: StepPlace } {
  const { lines } = readIndex(fs, place);
  const plain = copiedContents(fs, place, lines);
  const manifests = lines.flatMap((line) => (line.type === 'files_kept' ? [line.manifest] : []));
  const readBlob = contentReader(manifests, (hash) => {
    const bytes = plain(hash);
    if (bytes === null) throw Object.assign(new Error(`${hash} is gone`), { code: 'ENOENT' });
    return bytes;
  });
  const files = [...writesIn(lines, readBlob)]
    .map(([path, writes]) => ({ path, writes }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const beside = `.before-${about.kind}-${about.number ?? about.id}`;
  return { files, at: { fs, workspace, readBlob, beside } };
}

/** Stands for the content after an unobserved change; it is not a hash. */
const UNSEEN = 'unseen';

/** Every write to each file as far back as the writes connect. Only the file itself shows which of them happened. */
function writesIn(
  lines: readonly BeforeImageLine[],
  readBlob: (hash: string) => Uint8Array,
): ReadonlyMap<string, readonly UndoWrite[]> {
  const writes = new Map<string, readonly UndoWrite[]>();
  const open = new Set<string>();
  let manifest: string | null = null;
  const write = (before: string | null, after: string | null, mode: number | undefined) =>
    ({ before, after, mode, setsMode: false, isCertain: false, by: 'tool' }) as const;
  for (const line of lines) {
    switch (line.type) {
      case 'command_began':
        open.add(line.id);
        break;
      case 'command_ended':
        open.delete(line.id);
        break;
      case 'files_kept':
        manifest = line.manifest;
        break;
      case 'change': {
        const { path, before, after = UNSEEN, mode } = line;
        const earlier = writes.get(path) ?? [];
        const hangsTogether = earlier.at(-1)?.after === before;
        writes.set(path, [...(hangsTogether ? earlier : []), write(before, after, mode)]);
        break;
      }
      default:
        line satisfies never;
    }
  }
  // The end of a command is unknown: it may have changed any of the kept files.
  const kept = open.size > 0 && manifest !== null ? manifestIfGood(manifest, readBlob) : null;
  for (const { path, hash, mode } of kept?.files ?? [])
    if (!writes.has(path)) writes.set(path, [write(hash, UNSEEN, mode)]);
  return writes;
}

/** Notes that everything was restored, so that it is not offered again. */
export function markUndone({ fs, root, workspace }: CopiesPlace, id: string): void {
  const found = findCopies(fs, root, workspace).find(({ about }) => about.id === id);
  if (found !== undefined) writeAbout(fs, found.place, { ...found.about, isUndone: true });
}

/**
 * Reads a blob by its sha256, from the copies if the original is gone; throws like a blob store if neither
 * exists.
 */
export function blobReader(
  fs: FileSystem,
  { blobs }: Pick<Layout, 'blobs'>,
  where: CopiesPlace | null,
): (hash: string) => Uint8Array {
  const store = createBlobStore(fs, blobs);
  let copies: ((hash: string) => Uint8Array | null)[] | null = null;
  return (hash) => {
    try {
      return store.read(hash);
    } catch (error) {
      if (where === null) throw error;
      copies ??= findCopies(where.fs, where.root, where.workspace).map(({ place }) =>
        copiedContents(where.fs, place, readIndex(where.fs, place).lines),
      );
      for (const copy of copies) {
        const bytes = copy(hash);
        if (bytes !== null) return bytes;
      }
      throw error;
    }
  };
}
