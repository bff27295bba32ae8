/** What a person, a model and the disk see of a recorded run, whichever build looks at it. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RunListing } from '../../src/host/engine-port.ts';
import { asBefore } from './as-before.ts';
import { serve } from './e2e-model.ts';
import type { Files, Format1Run } from './format-1.ts';

export interface Answered {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A build of `agent`, old or new, standing in a folder. */
export type Agent = (words: readonly string[], folder: string) => Promise<Answered>;

export interface Observed {
  readonly status: readonly string[];
  readonly history: readonly string[];
  readonly runs: readonly string[];
  readonly undo: {
    readonly plan: readonly string[];
    readonly report: {
      readonly leftAlone: readonly { readonly path: string; readonly why: string }[];
    };
    readonly changed: Changed;
  };
  readonly resume: {
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly state: string;
    readonly tree: readonly string[];
    readonly changed: Changed;
  };
}

/** Files that are not as they were before the run; `null`: gone. */
export type Changed = { readonly [path: string]: string | null };

const STATE_FOLDER = '.agent_context';

/** Puts a fixture into a fresh folder, as its run left it; `work` may do with it as it likes. */
export async function inCopyOf<Result>(
  fixture: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tardigrade-format-1-')));
  try {
    cpSync(join(fixture, 'workspace'), folder, { recursive: true });
    cpSync(join(fixture, 'agent_context'), join(folder, STATE_FOLDER), { recursive: true });
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const journalIn = (folder: string): string => join(folder, STATE_FOLDER, 'history.jsonl');

export const snapshotIn = (folder: string): string => join(folder, STATE_FOLDER, 'state.json');

const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n');

/** Left out: where the folder is, and whose the run is. */
export async function statusOf(agent: Agent, folder: string): Promise<readonly string[]> {
  const { stdout } = await agent(['status'], folder);
  return linesOf(stdout).filter((line) => !/^(?:Kept in|Resume|Origin) /.test(line));
}

export async function historyOf(agent: Agent, folder: string): Promise<readonly string[]> {
  return linesOf((await agent(['history', '--raw'], folder)).stdout).map(withoutTime);
}

/** Number and name of a record: what stands behind them today are its fields. */
export const headOf = (line: string): string => (/^ *\d+ \w+/.exec(line) ?? [line])[0];

/** That build told the time in UTC, a person today has the clock on the wall. */
export const withoutTime = (line: string): string => line.replace(/^( *\d+ )[\d:]{8} /, '$1');

/** What a person reads of it: the number of the record and its words, without days and times. */
export async function tellingOf(agent: Agent, folder: string): Promise<readonly string[]> {
  const { stdout } = await agent(['history', '--verbose'], folder);
  return linesOf(stdout)
    .filter((line) => !/^\d{4}-\d\d-\d\d$/.test(line))
    .map(withoutTime);
}

/** As that build listed them: the order, and what is known of each. */
export async function runsOf(agent: Agent, folder: string): Promise<readonly string[]> {
  const { runs } = JSON.parse((await agent(['runs', '--json'], folder)).stdout) as {
    readonly runs: readonly RunListing[];
  };
  return runs.map(({ isCurrent, status, startedAt, records, goal }) => {
    const begun = new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ');
    const count = `${records} record${records === 1 ? '' : 's'}`;
    return `${isCurrent ? '*' : ' '} ${status.padEnd(10)} ${begun} ${count.padStart(13)}  ${goal}`;
  });
}

export async function undoIn(
  agent: Agent,
  folder: string,
  before: Files,
): Promise<Observed['undo']> {
  const { stderr } = await agent(['undo'], folder);
  const { stdout } = await agent(['undo', '--yes', '--json'], folder);
  return { plan: linesOf(stderr), report: JSON.parse(stdout), changed: changedIn(folder, before) };
}

/** Goes on with the run; `bodies` are the requests as they went over the wire. */
export async function resumeIn(
  agent: Agent,
  folder: string,
  { resume, laterModel, before }: Format1Run,
): Promise<{ readonly told: Observed['resume']; readonly bodies: readonly string[] }> {
  const server = await serve(laterModel);
  try {
    // The build that left it behind kept what nothing proved.
    const words = [...resume, '--host', server.url, '--keep'];
    const { exitCode, stdout } = await agent(words, folder);
    const status = await statusOf(agent, folder);
    const told = {
      ...{ exitCode, stdout: endOf(stdout, status), changed: changedIn(folder, before) },
      state: status.find((line) => line.startsWith('State ')) ?? '',
      tree: status.slice(status.indexOf('') + 1),
    };
    return { told, bodies: server.chats.map(asBefore) };
  } finally {
    await server.close();
  }
}

/** In the words of that build: how it is known stands below it today, and the line may tell the time it took. */
function endOf(stdout: string, status: readonly string[]): string {
  const goal = status.find((line) => line.startsWith('Goal '))?.slice('Goal       '.length) ?? '';
  if (/^Finished\b.*, but not verified/.test(stdout)) return '';
  return stdout.replace(/^(?:Done in|Goal achieved: ).*\n[\s\S]*/, `Goal achieved: ${goal}\n`);
}

export function changedIn(folder: string, before: Files): Changed {
  const files = filesIn(folder);
  const names = Object.keys({ ...before, ...files }).filter((name) => before[name] !== files[name]);
  return Object.fromEntries(names.sort().map((name) => [name, files[name] ?? null]));
}

/** Every file of a workspace but the state of its runs. */
export function filesIn(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !name.startsWith(STATE_FOLDER));
  return Object.fromEntries(
    names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

export function putFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

export const expectedOf = (fixture: string): Observed =>
  JSON.parse(readFileSync(join(fixture, 'expected.json'), 'utf8'));

/** The body of the request that the old build sent first when it went on; `null`: it sent none. */
export function nextRequestOf(fixture: string): string | null {
  const file = join(fixture, 'next-request.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** Its last words ask whether a subtask is done, which no build asks any more: what is seen ends it. */
/** One question names the file that is mended today. */
export const asksWhichFile = (request: string | null): boolean =>
  request !== null &&
  String(JSON.parse(request).messages.at(-1)?.content).includes('Which file must change: ');

/** It asks for a file after a failure, in the form of today. */
export const asksForMended = (request: string): boolean =>
  /This command failed: .*, corrected\. Answer with one code block/s.test(request);

export const asksIfDone = (request: string | null): boolean =>
  request !== null &&
  String(JSON.parse(request).messages.at(-1)?.content).startsWith('Is this subtask done: ');
