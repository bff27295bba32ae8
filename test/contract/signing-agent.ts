/** The command line of today with its real engine, in this process, as the user whose key signed what earlier builds left. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createEngine } from '../../src/host/create-engine.ts';
import { dataFolderOf } from '../../src/host/user/user-folders.ts';
import { FORMAT_VERSION } from '../../src/schema/records.ts';
import { type FakeTerminal, fakeTerminal } from '../cli/support.ts';
import type { Agent } from '../support/format-1-observed.ts';
import { ORIGIN_KEY } from '../support/format-2.ts';
import { onQuickMachine } from '../support/quick-machine.ts';
import { linesOf } from '../support/recorded-talks-observed.ts';

export interface SigningAgent {
  readonly agent: Agent;
  terminalIn(folder: string): FakeTerminal;
}

/** Its home is gone after all tests of the file. */
export function signingAgent(): SigningAgent {
  const home = mkdtempSync(join(tmpdir(), 'tardigrade-home-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const environment = { HOME: home, XDG_DATA_HOME: home, LOCALAPPDATA: home, APPDATA: home };
  const data = dataFolderOf({ env: environment, platform: process.platform });
  mkdirSync(data, { recursive: true, mode: 0o700 });
  copyFileSync(ORIGIN_KEY, join(data, 'origin.key'));
  const terminalIn = (folder: string): FakeTerminal => {
    const { PATH, PATHEXT, SystemRoot } = process.env;
    const env = { PATH, PATHEXT, SystemRoot, ...environment, LANG: 'C.UTF-8', NO_COLOR: '1' };
    return onQuickMachine(fakeTerminal({ cwd: folder, env }));
  };
  const agent: Agent = async (words, folder) => {
    const terminal = terminalIn(folder);
    const exitCode = await main(words, terminal, async () => createEngine(terminal));
    return { exitCode, stdout: terminal.stdout.text(), stderr: terminal.stderr.text() };
  };
  return { agent, terminalIn };
}

/** The lines from the one on that says that the format was raised; none where none does. */
function linesSinceRaised(journal: string): readonly { readonly format?: number }[] {
  const lines = linesOf(journal).map((line) => JSON.parse(line));
  const from = lines.findIndex(({ type }) => type === 'format_raised');
  return from < 0 ? [] : lines.slice(from);
}

export function expectRaised(journal: string): void {
  const added = linesSinceRaised(journal);
  expect(added.length).toBeGreaterThan(1);
  expect(added.filter(({ format }) => format !== FORMAT_VERSION)).toEqual([]);
}
