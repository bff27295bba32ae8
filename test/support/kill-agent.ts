/** The built agent as a process of its own, in a folder and a home of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { JournalTail, journalPath } from '../../src/cli/journal-tail.ts';
import type { Stamped } from '../../src/schema/records.ts';
import { COMPILED } from './compiled.ts';
import { copiedProgram } from './copied-build.ts';
import { SEEDS } from './kill-programs.ts';

export interface PinnedAgent {
  readonly bin: string;
  /** Of its own. */
  readonly folder: string;
  /** Loaded before it: ends the process in the instant a record is written. */
  readonly failpoint: string;
  dispose(): void;
}

/** The same build as another version; the program to start it. */
export function nextVersionOf({ bin, folder }: PinnedAgent): string {
  cpSync(dirname(bin), join(folder, 'next'), { recursive: true });
  const next = join(folder, 'next', basename(bin));
  const text = readFileSync(next, 'utf8');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  writeFileSync(next, text.replaceAll(`"${version}"`, `"${NEXT_VERSION}"`));
  return next;
}

export const NEXT_VERSION = '0.99.0';

/** A copy of the build that stays the same however long a matrix takes; built first if it is old. */
export function pinAgent(): PinnedAgent {
  if (!existsSync('dist/bin.cjs') || newest('src') > newest('dist'))
    execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'pipe' });
  const folder = mkdtempSync(join(tmpdir(), 'tardigrade-kill-agent-'));
  const failpoint = join(folder, 'failpoint.mjs');
  writeFileSync(failpoint, FAILPOINT);
  return {
    ...{ bin: copiedProgram(), folder },
    failpoint: pathToFileURL(failpoint).href,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The first record comes into being with its file, by a rename; every other one by its write. */
const FAILPOINT = `import fs from 'node:fs';
const seq = Number(process.env.TEST_DIE_AFTER_SEQ);
const subtask = process.env.TEST_DIE_IN;
const { openSync, readFileSync, renameSync, writeSync } = fs;
const paths = new Map();
const die = () => process.kill(process.pid, 'SIGKILL');
const isMeant = (path = '') => {
  if (subtask === undefined) return true;
  const [before, child] = path.split(/[\\\\/]children[\\\\/]/);
  if (child === undefined) return subtask === '';
  const id = child.split(/[\\\\/]/)[0];
  const parent = readFileSync(before + '/history.jsonl', 'utf8');
  return parent.includes('"subtask":"' + subtask + '","child":"' + id + '"');
};
fs.openSync = (path, ...rest) => {
  const fd = openSync(path, ...rest);
  paths.set(fd, String(path));
  return fd;
};
fs.writeSync = (fd, bytes, ...rest) => {
  const written = writeSync(fd, bytes, ...rest);
  const isRecord = Buffer.from(bytes).subarray(0, 32).toString().startsWith(\`{"seq":\${seq},\`);
  if (isRecord && seq > 1 && isMeant(paths.get(fd))) die();
  return written;
};
fs.renameSync = (from, to) => {
  renameSync(from, to);
  if (seq === 1 && String(to).endsWith('history.jsonl') && isMeant(String(to))) die();
};
`;

const newest = (folder: string): number =>
  Math.max(
    0,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );

/** A workspace and, outside it, the home folder that the witness lies in. */
export interface Place {
  readonly workspace: string;
  readonly home: string;
  dispose(): void;
}

export function newPlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tardigrade-kill-')));
  const workspace = join(root, 'workspace');
  const home = join(root, 'home');
  for (const folder of [workspace, home]) mkdirSync(folder);
  for (const [name, text] of Object.entries(SEEDS)) writeFileSync(join(workspace, name), text);
  const dispose = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  return { workspace, home, dispose };
}

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];

export const witnessOf = ({ home }: Place): readonly string[] => linesOf(join(home, 'witness.log'));

export const pidsOf = ({ home }: Place): readonly number[] =>
  linesOf(join(home, 'pids')).map(Number);

export interface JournalView {
  readonly lines: readonly string[];
  readonly records: readonly Stamped[];
}

/** The whole lines there are; a torn last one is nothing yet. */
export const journalOf = ({ workspace }: Place): JournalView =>
  journalAt(talkPath(workspace) ?? journalPath(workspace));

export function journalAt(path: string): JournalView {
  const all = new JournalTail(path).read();
  return {
    lines: all.map(({ text }) => text),
    records: all.flatMap(({ record }) => (record ? [record] : [])),
  };
}

/** The journal of the conversation, where there is one. */
function talkPath(workspace: string): string | null {
  const sessions = join(workspace, '.agent_context', 'sessions');
  const ids = existsSync(sessions) ? readdirSync(sessions) : [];
  return ids.map((id) => join(sessions, id, 'history.jsonl')).find(existsSync) ?? null;
}

export interface Started {
  readonly child: ChildProcess;
  /** Its exit code, `null` when a signal ended it, and what it said. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

/** Longer than any of these runs; a process that takes it hangs. */
const HANGS_MS = 120_000;

/** @param dieIn the journal of which subtask is meant; '': of the run itself; left out: any */
export function startAgent(
  { bin, failpoint }: PinnedAgent,
  { workspace, home }: Place,
  words: readonly string[],
  dieAfterSeq: number | null,
  dieIn?: string,
): Started {
  const preload = dieAfterSeq === null ? [] : ['--import', failpoint];
  const child = spawn(process.execPath, [...preload, bin, ...words, '--workspace', workspace], {
    cwd: workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR,
      ...(process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {}),
      ...{ HOME: home, USERPROFILE: home, XDG_CACHE_HOME: COMPILED, NO_COLOR: '1' },
      ...(dieAfterSeq === null ? {} : { TEST_DIE_AFTER_SEQ: String(dieAfterSeq) }),
      ...(dieIn === undefined ? {} : { TEST_DIE_IN: dieIn }),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), HANGS_MS);
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('exit', () => clearTimeout(timer));
    // A surviving command may hold the pipes open for as long as it likes.
    child.once('exit', (code) => setImmediate(() => resolve({ code, output })));
  });
  return { child, ended };
}
