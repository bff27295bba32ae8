/** Never break what was right: where mending did not help, the best that was there comes back. */
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/schema/records.ts';
import { sha256 } from '../../src/workspace/files.ts';
import { diligentModel, type PlannedWork, wantedBy } from '../support/models.ts';
import { journalOf, type RunIn, runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { type ScriptedProgram, type TestWorld, testWorld } from '../support/test-machine.ts';

const WORK: PlannedWork = {
  subtasks: [
    { action: 'write_file', file: 'work.mjs', purpose: 'does the work' },
    { action: 'run_cmd', cmd: 'node work.mjs', purpose: 'shows it' },
  ],
};
const version = (failing: number): string => `export const failing = ${failing};\n`;

/** As many tests fail as the file says. */
const tests =
  (world: () => TestWorld): ScriptedProgram =>
  () => {
    const failing = Number(/failing = (\d+)/.exec(world().read('work.mjs') ?? '')?.[1] ?? 9);
    const output = `AssertionError in work.mjs:1\n# tests 9\n# pass ${9 - failing}\n# fail ${failing}\n`;
    return { output, exitCode: failing > 0 ? 1 : 0 };
  };

/** Answers each question for content with the next of these, the last one again and again. */
function writing(contents: readonly string[]): Script {
  let next = 0;
  return (request, n) => {
    if (wantedBy(request) !== 'content') return diligentModel(WORK)(request, n);
    const content = contents[Math.min(next++, contents.length - 1)];
    return `\`\`\`\n${content}\`\`\``;
  };
}

const GOAL = { toolMode: 'json', goal: 'Do the work in work.mjs' } as const;

async function work(contents: readonly string[], more: RunIn = {}) {
  const world: TestWorld = testWorld(tests(() => world));
  const provider = scriptedProvider(writing(contents));
  const { records } = await runIn(world, provider, { ...GOAL, ...more });
  return { world, records };
}

/** What each write left in work.mjs, until the first plan was given up. */
function versions(records: readonly JournalRecord[]): readonly string[] {
  const end = records.findIndex((one) => one.type === 'replan_started');
  return records
    .slice(0, end < 0 ? undefined : end)
    .flatMap((one) => (one.type === 'action_intended' ? one.files : []))
    .map(({ after }) => NAMES.get(after ?? '') ?? 'unknown');
}

const NAMES = new Map([0, 2, 3, 5, 6].map((n) => [sha256(version(n)), `fails ${n}`]));

describe('a guided run whose repairs did not help', () => {
  it('gets back the file with which the fewest tests failed, by a journalled write', async () => {
    const { records } = await work([2, 5, 6].map(version));
    expect(versions(records)).toEqual(['fails 2', 'fails 5', 'fails 6', 'fails 2']);
    expect(records).toContainEqual(
      expect.objectContaining({ type: 'round_started', origin: 'put_back' }),
    );
  });

  it('keeps the file where the last repair was the best', async () => {
    const { records } = await work([6, 5, 5].map(version));
    expect(versions(records).at(-1)).toBe('fails 5');
    expect(records.some((one) => one.type === 'round_started' && one.origin === 'put_back')).toBe(
      false,
    );
  });

  it('sees a content that the file had before as the same again, and asks warmer for another', async () => {
    const { records } = await work([2, 5, 2, 5, 3].map(version));
    const temperatures = records.flatMap((one) =>
      one.type === 'turn_finished' && one.purpose === 'content' ? [one.temperature] : [],
    );
    expect(temperatures.slice(0, 4)).toEqual([0.2, 0.2, 0.2, 0.5]);
  });

  it('leaves a file that somebody changed since', async () => {
    const contents = [2, 5, 6].map(version);
    let isTheirs = false;
    const world: TestWorld = testWorld(tests(() => world));
    await runIn(world, scriptedProvider(writing(contents)), {
      ...GOAL,
      maxRounds: 12,
      onRecord: (record) => {
        if (record.type !== 'round_started' || record.origin !== 'put_back') return;
        world.write('work.mjs', '// theirs\n');
        isTheirs = true;
        throw new Error('stop');
      },
    }).catch(() => null);
    expect(isTheirs).toBe(true);
    const stop = (record: JournalRecord): void => {
      if (record.type === 'replan_started') throw new Error('stop');
    };
    await runIn(world, scriptedProvider(writing(contents)), { ...GOAL, onRecord: stop }).catch(
      () => null,
    );
    expect(world.read('work.mjs')).toBe('// theirs\n');
  });

  it('puts back the same, whichever record the run is killed after', async () => {
    const contents = [2, 5, 6].map(version);
    const whole = await work(contents);
    const end = whole.records.findIndex((one) => one.type === 'replan_started');
    const from = whole.records.findIndex(
      (one) => one.type === 'round_started' && one.origin === 'put_back',
    );
    for (let at = from + 1; at <= end; at += 1) {
      const world: TestWorld = testWorld(tests(() => world));
      const provider = scriptedProvider(writing(contents));
      const machine = world.machine();
      const onRecord = (_: JournalRecord, index: number): void => {
        if (index < at) return;
        machine.kill();
        throw new Error('killed');
      };
      await expect(runIn(world, provider, { ...GOAL, machine, onRecord })).rejects.toThrow();
      await runIn(world, provider, GOAL);
      expect(versions(journalOf(world)), `killed after ${at}`).toEqual(versions(whole.records));
    }
  });
});
