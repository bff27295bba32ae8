/** Proofs of a model that leads: the reason of a failure is told, and none is swapped for an easier one. */
import { describe, expect, it } from 'vitest';
import { runIn } from '../support/run-in.ts';
import { LARGE, type ScriptedCall, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
const done = call('mark_subtask_complete', { success: true, reason: 'as asked' });
const plan = (more: object) =>
  call('set_plan', {
    tasks: [{ description: 'the work', subtasks: [{ do: 'make it right', files: ['sum.mjs'] }] }],
    ...more,
  });
const write = (content: string) => call('write_file', { path: 'sum.mjs', content });
const WRONG = write('console.log(3);\n');
const RIGHT = write('console.log(1 + 2);\n');
const HARD = 'node hard.mjs';
const EASY = 'node sum.mjs';
const REASON = `sum of ${'1 + 1 + '.repeat(55)}1 is wrong`;

type Replies = readonly (readonly ScriptedCall[])[];

/** The hard one fails for a long reason as long as nothing is added up. */
async function run(replies: Replies) {
  const world = testWorld((args, _stdin, see) =>
    see('sum.mjs') === null
      ? { output: '', exitCode: 1 }
      : args.some((arg) => arg.includes('hard')) && !see('sum.mjs')?.includes('+')
        ? { output: `${REASON}\n`, exitCode: 1 }
        : { output: '3\n', exitCode: 0 },
  );
  world.write('hard.mjs', 'check();\n');
  const provider = scriptedProvider(({ messages }) => {
    const said = messages.filter(({ role }) => role === 'assistant').length;
    return { calls: replies[said] ?? [done] };
  }, LARGE);
  const told = await runIn(world, provider, { goal: 'Write sum.mjs: node sum.mjs prints "3"' });
  return { ...told, requests: provider.requests };
}

describe('a proof that fails', () => {
  it('is why the plan is looked at again, and how the run ends, with its whole reason', async () => {
    const { result, requests } = await run([[plan({ proof: { cmd: HARD } }), WRONG, done]]);
    const asked = requests.flatMap(({ messages }) => messages.map(({ content }) => content));
    const again = asked.find((text) => text.startsWith('The plan did not work:'));
    expect(again).toContain(REASON);
    expect(result.detail).toContain(REASON);
  });
});

describe('a proof and the input that its command was tried with', () => {
  const GOAL = 'Write sum.mjs: node sum.mjs prints "5" for 2 3';
  const replies = (proof: object) => [
    [
      plan({ proof: { cmd: EASY, ...proof } }),
      WRONG,
      call('run_cmd', { cmd: EASY, stdin: '4 5\n' }),
      done,
    ],
  ];
  const checked = async (proof: object, more: object = {}) => {
    const world = testWorld((_args, stdin = '', see) =>
      see('sum.mjs') === null
        ? { output: '', exitCode: 1 }
        : { output: stdin.startsWith('4') ? '9\n' : '5\n', exitCode: 0 },
    );
    const provider = scriptedProvider(({ messages }) => {
      const said = messages.filter(({ role }) => role === 'assistant').length;
      return { calls: replies(proof)[said] ?? [done] };
    }, LARGE);
    const { records } = await runIn(world, provider, { goal: GOAL, ...more });
    return records.findLast((one) => one.type === 'check_ran' && one.proof && !one.scratch);
  };

  it('keeps the input and the output that it states', async () => {
    const proof = { stdin: '2 3\n', prints: '5' };
    expect(await checked(proof)).toMatchObject({ check: { cmd: EASY, ...proof }, passed: true });
  });

  it('gets no input that the person did not give it', async () => {
    const ran = await checked({}, { proof: EASY });
    expect(ran).toMatchObject({ check: { cmd: EASY } });
    expect(ran).not.toHaveProperty('check.stdin');
  });
});

describe('tests that were there and are the proof', () => {
  const TESTS = 'node --test sum.test.mjs';
  const RUN = call('run_cmd', { cmd: TESTS });
  const LOOKS = call('run_cmd', { cmd: 'node --version' });
  const testsWith = async (work: readonly ScriptedCall[], leaves: string | null = null) => {
    const world = testWorld((_args, _stdin, see) => {
      if (leaves !== null) world.write(leaves, 'a\n');
      return see('sum.mjs')?.includes('+')
        ? { output: 'Tests  1 passed (1)\n', exitCode: 0 }
        : { output: 'not ok 1 - adds\nTests  1 failed (1)\n', exitCode: 1 };
    });
    world.write('sum.test.mjs', 'check();\n');
    world.write('sum.mjs', 'console.log(3);\n');
    const reads = call('read_file', { path: 'sum.mjs' });
    const replies = [[plan({ proof: { cmd: TESTS } }), ...work, reads, RIGHT, done]];
    const provider = scriptedProvider(({ messages }) => {
      const said = messages.filter(({ role }) => role === 'assistant').length;
      return { calls: replies[said] ?? [done] };
    }, LARGE);
    const { result, records } = await runIn(world, provider, { goal: 'Mend sum.mjs' });
    const ran = records.flatMap((one) =>
      one.type === 'action_intended' && one.args.cmd === TESTS ? [one.id] : [],
    );
    return { result, ran };
  };

  it('are run by the engine before the first change', async () => {
    const { result, ran } = await testsWith([]);
    expect(ran[0]).toBe('before#proof');
    expect(result.detail).toContain('before the first change it failed');
  });

  it.each([
    ['at once', [RUN], null],
    ['and leaves something behind', [RUN], 'report.xml'],
    ['behind a look', [LOOKS, RUN], null],
  ])('are not run a second time where the model runs them %s', async (_, work, leaves) => {
    const { result, ran } = await testsWith(work, leaves);
    expect(ran).not.toContain('before#proof');
    expect(result).toMatchObject({ ending: 'achieved' });
    expect(result.detail).toContain('before the first change it failed');
  });
});

describe('a model that answers a failed proof in words alone', () => {
  const TESTS = 'node --test sum.test.mjs';
  const talks = async (work: readonly ScriptedCall[]) => {
    const world = testWorld(() => ({
      output: 'not ok 1 - adds\nTests  1 failed (1)\n',
      exitCode: 1,
    }));
    world.write('sum.test.mjs', 'check();\n');
    world.write('sum.mjs', 'console.log(3);\n');
    const tasks = [{ description: 'the work', subtasks: [{ do: 'make it right' }] }];
    const begun = [plan({ tasks, proof: { cmd: TESTS } }), ...work];
    const provider = scriptedProvider(({ messages }) => {
      const isFirst = !messages.some(({ role }) => role === 'assistant');
      return isFirst ? { calls: begun } : { text: 'The sign is wrong; I will change it.' };
    }, LARGE);
    const { result, records } = await runIn(world, provider, { goal: 'Mend sum.mjs' });
    const proofs = records.filter(
      (one) => one.type === 'check_ran' && one.proof && one.when !== 'before',
    );
    return { result, turns: provider.requests.length, proofs, records };
  };

  it('pauses, and its proof is not run again', async () => {
    const { result, turns, proofs } = await talks([]);
    expect(proofs).toHaveLength(1);
    expect(turns).toBe(5);
    expect(result).toMatchObject({ ending: 'paused', why: 'stalled' });
  });

  it('plans again for the failed test where it has worked, and pauses then', async () => {
    const { result, proofs, records } = await talks([
      call('read_file', { path: 'sum.mjs' }),
      RIGHT,
    ]);
    const again = records.flatMap((one) => (one.type === 'replan_started' ? [one.why] : []));
    expect(again).toEqual([`${TESTS}: 1 of 1 failed`]);
    expect(proofs).toHaveLength(2);
    expect(result).toMatchObject({ ending: 'paused', why: 'stalled' });
  });
});

describe('a proof that takes the place of another', () => {
  const first = [plan({ proof: { cmd: HARD } }), WRONG, done];
  const second = plan({ proof: { cmd: EASY }, why: 'hard.mjs asks for too much' });

  it('proves nothing while the first one still fails: both are shown', async () => {
    const { result, records } = await run([first, [second, done]]);
    expect(records.some(({ type }) => type === 'replanned')).toBe(true);
    expect(result.state.proof).toMatchObject({ passed: true });
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: `${EASY} passes, but ${HARD}, by which it was to be proved first, still fails`,
    });
  });

  it('proves where the first one passes as well', async () => {
    const { result } = await run([first, [second, RIGHT, done]]);
    expect(result).toMatchObject({ ending: 'achieved' });
  });

  describe('which failed before the run', () => {
    const TESTS = 'node --test hard.test.mjs';
    const SEES = call('run_cmd', { cmd: TESTS });
    const hard = plan({ proof: { cmd: TESTS } });

    /** A file of the repository has a wrong type, and each file is a test that passes. */
    async function runWithOldError(replies: Replies, newError = '') {
      const world = testWorld((args, _stdin, see) => {
        if (!args.some((arg) => arg.includes('hard'))) return { output: '3\n', exitCode: 0 };
        const isWritten = see('sum.mjs') !== null;
        const tests = `Tests  ${isWritten ? 572 : 571}`;
        const error = `old.mjs: error: a wrong type\n${isWritten ? newError : ''}`;
        return { output: `${error} ${tests} passed (572)\n`, exitCode: 1 };
      });
      world.write('hard.test.mjs', 'check();\n');
      const provider = scriptedProvider(({ messages }) => {
        const said = messages.filter(({ role }) => role === 'assistant').length;
        return { calls: replies[said] ?? [done] };
      }, LARGE);
      const { result, records } = await runIn(world, provider, {
        goal: 'Write sum.mjs that prints 3',
      });
      const tried = records.filter((one) => one.type === 'check_ran' && one.scratch);
      return { result, tried };
    }

    const detail = `${EASY} passes, but ${TESTS}, by which it was to be proved first, fails as it did before this run (571 passed before, 572 now)`;

    it('is said to fail as before, with what became otherwise', async () => {
      const { result, tried } = await runWithOldError([
        [hard, SEES],
        [second, RIGHT, done],
      ]);
      expect(result).toMatchObject({ ending: 'unverified', detail });
      expect(tried).not.toEqual([]);
    });

    it('is not run again where it failed so since the last change', async () => {
      const { result, tried } = await runWithOldError([
        [hard, SEES, RIGHT, done],
        [second, done],
      ]);
      expect(result).toMatchObject({ ending: 'unverified', detail });
      expect(tried).toEqual([]);
    });

    it('is not said to do so where more of it fails', async () => {
      const { result } = await runWithOldError(
        [
          [hard, SEES, RIGHT, done],
          [second, done],
        ],
        'sum.mjs: error: a wrong type\n',
      );
      expect(result).toMatchObject({
        ending: 'unverified',
        detail: `${EASY} passes, but ${TESTS}, by which it was to be proved first, still fails`,
      });
    });
  });
});
