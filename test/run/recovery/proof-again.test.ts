/** A proof that passed before the process was killed says nothing of files that somebody changed after that. */
import { expect, it } from 'vitest';
import type { JournalRecord } from '../../../src/schema/records.ts';
import { cmd, DONE, edit, plan } from '../../support/play.ts';
import { runIn } from '../../support/run-in.ts';
import { LARGE, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const PROOF = 'node check.mjs';
const REPLIES = [
  [plan(PROOF), cmd(PROOF)],
  [edit('calc.txt', 'wrong', 'right'), DONE],
];
const provider = () =>
  scriptedProvider(({ messages }) => {
    const said = messages.filter(({ role }) => role === 'assistant').length;
    return { calls: REPLIES[said] ?? [DONE] };
  }, LARGE);
const options = { goal: 'Make the check pass', toolMode: 'native' } as const;

const AFTER: readonly [string, (record: JournalRecord) => boolean][] = [
  [
    'its proof',
    (one) => one.type === 'check_ran' && one.proof && one.passed && one.when !== 'before',
  ],
  ['its first trial', (one) => one.type === 'check_ran' && one.scratch !== undefined],
  ['its verdict', ({ type }) => type === 'verdict_given'],
];
const CHANGED: readonly [string, string, string][] = [
  ['takes the work away', 'mine\n', 'failed'],
  ['leaves the work as it is', 'right, and mine\n', 'achieved'],
];

it.each(AFTER.flatMap(([after, is]) => CHANGED.map((change) => [after, ...change, is] as const)))(
  'killed after %s, a run is judged by its proof as it ends now: a change that %s',
  async (_after, _what, text, ending, is) => {
    const world = testWorld((_args, _stdin, read) => ({
      output: 'checked\n',
      exitCode: read('calc.txt')?.startsWith('right') ? 0 : 1,
    }));
    world.write('calc.txt', 'wrong\n');
    world.write('check.mjs', '// It checks.\n');
    const machine = world.machine();
    const onRecord = (record: JournalRecord): void => {
      if (!is(record)) return;
      machine.kill();
      throw new Error('killed');
    };
    await expect(runIn(world, provider(), { ...options, machine, onRecord })).rejects.toThrow();
    world.write('calc.txt', text);
    const { result } = await runIn(world, provider(), options);
    expect(result.ending).toBe(ending);
    expect(world.read('calc.txt')).toBe(text);
  },
);
