/** A folder that came from somebody else, with a run of theirs in it that looks like any other. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { originOf } from '../../src/context-manager/origin.ts';
import { createEngine } from '../../src/host/create-engine.ts';
import { openUnderLock } from '../../src/run/open.ts';
import type { JournalRecord, RecordOf } from '../../src/schema/records.ts';
import { type FakeTerminalOptions, fakeTerminal } from '../cli/support.ts';
import { realMachine } from './real-run.ts';

export const GOAL = 'Say hello';

export type Settings = Omit<RecordOf<'settings_changed'>, 'type'>;

export const SETTINGS: Settings = {
  provider: 'openai',
  model: 'm',
  digest: null,
  driver: 'free',
  numCtx: 16_384,
  temperature: 0.2,
  seed: 0,
  mayChangeDriver: true,
  systemPrompt: 'You are helpful.',
  tools: '[]',
  why: '',
};

export function temporaryFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'tardigrade-origin-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

const THEIR_KEY = new Uint8Array(32).fill(7);

/** @param records follow the first one; they are signed with a key that is not the user's */
export function forge(
  workspace: string,
  records: readonly JournalRecord[],
  keep: readonly string[] = [],
): void {
  mkdirSync(workspace, { recursive: true });
  const request = { goal: GOAL, workspace, again: false, forceUnlock: false, emit: () => {} };
  const origin = originOf(THEIR_KEY);
  const opened = openUnderLock({ ...request, machine: realMachine(), origin });
  for (const text of keep) opened.context.journal.blobs.keep(Buffer.from(text));
  for (const record of records) opened.context.record(record);
  opened.context.settle();
  opened.close();
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly questions: readonly string[];
}

/** The command line with its real engine, as one user with a data folder of their own starts it. */
export function userAt(workspace: string, env: { readonly [name: string]: string } = {}) {
  const data = join(temporaryFolder(), 'data');
  return async (argv: readonly string[], options: FakeTerminalOptions = {}): Promise<Ended> => {
    const own = { XDG_DATA_HOME: data, LOCALAPPDATA: data, HOME: data, LANG: 'C.UTF-8', ...env };
    const platform = process.platform;
    const terminal = fakeTerminal({ cwd: workspace, env: own, platform, ...options });
    const code = await main(argv, terminal, async () => createEngine(terminal));
    const { stdout, stderr, questions } = terminal;
    return { code, stdout: stdout.text(), stderr: stderr.text(), questions };
  };
}
