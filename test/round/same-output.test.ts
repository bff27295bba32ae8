/** Output that a model still has in front of it is not told a second time. */
import { describe, expect, it } from 'vitest';
import { foldCompacted } from '../../src/context-manager/fold/messages/compacted.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import type { Located, RecordOf } from '../../src/schema/records.ts';
import type { MessageRef, RunState } from '../../src/schema/state.ts';
import { type RunIn, runIn } from '../support/run-in.ts';
import { LARGE, type ScriptedOptions, scriptedProvider } from '../support/scripted-provider.ts';
import { someKills } from '../support/some-kills.ts';
import { testWorld } from '../support/test-machine.ts';

const ERRORS = Array.from({ length: 40 }, (_, n) => `src/a.ts(${n},1): error TS2304: no name`);

/** `node check.mjs` prints what the file `errors` holds; all other programs print one line. */
function project(errors = ERRORS.join('\n')) {
  const world = testWorld((args, _stdin, read) =>
    args[0] === 'check.mjs'
      ? { output: `${read('errors')}\n`, exitCode: 2 }
      : { output: 'short\n', exitCode: 0 },
  );
  world.write('errors', errors);
  world.write('check.mjs', '// prints what is wrong\n');
  return world;
}

const call = (name: string, args: { readonly [name: string]: unknown }) => ({ name, args });
const check = call('run_cmd', { cmd: 'node check.mjs' });
const PLAN = call('set_plan', {
  tasks: [{ description: 'it', subtasks: [{ do: 'see' }] }],
});

/** The checker, something else, the checker again, and on. */
const model = (behind: readonly ReturnType<typeof call>[], options: ScriptedOptions = LARGE) => {
  const replies = [
    [PLAN],
    [check],
    [call('write_file', { path: 'new.txt', content: 'new\n' }), ...behind],
    [check],
    [call('write_file', { path: 'new.txt', content: 'newer\n' })],
    [check],
  ];
  return scriptedProvider((_, n) => ({ calls: replies[n - 1] ?? [PLAN] }), options);
};

const LIMITS = { goal: 'Look at the errors', maxRounds: 7, yes: true } as const;

const resultsIn = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).flatMap(({ content }) =>
    content.includes('exit code 2') ? [content] : [],
  );

async function told(world = project(), behind: Parameters<typeof model>[0] = [], more: RunIn = {}) {
  const provider = model(behind);
  await runIn(world, provider, { ...LIMITS, ...more });
  return { requests: provider.requests, results: resultsIn(provider.requests[6]) };
}

const SHORT =
  /^exit code 2\n\[The same output as of node check\.mjs above, to the byte: \d+ characters\]$/;

describe('the same output again', () => {
  it('is told in one short line as long as the first is there, and the journal keeps it', async () => {
    const world = project();
    const provider = model([]);
    const { records } = await runIn(world, provider, LIMITS);
    const results = resultsIn(provider.requests[6]);
    expect(results[0]).toContain(ERRORS[39]);
    expect(results.slice(1)).toEqual([expect.stringMatching(SHORT), expect.stringMatching(SHORT)]);
    const kept = records.filter(({ type }) => type === 'action_finished') as { result?: unknown }[];
    expect(kept.filter(({ result }) => String(result).includes(ERRORS[39] ?? ''))).toHaveLength(3);
  });

  it.each([
    ['other by one letter', project(), 'edit'],
    ['too little to matter', project('one error'), ''],
  ])('is told whole where it is %s', async (_what, world, edit) => {
    const change = [
      call('read_file', { path: 'errors' }),
      call('write_file', { path: 'errors', content: `${ERRORS.join('\n')}x` }),
    ];
    const { results } = await told(world, edit === '' ? [] : change);
    expect(results).toHaveLength(3);
    expect(results[1]).toContain(edit === '' ? 'one error' : `${ERRORS[39]}x`);
    expect(results[1]).not.toMatch(SHORT);
  });

  it('is asked to the byte the same where the process was killed before the question', async () => {
    const whole = await told();
    const last = whole.requests.at(-1);
    const { records } = await runIn(project(), model([]), LIMITS);
    const said = records.flatMap((one, at) =>
      one.type === 'message_added' && one.sameAs !== undefined ? [at + 1] : [],
    );
    expect(said).toHaveLength(2);
    const places = said.flatMap((one) => [one - 1, one]);
    for (const at of someKills(places, 3)) {
      const world = project();
      const machine = world.machine();
      const provider = model([]);
      const killed = runIn(world, provider, {
        ...LIMITS,
        machine,
        onRecord: (_, index) => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        },
      });
      await expect(killed).rejects.toThrow('killed');
      await runIn(world, provider, LIMITS);
      expect(provider.requests.at(-1)?.messages, `killed after record ${at}`).toEqual(
        last?.messages,
      );
    }
  });
});

describe('a message that says that it is the same', () => {
  const ref = (seq: number, rest: Partial<MessageRef> = {}): MessageRef => ({
    ...{ seq, offset: seq * 100, role: 'tool', cause: 'tool_result', length: 2_000 },
    ...rest,
  });
  const conversation = [
    ref(1),
    ref(2),
    ref(3, { length: 90, same: { as: 2, offset: 250, length: 2_000 } }),
  ];
  const state = {
    ...{ conversation, pending: null, lastTurn: null, usage: {}, counters: { compactions: 0 } },
    overflowRecovery: { compactions: 0, cuts: 0, isSubtaskOver: false },
  } as unknown as RunState;
  const compacted = (toSeq: number) =>
    foldCompacted(state, {
      ...{ type: 'compacted', fromSeq: 1, toSeq, text: 'short', seq: 9, ts: 0, durable: 8 },
      offset: 900,
    } as unknown as Located<RecordOf<'compacted'>>).conversation.at(-1);

  it('is whole again once that message is gone, and not before', () => {
    expect(compacted(1)).toEqual(conversation[2]);
    expect(compacted(2)).toEqual(ref(3, { offset: 250, length: 2_000 }));
  });
});
