// Runs in real folders with real programs, led by a model that follows a plan.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RunResult, runGoal } from '../../src/agent.ts';
import { type Machine, systemMachine } from '../../src/run/machine.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { diligentModel, type PlannedWork } from './models.ts';
import { quickMachine } from './quick-machine.ts';
import { SCRIPTED_MODEL, scriptedProvider } from './scripted-provider.ts';

export interface RealWork extends Omit<PlannedWork, 'subtasks'> {
  readonly goal: string;
  /** Files that are there before the run. */
  readonly given?: { readonly [path: string]: string };
  /** Without them every file of the work is written, in its order. */
  readonly subtasks?: PlannedWork['subtasks'];
}

export interface RealRun {
  readonly result: RunResult;
  readonly records: readonly JournalRecord[];
  /** What the scratch copy was asked: `emptied a.py`. */
  readonly asked: readonly string[];
  readonly folder: string;
}

const PROGRAMS = join(import.meta.dirname, 'programs');

/** This machine with its programs, quicker. What is asked for often is had for less. */
export function realMachine({ withNpm = false } = {}): Machine {
  const { PATH = '', ...others } = process.env;
  const isQuick = process.platform !== 'win32' && !withNpm;
  const env = isQuick ? { ...others, PATH: `${PROGRAMS}${delimiter}${PATH}` } : process.env;
  return quickMachine(systemMachine({ env, nodePath: process.execPath }));
}

export function realFolder(files: RealWork['given'] = {}): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'tardigrade-real-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export const plannedOf = (work: RealWork): PlannedWork => ({
  ...work,
  subtasks:
    work.subtasks ??
    Object.keys(work.files ?? {}).flatMap((file) => [
      ...(work.given?.[file] === undefined
        ? []
        : [{ action: 'read_file', file, purpose: 'see what it says' }]),
      { action: 'write_file', file, purpose: 'what the goal wants' },
    ]),
});

/** @param onRecord may throw, as a process that is killed there */
export async function runReally(
  work: RealWork,
  folder = realFolder(work.given),
  onRecord?: (record: JournalRecord) => void,
): Promise<RealRun> {
  const records: JournalRecord[] = [];
  const result = await runGoal({
    goal: work.goal,
    workspace: folder,
    provider: scriptedProvider(diligentModel(plannedOf(work))),
    model: SCRIPTED_MODEL,
    toolMode: 'native',
    machine: realMachine(),
    emit: (event: RunEvent) => {
      if (event.type !== 'record') return;
      records.push(event.record);
      onRecord?.(event.record);
    },
  });
  const asked = records.flatMap((record) =>
    record.type === 'check_ran' && record.scratch
      ? [`${record.scratch.what} ${record.scratch.about.replaceAll('\n', ' ')}`.trim()]
      : [],
  );
  return { result, records, asked, folder };
}

export const textIn = (folder: string, path: string): string | null =>
  existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null;
