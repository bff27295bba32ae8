/**
 * The key that shows which runs this user's agent began: 32 random bytes in the user's data folder.
 *
 * 1. It is created once and appears whole: if two processes create it at once, one wins and both read that key.
 * 2. An existing key is never replaced; a damaged one is reported, since everything it signed depends on it.
 * 3. Looking at a folder creates no key.
 */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { claimFile } from '../../lib/files/claim-file.ts';
import {
  blockFor,
  ensureDirectory,
  errorCode,
  fileKindAt,
  orMissing,
  readRange,
  syncDirectory,
  TEMPORARY_SUFFIX,
  type Wait,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { withFile } from '../../lib/files/with-file.ts';
import { KEY_BYTES } from '../../lib/mac.ts';

export const ORIGIN_KEY_FILE = 'origin.key';

export type KeyReading =
  | { readonly kind: 'ok'; readonly key: Uint8Array }
  | { readonly kind: 'absent' }
  /** `why` is a whole sentence. */
  | { readonly kind: 'unusable'; readonly why: string };

export interface OriginKeys {
  /** Reads it and changes nothing. */
  find(): KeyReading;
  /** Finds the key, or creates one; never `absent`. */
  findOrMake(): Exclude<KeyReading, { kind: 'absent' }>;
}

export interface KeyPlace {
  readonly fs: FileSystem;
  /** Absolute; created if missing. */
  readonly dataFolder: string;
  random(bytes: number): Uint8Array;
  readonly wait?: Wait;
}

export function originKeys({ fs, dataFolder, random, wait = blockFor }: KeyPlace): OriginKeys {
  const path = pathsOf(fs.platform).join(dataFolder, ORIGIN_KEY_FILE);
  const find = (): KeyReading => {
    try {
      return readKey(fs, path);
    } catch (error) {
      return { kind: 'unusable', why: `${path} cannot be read (${reasonOf(error)}).` };
    }
  };
  return {
    find,
    findOrMake: () => {
      const found = find();
      if (found.kind !== 'absent') return found;
      try {
        ensureDirectory(fs, dataFolder);
        makeKey(fs, path, random);
      } catch (error) {
        const why = `${dataFolder} cannot be written to (${reasonOf(error)}).`;
        return { kind: 'unusable', why };
      }
      const made = settled(find, wait);
      return made.kind === 'absent' ? { kind: 'unusable', why: `${path} is gone again.` } : made;
    },
  };
}

const LONGEST_WRITE_MS = 500;

/** Waits for a whole key: on a file system without links the file can be seen half written. */
function settled(find: () => KeyReading, wait: Wait): KeyReading {
  let found = find();
  for (let waited = 0; found.kind === 'unusable' && waited < LONGEST_WRITE_MS; waited += 10) {
    wait(10);
    found = find();
  }
  return found;
}

const reasonOf = (error: unknown): string => errorCode(error) || 'unknown error';

function readKey(fs: FileSystem, path: string): KeyReading {
  const kind = fileKindAt(fs, path);
  if (kind !== null && kind !== 'file') return { kind: 'unusable', why: `${path} is not a file.` };
  const key = orMissing(() => withFile(fs, path, (fd) => readRange(fs, fd, 0, KEY_BYTES + 1)));
  if (key === null) return { kind: 'absent' };
  if (key.length === KEY_BYTES) return { kind: 'ok', key };
  return {
    kind: 'unusable',
    why: `${path} is not a key of ${KEY_BYTES} bytes. Moved away, it is made anew.`,
  };
}

function makeKey(fs: FileSystem, path: string, random: KeyPlace['random']): void {
  const mark = Buffer.from(random(8)).toString('hex');
  const temporary = `${path}.${mark}${TEMPORARY_SUFFIX}`;
  claimFile(fs, temporary, path, random(KEY_BYTES), { isSynced: true });
  syncDirectory(fs, pathsOf(fs.platform).dirname(path));
}
