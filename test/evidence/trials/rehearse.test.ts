/** What a run wrote is tried in the copy before it may change what the brief says must stay. */
import { describe, expect, it } from 'vitest';
import { commandFiles } from '../../../src/run/stream/changed-files.ts';
import type { JournalRecord } from '../../../src/schema/records.ts';
import { diligentModel } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { somePlaces } from '../../support/some-kills.ts';
import { type TestMachine, type TestWorld, testWorld } from '../../support/test-machine.ts';

const GIVEN = '3\n4\n';
const SAYS = 'total.mjs prints "total 7"';
const GOAL = `Write total.mjs that reads numbers.txt.\n${SAYS}`;
const examples = [
  { quote: SAYS, part: 2, how: 'command', input: 'total.mjs', result: 'total 7' },
] as const;
/** Opens its input for writing, as a model that mistook the mode did. */
const OVERWRITES = 'open("numbers.txt", "w"); console.log("total 7");\n';
const READS = 'open("numbers.txt", "r"); console.log("total 7");\n';

function summing(given = GIVEN, onRun = () => {}): TestWorld {
  const world = testWorld(([file = ''], _stdin, read, write) => {
    onRun();
    const code = read(file);
    if (code === null) return { output: 'Error: no such program\n', exitCode: 1 };
    if (read('numbers.txt') === null) return { output: 'Error: no numbers.txt\n', exitCode: 1 };
    if (code.includes('"w"')) write('numbers.txt', '');
    return { output: 'total 7\n', exitCode: 0 };
  });
  world.write('numbers.txt', given);
  return world;
}

const work = (...versions: readonly string[]) =>
  scriptedProvider(
    diligentModel({
      subtasks: [
        { action: 'write_file', file: 'total.mjs', purpose: 'prints the total' },
        { action: 'run_cmd', cmd: 'node total.mjs', purpose: 'see it' },
      ],
      verify: { cmd: 'node total.mjs', prints: 'total 7' },
      files: { 'total.mjs': versions },
      brief: {
        keep: [{ path: 'numbers.txt', quote: GOAL }],
        examples: [{ quote: SAYS, argv: ['node', 'total.mjs'], gives: 'total 7' }],
      },
    }),
    { examples },
  );

const rehearsed = (records: readonly JournalRecord[]): number =>
  records.filter((one) => one.type === 'check_ran' && one.scratch?.what === 'rehearsal').length;

describe.each(['native'] as const)('a program in %s mode', (toolMode) => {
  it('that overwrites what the goal gives is never run on it, and never claimed', async () => {
    const world = summing();
    const { result, records } = await runIn(world, work(OVERWRITES), { goal: GOAL, toolMode });
    expect(world.read('numbers.txt')).toBe(GIVEN);
    expect(result.ending).not.toBe('achieved');
    expect(commandFiles(result.state).changed).toEqual([]);
    expect(rehearsed(records)).toBeGreaterThan(0);
    expect(world.read('.agent_context/scratch/total.mjs')).toBeNull();
    const told = records.flatMap((one) =>
      one.type === 'action_finished' ? one.result : one.type === 'check_ran' ? one.text : [],
    );
    expect(told.join('\n')).toContain('in a copy of this folder it changed numbers.txt');
  });

  it('that is mended so that it only reads is run and claimed', async () => {
    const world = summing();
    const { result } = await runIn(world, work(OVERWRITES, READS), { goal: GOAL, toolMode });
    expect(world.read('numbers.txt')).toBe(GIVEN);
    expect(result).toMatchObject({ ending: 'achieved' });
  });

  it('that leaves what it is given as it is runs beside kept files that no copy has', async () => {
    const world = summing();
    world.write('venv/numbers.txt', '5\n');
    const goal = 'Write total.mjs that reads numbers.txt and leaves venv as it is';
    const provider = scriptedProvider(
      diligentModel({
        subtasks: [
          { action: 'write_file', file: 'total.mjs', purpose: 'prints the total' },
          { action: 'run_cmd', cmd: 'node total.mjs', purpose: 'see it' },
        ],
        files: { 'total.mjs': [READS] },
        brief: { keep: [{ path: 'venv', quote: goal }] },
      }),
    );
    const { result, records } = await runIn(world, provider, { goal, toolMode });
    expect(result.state.brief?.keep).toHaveLength(1);
    const ran = records.filter((one) => one.type === 'action_finished' && one.tool === 'run_cmd');
    expect(ran).toMatchObject([{ status: 'ok' }]);
  });

  it('may write anew what it has made itself, whatever the brief says of it', async () => {
    const world = summing();
    const run = { action: 'run_cmd', cmd: 'node total.mjs', purpose: 'see it' };
    const provider = scriptedProvider(
      diligentModel({
        subtasks: [
          { action: 'write_file', file: 'total.mjs', purpose: 'prints the total' },
          { action: 'write_file', file: 'numbers-2.txt', purpose: 'its output' },
          run,
        ],
        files: {
          'total.mjs': [OVERWRITES.replace('numbers', 'numbers-2')],
          'numbers-2.txt': ['1'],
        },
        brief: { keep: [{ path: 'numbers-2.txt', quote: 'total.mjs writes numbers-2.txt' }] },
      }),
    );
    const goal = 'total.mjs writes numbers-2.txt';
    const { result, records } = await runIn(world, provider, { goal, toolMode });
    expect(result.state.brief?.keep).toHaveLength(1);
    expect(rehearsed(records)).toBe(0);
  });

  it('of which no quote says that a file must stay runs at once', async () => {
    const world = summing();
    const goal = 'Write total.mjs that empties numbers.txt and prints "total 7"; sort numbers.txt';
    const { records } = await runIn(world, work(OVERWRITES), { goal, toolMode });
    expect(rehearsed(records)).toBe(0);
    expect(world.read('numbers.txt')).toBe('');
  });
});

/** Aborts in the first pause in which the copy has files, or when the program runs there. */
describe.each(['while the copy is made', 'while it runs in the copy'] as const)(
  'a command whose rehearsal is interrupted %s',
  (when) => {
    it('is not run in the folder, neither then nor unrehearsed after a resume', async () => {
      const user = new AbortController();
      let runs = 0;
      const world = summing(GIVEN, () => {
        runs += 1;
        if (when === 'while it runs in the copy') user.abort();
      });
      let now = 1_700_000_000_000;
      const machine = world.machine();
      const clock = {
        ...machine.clock,
        now: () => {
          now += 400;
          return now;
        },
        breathe: async () => {
          const isCopied = world.read('.agent_context/scratch/numbers.txt') !== null;
          if (isCopied && when === 'while the copy is made') user.abort();
        },
      };
      const options = { goal: GOAL, toolMode: 'native' } as const;
      const { result, records } = await runIn(world, work(OVERWRITES), {
        ...options,
        machine: { ...machine, clock },
        signal: user.signal,
      });
      expect(result).toMatchObject({ ending: 'paused', why: 'interrupted' });
      expect(rehearsed(records)).toBe(0);
      expect(runs).toBe(when === 'while the copy is made' ? 0 : 1);
      expect(world.read('total.mjs')).toBe(OVERWRITES);
      expect(world.read('numbers.txt')).toBe(GIVEN);
      const again = await runIn(world, work(OVERWRITES), { goal: null, toolMode: 'native' });
      expect(again.result.ending).not.toBe('achieved');
      expect(world.read('numbers.txt')).toBe(GIVEN);
    });
  },
);

describe('a given file', () => {
  it('is whole whichever record of a sample the process is killed after', async () => {
    const options = { goal: GOAL, toolMode: 'native' } as const;
    const whole = await runIn(summing(), work(OVERWRITES, READS), options);
    const first = whole.records.findIndex((one) => one.type === 'check_ran') - 3;
    for (const at of somePlaces(first, first + 8, 3)) {
      const world = summing();
      const machine: TestMachine = world.machine();
      const killed = runIn(world, work(OVERWRITES, READS), {
        ...{ ...options, machine },
        onRecord: (_, index) => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        },
      });
      await expect(killed).rejects.toThrow('killed');
      const { result } = await runIn(world, work(OVERWRITES, READS), options);
      expect(world.read('numbers.txt'), `killed after record ${at}`).toBe(GIVEN);
      expect(result.ending, `killed after record ${at}`).toBe(whole.result.ending);
      expect(result.state.intents).toEqual({});
    }
  });
});
