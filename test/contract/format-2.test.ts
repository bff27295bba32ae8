/**
 * Runs of format 2 that the build 63b715c4 left behind are readable for ever: their chains hold, they are undone
 * to the byte, and they go on with the request that the old build would have sent. One key signed them, so nothing
 * has to be adopted.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/host/create-engine.ts';
import { type Files, FORMAT_1, inSomeModes, scenarioOf } from '../support/format-1.ts';
import {
  asksForMended,
  asksIfDone,
  asksWhichFile,
  inCopyOf,
  journalIn,
  nextRequestOf,
  resumeIn,
  undoIn,
} from '../support/format-1-observed.ts';
import { FIXTURES_2, RUNS_2 } from '../support/format-2.ts';
import { someKills } from '../support/some-kills.ts';
import { expectRaised, signingAgent } from './signing-agent.ts';

const { agent, terminalIn } = signingAgent();

interface Expected {
  readonly records: number;
  readonly undo: Files;
  readonly resume: Files;
}

const expectedOf = (fixture: string): Expected =>
  JSON.parse(readFileSync(join(fixture, 'expected.json'), 'utf8'));

it('every recorded run has its folder, and every folder of a run its recording', () => {
  const folders = readdirSync(FIXTURES_2, { withFileTypes: true }).flatMap((one) =>
    one.isDirectory() && !one.name.startsWith('talk-') ? one.name : [],
  );
  expect(folders.sort()).toEqual(RUNS_2.map(({ name }) => name).sort());
});

/** In the mode in which its sibling of format 1 is not taken. */
const SAMPLE = inSomeModes(RUNS_2, 0);
const GO_ON_IN_FORMAT_1 = new Set(someKills(inSomeModes(FORMAT_1, 1), 2, 1).map(scenarioOf));
/** `npm run crash` takes all of both. */
const GONE_ON = SAMPLE.filter(
  (run) => process.env.EVERY_KILL || !GO_ON_IN_FORMAT_1.has(scenarioOf(run)),
);

describe.each(SAMPLE)('a run of format 2: $name', (run) => {
  const fixture = join(FIXTURES_2, run.name);
  const expected = expectedOf(fixture);

  it('is whole, this user wrote it, and it is undone to the byte', async () => {
    await inCopyOf(fixture, async (folder) => {
      const chain = createEngine(terminalIn(folder)).verifyChain(folder);
      expect(chain).toMatchObject({ kind: 'ok', records: expected.records });
      expect((await agent(['status'], folder)).exitCode).toBe(0);
      expect((await undoIn(agent, folder, run.before)).changed).toEqual(expected.undo);
    });
  });

  if (GONE_ON.includes(run))
    it('goes on with the request that the old build would have sent, in lines of this format', async () => {
      await inCopyOf(fixture, async (folder) => {
        const { told, bodies } = await resumeIn(agent, folder, run);
        const recorded = nextRequestOf(fixture);
        if (asksIfDone(recorded)) expect(bodies.filter(asksIfDone)).toEqual([]);
        else if (asksWhichFile(recorded)) expect(bodies[0]).toSatisfy(asksForMended);
        else expect(bodies[0] ?? null).toEqual(recorded);
        expect(told.changed).toEqual(expected.resume);
        if (bodies.length > 0) expectRaised(journalIn(folder));
      });
    });
});
