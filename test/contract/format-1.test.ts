/**
 * Runs that the build 4c35833 left behind, in format 1, are readable for ever: told as that build
 * told them, undone, repaired, and gone on with by the request that it would have sent.
 */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createEngine } from '../../src/host/create-engine.ts';
import { fakeTerminal } from '../cli/support.ts';
import { FIXTURES, FORMAT_1, type Format1Run } from '../support/format-1.ts';
import {
  type Agent,
  changedIn,
  expectedOf,
  historyOf,
  inCopyOf,
  journalIn,
  nextRequestOf,
  type Observed,
  resumeIn,
  runsOf,
  snapshotIn,
  statusOf,
  undoIn,
} from '../support/format-1-observed.ts';

const terminalIn = (folder: string) => {
  const { PATH, PATHEXT, SystemRoot } = process.env;
  const env = { PATH, PATHEXT, SystemRoot, HOME: folder, LANG: 'C.UTF-8', NO_COLOR: '1' };
  return fakeTerminal({ cwd: folder, env });
};

/** The command line of today with its real engine, in this process. */
const agent: Agent = async (words, folder) => {
  const terminal = terminalIn(folder);
  const exitCode = await main(words, terminal, async () => createEngine(terminal));
  return { exitCode, stdout: terminal.stdout.text(), stderr: terminal.stderr.text() };
};

const chainIn = (folder: string) => createEngine(terminalIn(folder)).verifyChain(folder);

/** What an earlier build began bears no mark of its user: a person takes it over once. */
const inAdoptedCopyOf = (fixture: string, work: (folder: string) => Promise<void>): Promise<void> =>
  inCopyOf(fixture, async (folder) => {
    await adopt(folder);
    await work(folder);
  });

async function adopt(folder: string): Promise<void> {
  expect(await agent(['adopt', '--yes'], folder)).toMatchObject({ exitCode: 0, stderr: '' });
}

const fixtureOf = ({ name }: Format1Run): string => join(FIXTURES, name);

it('every recorded run has its folder, and every folder its run', () => {
  const folders = readdirSync(FIXTURES, { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(FORMAT_1.map(({ name }) => name).sort());
});

describe.each(FORMAT_1)('a run of format 1: $name', (run) => {
  const fixture = fixtureOf(run);
  const expected = expectedOf(fixture);

  it('holds what it is for', () => {
    const history = expected.history.join('\n');
    expect(run.holds.filter((text) => !history.includes(text))).toEqual([]);
  });

  it('is told in full, its chain holds, and the snapshot is only a shortcut', async () => {
    await inCopyOf(fixture, async (folder) => {
      expect(await statusOf(agent, folder)).toEqual(expected.status);
      expect(await historyOf(agent, folder)).toEqual(expected.history);
      expect(await runsOf(agent, folder)).toEqual(expected.runs);
      expect(chainIn(folder)).toMatchObject({ kind: 'ok', records: expected.history.length });
      rmSync(snapshotIn(folder), { force: true });
      expect(await statusOf(agent, folder)).toEqual(expected.status);
    });
  });

  it('is undone to the byte', async () => {
    await inAdoptedCopyOf(fixture, async (folder) => {
      expect(await undoIn(agent, folder, run.before)).toEqual(expected.undo);
    });
  });

  it('loses no more than its torn last record to a repair', async () => {
    await inCopyOf(fixture, async (folder) => {
      truncateSync(journalIn(folder), readFileSync(journalIn(folder)).length - 5);
      const { stdout, exitCode } = await agent(['repair', '--yes'], folder);
      const kept = expected.history.length - 1;
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`${kept} records kept`)]);
      expect(await historyOf(agent, folder)).toEqual(expected.history.slice(0, kept));
      expect(chainIn(folder)).toMatchObject({ kind: 'ok', records: kept });
      expect((await agent(['status'], folder)).exitCode).toBe(0);
    });
  });

  it('goes on with the request that the old build would have sent, to the same end', async () => {
    await inCopyOf(fixture, async (folder) => {
      if (run.resume[0] === 'run') {
        // The run of another goal than the current one is made the current one, and refused.
        const refused = await resumeIn(agent, folder, run);
        expect([refused.told.exitCode, refused.bodies]).toEqual([8, []]);
      }
      await adopt(folder);
      const { told, bodies } = await resumeIn(agent, folder, run);
      const recorded = nextRequestOf(fixture);
      const [sent, before, today] = [bodies[0] ?? null, recorded, inTodaysWords(recorded)].map(
        apart,
      );
      expect([before?.rest, today?.rest]).toContain(sent?.rest);
      expect(sent?.tools).toEqual(expect.arrayContaining([...(before?.tools ?? [])]));
      expectSameEnd(told, expected.resume);
      expect(chainIn(folder)).toMatchObject({ kind: 'ok' });
    });
  });
});

/** What was not said yet is said as this build says it, and an answer has the room it has today. */
const inTodaysWords = (request: string | null): string | null =>
  request
    ?.replace('good dates and bad ones', 'three dates')
    .replace('tell what it says', 'find the answer')
    .replace('"num_predict":2048', '"num_predict":4096') ?? null;

/** Only the names of its tools were written down, so a run is told those of today, with the others. */
function apart(request: string | null) {
  const tools = /"tools":(\[.*\]),"messages":/s.exec(request ?? '')?.[1] ?? '[]';
  const rest = request?.replace(`"tools":${tools},`, '') ?? null;
  return { rest, tools: JSON.parse(tools) as readonly unknown[] };
}

/** The same work comes to its end; what may be claimed by it is for today's rules to say. */
function expectSameEnd(told: Observed['resume'], expected: Observed['resume']): void {
  const isUnproved = expected.exitCode === 0 && told.exitCode === 9;
  const { exitCode, stdout, state } = isUnproved ? expected : told;
  expect({ ...told, exitCode, stdout, state }).toEqual(expected);
  if (isUnproved) expect(told.state).toContain('finished, unverified');
}

const WRITES = FORMAT_1.filter(({ name }) => name.startsWith('killed-in-a-write'));

describe.each(WRITES)('a run of format 1 whose write reached the disk: $name', (run) => {
  const fixture = fixtureOf(run);
  const { changed } = expectedOf(fixture).resume;

  it('is known to be done, by going on and by an undo', async () => {
    const written = (folder: string) => {
      const [path, text] = Object.entries(changed).find(([name]) => name === 'hello.mjs') ?? [];
      expect(changedIn(folder, run.before)).not.toHaveProperty([path ?? '']);
      writeFileSync(join(folder, path ?? ''), text ?? '');
    };
    await inAdoptedCopyOf(fixture, async (folder) => {
      written(folder);
      const { told } = await resumeIn(agent, folder, run);
      expectSameEnd(told, expectedOf(fixture).resume);
    });
    await inAdoptedCopyOf(fixture, async (folder) => {
      written(folder);
      const { changed } = await undoIn(agent, folder, run.before);
      expect(changed).toEqual({});
    });
  });
});

it('no fixture names the machine it was made on', () => {
  const files = readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const naming = files.filter((file) =>
    /\/(?:tmp|home|root|Users)\//.test(readFileSync(file, 'utf8')),
  );
  expect(naming).toEqual([]);
  expect(files.some((file) => file.includes('blobs'))).toBe(true);
});
