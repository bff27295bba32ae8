/** Where copies of the user's files lie outside of the workspace, and reading them. */
import { createHash } from 'node:crypto';
import { CHAIN_START, decodeLine } from '../../journal/framing.ts';
import { errorCode, kindOf, readFileIfPresent, replaceUnsynced } from '../../lib/durable-files.ts';
import type { FileSystem } from '../../lib/file-system.ts';
import { KeptAbout, KeptLine } from '../../schema/kept-copy.ts';
import { sha256 } from '../files.ts';
import { pathsOf } from '../jail.ts';

/** The copies of one run or conversation. */
export interface KeptPlace {
  readonly folder: string;
  readonly index: string;
  readonly about: string;
  /** Contents that are too large for a line, each named by its sha256. */
  readonly contents: string;
}

/** @param root of all copies of this user @param workspace absolute real path */
export function keptFolderOf(fs: FileSystem, root: string, workspace: string): string {
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 32);
  return pathsOf(fs.platform).join(root, name);
}

export function keptPlaceIn(fs: FileSystem, folder: string): KeptPlace {
  const at = (name: string): string => pathsOf(fs.platform).join(folder, name);
  return { folder, index: at('index.jsonl'), about: at('about.json'), contents: at('contents') };
}

export const keptPlaceOf = (
  fs: FileSystem,
  root: string,
  { workspace, id }: Pick<KeptAbout, 'workspace' | 'id'>,
): KeptPlace => keptPlaceIn(fs, pathsOf(fs.platform).join(keptFolderOf(fs, root, workspace), id));

export interface KeptIndex {
  readonly lines: readonly KeptLine[];
  /** Bytes up to the end of the last whole line, and its checksum. */
  readonly end: number;
  readonly checksum: number;
}

/** A crash leaves a last line that is not whole: it is passed over, with all behind it. */
export function readIndex(fs: FileSystem, { index }: Pick<KeptPlace, 'index'>): KeptIndex {
  const bytes = readFileIfPresent(fs, index) ?? Buffer.alloc(0);
  const lines: KeptLine[] = [];
  let end = 0;
  let checksum = CHAIN_START;
  for (let newline = bytes.indexOf(0x0a); newline >= 0; newline = bytes.indexOf(0x0a, end)) {
    const decoded = decodeLine(bytes.subarray(end, newline), checksum);
    if (!decoded.ok) break;
    const parsed = KeptLine.safeParse(decoded.value);
    // One of a newer build is passed over.
    if (parsed.success) lines.push(parsed.data);
    end = newline + 1;
    checksum = decoded.checksum;
  }
  return { lines, end, checksum };
}

/** `null` where none can be read. */
export function readAbout(fs: FileSystem, { about }: Pick<KeptPlace, 'about'>): KeptAbout | null {
  try {
    const text = readFileIfPresent(fs, about)?.toString('utf8') ?? '';
    return KeptAbout.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== '') return null;
    throw error;
  }
}

export function writeAbout(fs: FileSystem, { about }: KeptPlace, facts: KeptAbout): void {
  replaceUnsynced(fs, about, Buffer.from(`${JSON.stringify(facts, null, 2)}\n`));
}

/** Reads contents by their sha256: out of the index, else out of the files beside it; `null` where it is gone. */
export function keptContents(
  fs: FileSystem,
  place: KeptPlace,
  lines: readonly KeptLine[],
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

export interface KeptFound {
  readonly place: KeptPlace;
  readonly about: KeptAbout;
  /** When it was written to last, ms since 1970. */
  readonly lastAt: number;
}

/** What is kept of a workspace, by run and conversation, the one written to last first. */
export function findKept(fs: FileSystem, root: string, workspace: string): readonly KeptFound[] {
  const folder = keptFolderOf(fs, root, workspace);
  if (kindOf(fs, folder) !== 'directory') return [];
  const found = fs.readdir(folder).flatMap((name): KeptFound[] => {
    const place = keptPlaceIn(fs, pathsOf(fs.platform).join(folder, name));
    const about = readAbout(fs, place);
    // What lies under another folder's name is nobody's.
    if (about === null || about.workspace !== workspace) return [];
    return kindOf(fs, place.index) === 'file'
      ? [{ place, about, lastAt: fs.stat(place.index).mtimeMs }]
      : [];
  });
  return found.sort((one, other) => other.lastAt - one.lastAt);
}
