/** The location of copies of the user's files outside the workspace, and reading them. */
import { CHAIN_START, decodeLine } from '../../journal/lines/framing.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  errorCode,
  fileKindAt,
  readFileIfPresent,
  replaceLocked,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { readFileAs } from '../../lib/files/json-file.ts';
import { sha256 } from '../../lib/sha256.ts';
import { BeforeImageLine, BeforeImageOwner } from '../../schema/journal/before-image-copies.ts';

/** The copies of one run or conversation. */
export interface CopyFolder {
  readonly folder: string;
  readonly index: string;
  readonly about: string;
  /** The folder of contents too large for a line, each named by its sha256. */
  readonly contents: string;
}

/**
 * @param root of all copies of this user
 * @param workspace absolute real path
 */
export function copiesFolderOf(fs: FileSystem, root: string, workspace: string): string {
  const name = sha256(workspace).slice(0, 32);
  return pathsOf(fs.platform).join(root, name);
}

export function copyFolderIn(fs: FileSystem, folder: string): CopyFolder {
  const at = (name: string): string => pathsOf(fs.platform).join(folder, name);
  return { folder, index: at('index.jsonl'), about: at('about.json'), contents: at('contents') };
}

export const copyFolderOf = (
  fs: FileSystem,
  root: string,
  { workspace, id }: Pick<BeforeImageOwner, 'workspace' | 'id'>,
): CopyFolder =>
  copyFolderIn(fs, pathsOf(fs.platform).join(copiesFolderOf(fs, root, workspace), id));

export interface CopyIndex {
  readonly lines: readonly BeforeImageLine[];
  /** Bytes up to the end of the last complete line, and its checksum. */
  readonly end: number;
  readonly checksum: number;
}

/** A crash leaves an incomplete last line: it is skipped, with everything after it. */
export function readIndex(fs: FileSystem, { index }: Pick<CopyFolder, 'index'>): CopyIndex {
  const bytes = readFileIfPresent(fs, index) ?? Buffer.alloc(0);
  const lines: BeforeImageLine[] = [];
  let end = 0;
  let checksum = CHAIN_START;
  for (let newline = bytes.indexOf(0x0a); newline >= 0; newline = bytes.indexOf(0x0a, end)) {
    const decoded = decodeLine(bytes.subarray(end, newline), checksum);
    if (!decoded.ok) break;
    const parsed = BeforeImageLine.safeParse(decoded.value);
    // A line of a newer build is skipped.
    if (parsed.success) lines.push(parsed.data);
    end = newline + 1;
    checksum = decoded.checksum;
  }
  return { lines, end, checksum };
}

/** `null` if none can be read. */
export function readAbout(
  fs: FileSystem,
  { about }: Pick<CopyFolder, 'about'>,
): BeforeImageOwner | null {
  return readFileAs(fs, about, BeforeImageOwner);
}

export function writeAbout(fs: FileSystem, { about }: CopyFolder, facts: BeforeImageOwner): void {
  const bytes = Buffer.from(`${JSON.stringify(facts, null, 2)}\n`);
  replaceLocked(fs, about, bytes, { isSynced: false });
}

/** Reads contents by their sha256, from the index or from the files beside it; `null` if the content is gone. */
export function copiedContents(
  fs: FileSystem,
  place: CopyFolder,
  lines: readonly BeforeImageLine[],
): (hash: string) => Uint8Array | null {
  const inline = new Map(
    lines.flatMap((line): [string, string][] =>
      line.type === 'change' && line.before !== null && line.content !== undefined
        ? [[line.before, line.content]]
        : [],
    ),
  );
  return (hash) => {
    const text = inline.get(hash);
    const file = pathsOf(fs.platform).join(place.contents, hash);
    const bytes = text === undefined ? fileIfReadable(fs, file) : Buffer.from(text, 'base64');
    return bytes !== null && sha256(bytes) === hash ? bytes : null;
  };
}

function fileIfReadable(fs: FileSystem, file: string): Uint8Array | null {
  try {
    return readFileIfPresent(fs, file);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return null;
  }
}

export interface FoundCopies {
  readonly place: CopyFolder;
  readonly about: BeforeImageOwner;
  /** When it was last written to, ms since 1970. */
  readonly lastAt: number;
}

/** The copies of a workspace by run and conversation, the latest written to first. */
export function findCopies(
  fs: FileSystem,
  root: string,
  workspace: string,
): readonly FoundCopies[] {
  const folder = copiesFolderOf(fs, root, workspace);
  if (fileKindAt(fs, folder) !== 'directory') return [];
  const found = fs.readdir(folder).flatMap((name): FoundCopies[] => {
    const place = copyFolderIn(fs, pathsOf(fs.platform).join(folder, name));
    const about = readAbout(fs, place);
    // Copies under another folder's name are ignored.
    if (about === null || about.workspace !== workspace) return [];
    return fileKindAt(fs, place.index) === 'file'
      ? [{ place, about, lastAt: fs.stat(place.index).mtimeMs }]
      : [];
  });
  return found.sort((one, other) => other.lastAt - one.lastAt);
}
