/**
 * Runs of format 2, and conversations of their format 1, that the build 63b715c4 left behind are readable
 * for ever: their chains hold, they are undone to the byte, and they go on with the request that the old
 * build would have sent. One key signed them, so nothing has to be adopted.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createEngine } from '../../src/host/create-engine.ts';
import { dataFolderOf } from '../../src/host/user-folders.ts';
import { FORMAT_VERSION } from '../../src/schema/records.ts';
import { fakeTerminal } from '../cli/support.ts';
import type { Files } from '../support/format-1.ts';
import {
  type Agent,
  changedIn,
  inCopyOf,
  journalIn,
  nextRequestOf,
  resumeIn,
  undoIn,
} from '../support/format-1-observed.ts';
import { FIXTURES_2, RUNS_2, TALKS } from '../support/format-2.ts';
import { linesOf, talkIn } from '../support/format-2-observed.ts';

const home = mkdtempSync(join(tmpdir(), 'tardigrade-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const environment = { HOME: home, XDG_DATA_HOME: home, LOCALAPPDATA: home, APPDATA: home };
const data = dataFolderOf({ env: environment, platform: process.platform });
mkdirSync(data, { recursive: true, mode: 0o700 });
copyFileSync(join(FIXTURES_2, 'origin.key'), join(data, 'origin.key'));

const terminalIn = (folder: string) => {
  const { PATH, PATHEXT, SystemRoot } = process.env;
  const env = { PATH, PATHEXT, SystemRoot, ...environment, LANG: 'C.UTF-8', NO_COLOR: '1' };
  return fakeTerminal({ cwd: folder, env });
};

const agent: Agent = async (words, folder) => {
  const terminal = terminalIn(folder);
  const exitCode = await main(words, terminal, async () => createEngine(terminal));
  return { exitCode, stdout: terminal.stdout.text(), stderr: terminal.stderr.text() };
};

interface Expected {
  readonly records: number;
  readonly undo?: Files;
  readonly resume?: Files;
  readonly changed?: Files;
}

const expectedOf = (fixture: string): Expected =>
  JSON.parse(readFileSync(join(fixture, 'expected.json'), 'utf8'));

/** The lines from the one on that says that the format was raised. */
function linesSinceRaised(journal: string): readonly { type: string; format?: number }[] {
  const lines = linesOf(journal).map((line) => JSON.parse(line));
  const from = lines.findIndex(({ type }) => type === 'format_raised');
  return from < 0 ? [] : lines.slice(from);
}

function expectRaised(journal: string): void {
  const added = linesSinceRaised(journal);
  expect(added.length).toBeGreaterThan(1);
  expect(added.filter(({ format }) => format !== FORMAT_VERSION)).toEqual([]);
}

it('every recorded run and conversation has its folder, and every folder its recording', () => {
  const folders = readdirSync(FIXTURES_2, { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  );
  expect(folders.map(({ name }) => name).sort()).toEqual(
    [...RUNS_2, ...TALKS].map(({ name }) => name).sort(),
  );
});

describe.each(RUNS_2)('a run of format 2: $name', (run) => {
  const fixture = join(FIXTURES_2, run.name);
  const expected = expectedOf(fixture);

  it('is whole, and this user wrote it', async () => {
    await inCopyOf(fixture, async (folder) => {
      const chain = createEngine(terminalIn(folder)).verifyChain(folder);
      expect(chain).toMatchObject({ kind: 'ok', records: expected.records });
      expect((await agent(['status'], folder)).exitCode).toBe(0);
    });
  });

  it('is undone to the byte', async () => {
    await inCopyOf(fixture, async (folder) => {
      expect((await undoIn(agent, folder, run.before)).changed).toEqual(expected.undo);
    });
  });

  it('goes on with the request that the old build would have sent, in lines of this format', async () => {
    await inCopyOf(fixture, async (folder) => {
      const { told, bodies } = await resumeIn(agent, folder, run);
      expect(bodies[0] ?? null).toEqual(nextRequestOf(fixture));
      expect(told.changed).toEqual(expected.resume);
      if (bodies.length > 0) expectRaised(journalIn(folder));
    });
  });
});

describe.each(TALKS)('a conversation of format 1: $name', (talk) => {
  const fixture = join(FIXTURES_2, talk.name);
  const expected = expectedOf(fixture);

  it('goes on with the request that the old build would have sent, in lines of this format', async () => {
    await inCopyOf(fixture, async (folder) => {
      const { bodies, exitCode } = await talkIn(agent, folder, talk);
      expect(exitCode).toBe(0);
      expect(bodies[0] ?? null).toEqual(nextRequestOf(fixture));
      expect(changedIn(folder, talk.before)).toEqual(expected.changed);
      const sessions = join(folder, '.agent_context/sessions');
      const [id = ''] = readdirSync(sessions);
      expectRaised(join(sessions, id, 'history.jsonl'));
    });
  });
});
