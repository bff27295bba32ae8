/** The process killed after every record while its verdict is sought: nothing is lost, nothing is left. */
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/schema/records.ts';
import { diligentModel } from '../support/models.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const GIVEN = {
  'hello.mjs': 'throw new Error("boom");\n',
  'names.txt': 'Ada\n',
  'check.mjs': 'import "./hello.mjs";\n',
};

/** `node check.mjs` fails without the file that its code names. */
function greeter(): TestWorld {
  const world = testWorld(([file = ''], _stdin, read) => {
    const code = read(file === 'check.mjs' ? 'hello.mjs' : file) ?? '';
    if (code.includes('throw') || read('names.txt') === null)
      return { output: 'Error\n', exitCode: 1 };
    return { output: 'hello Ada\n', exitCode: 0 };
  });
  for (const [path, text] of Object.entries(GIVEN)) world.write(path, text);
  return world;
}

const options = {
  goal: 'Correct hello.mjs: it says hello Ada, from names.txt',
  toolMode: 'native',
} as const;

const provider = () =>
  scriptedProvider(
    diligentModel({
      subtasks: [
        { action: 'read_file', file: 'hello.mjs', purpose: 'see what is wrong' },
        { action: 'write_file', file: 'hello.mjs', purpose: 'greets by name' },
      ],
      verify: { cmd: 'node check.mjs', prints: 'hello Ada' },
      files: { 'hello.mjs': ['console.log("hello " + read("names.txt"));\n'] },
    }),
  );

/** A rehearsal is tried again where the command behind it was not begun. */
const tried = (records: readonly JournalRecord[]): readonly string[] =>
  records
    .flatMap((one) => (one.type === 'check_ran' && one.scratch ? [one.scratch.what] : []))
    .filter((what) => what !== 'rehearsal');

describe('the verdict on a claim', () => {
  it('ends the same whichever record the process is killed after, and tries nothing twice', async () => {
    const undisturbed = greeter();
    const whole = await runIn(undisturbed, provider(), options);
    expect(whole.result).toMatchObject({ ending: 'achieved' });
    expect(tried(whole.records)).toEqual(['unchanged', 'without', 'before']);
    const first = whole.records.findIndex((one) => one.type === 'check_ran');
    for (const at of somePlaces(first, whole.records.length, 12)) {
      const world = greeter();
      const machine = world.machine();
      const killed = runIn(world, provider(), {
        ...options,
        machine,
        onRecord: (_, index) => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        },
      });
      await expect(killed).rejects.toThrow('killed');
      const { result } = await runIn(world, provider(), options);
      expect(result, `killed after record ${at}`).toMatchObject({
        ending: 'achieved',
        detail: (whole.result as { detail: string }).detail,
      });
      expect(tried(journalOf(world)), `killed after record ${at}`).toEqual(tried(whole.records));
      expect(world.read('.agent_context/scratch/hello.mjs')).toBeNull();
      expect(result.state.intents).toEqual({});
    }
  });

  it('is judged anew where a file was changed while the process was down', async () => {
    const world = greeter();
    const machine = world.machine();
    const killed = runIn(world, provider(), {
      ...options,
      machine,
      onRecord: (record) => {
        if (record.type !== 'verdict_given') return;
        machine.kill();
        throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    world.write('hello.mjs', 'throw new Error("somebody else");\n');
    const { result } = await runIn(world, provider(), options);
    expect(result.ending).toBe('failed');
  });
});
