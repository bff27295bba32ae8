/** Which of the contents that a run replaced were in no commit of the user's git. */
import { createHash } from 'node:crypto';
import type { ProgramRunner } from '../host/engine-port.ts';

/** A file as it was before the run. */
export interface Replaced {
  readonly path: string;
  readonly before: Uint8Array;
}

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 4 * 1024 * 1024;
/** What does not fit a command line is not looked at; nobody reads a hundred names. */
const MOST_FILES = 100;

/** A commit may carry the time of another machine, that of a file server. */
const CLOCKS_APART_S = 600;
const RAW_CHANGE = /:\d+ \d+ ([0-9a-f]+) [0-9a-f]+ [A-Z]\0([^\0]*)\0/g;

/** Nothing of the repository is started or fetched by a mere look. */
const QUIET = ['-c', 'core.fsmonitor=false', '-c', 'core.hookspath=/dev/null'];
const ENVIRONMENT = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' };

/**
 * Names only what is certain: nothing where there is no git, no repository and no commit, and nothing of
 * files that git itself keeps in another form than they lie there (filters, encodings).
 * @param since when the run began, in ms since the epoch: it may have committed by itself
 */
export async function uncommittedIn(
  { run, outside }: ProgramRunner,
  workspace: string,
  files: readonly Replaced[],
  since: number,
): Promise<readonly string[]> {
  const asked = files.slice(0, MOST_FILES);
  const found = asked.length === 0 ? null : await outside.find('git');
  if (found?.kind !== 'found') return [];
  const git = async (args: readonly string[]): Promise<string | null> => {
    const start = {
      file: found.file,
      args: [...found.prefix, ...QUIET, '--literal-pathspecs', ...args],
      cwd: workspace,
      env: { ...outside.environment(), ...ENVIRONMENT },
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: MOST_BYTES,
    };
    const signal = new AbortController().signal;
    const outcome = await run(start, { signal, onOutput: () => {} });
    return outcome.kind === 'exited' && outcome.exitCode === 0 ? outcome.output : null;
  };
  const paths = asked.map(({ path }) => path);
  const tree = await git(['ls-tree', '-z', 'HEAD', '--', ...paths]);
  if (tree === null) return [];
  const committed = idsIn(tree);
  const changed = asked.filter(({ path, before }) => !isIn([committed.get(path)], before));
  if (changed.length === 0) return [];
  // A commit since the run began has taken the place of the one that may hold it.
  const log = await git([
    ...['log', `--since=@${Math.floor(since / 1000) - CLOCKS_APART_S}`, '--format=', '-m'],
    ...['--raw', '-z', '--no-abbrev', '--no-renames', '--', ...changed.map(({ path }) => path)],
  ]);
  if (log === null) return [];
  const replaced = idsReplaced(log);
  const other = changed.filter(({ path, before }) => !isIn(replaced.get(path) ?? [], before));
  if (other.length === 0) return [];
  const attributes = await git([
    ...['check-attr', '-z', 'filter', 'working-tree-encoding', 'ident', '--'],
    ...other.map(({ path }) => path),
  ]);
  if (attributes === null) return [];
  const converted = convertedIn(attributes);
  return other.map(({ path }) => path).filter((path) => !converted.has(path));
}

/** `100644 blob <id>\t<path>`, each ended by NUL. */
function idsIn(tree: string): ReadonlyMap<string, string> {
  const entries = tree.split('\0').flatMap((entry): [string, string][] => {
    const [, id = '', path = ''] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    return id === '' ? [] : [[path, id]];
  });
  return new Map(entries);
}

/** `:<mode> <mode> <id> <id> <status> NUL <path> NUL`, of which the first id is what was replaced. */
function idsReplaced(log: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [, id = '', path = ''] of log.matchAll(RAW_CHANGE))
    found.set(path, [...(found.get(path) ?? []), id]);
  return found;
}

/** `<path> NUL <attribute> NUL <value> NUL`. */
function convertedIn(attributes: string): ReadonlySet<string> {
  const parts = attributes.split('\0');
  const set = new Set<string>();
  for (let at = 0; at + 2 < parts.length; at += 3) {
    if (parts[at + 2] !== 'unspecified' && parts[at + 2] !== 'unset') set.add(parts[at] ?? '');
  }
  return set;
}

/** Also where git keeps the file with the line ends of Unix. */
function isIn(ids: readonly (string | undefined)[], bytes: Uint8Array): boolean {
  const plain = Buffer.from(Buffer.from(bytes).toString('latin1').replace(/\r\n/g, '\n'), 'latin1');
  return ids.some(
    (id) =>
      id !== undefined && (id === blobId(bytes, id.length) || id === blobId(plain, id.length)),
  );
}

/** @param length of an id in this repository: 40 for sha1, 64 for sha256 */
const blobId = (bytes: Uint8Array, length: number): string =>
  createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
