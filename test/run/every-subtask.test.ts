/** A goal is reached only with every subtask of its plan: what was refused, allowed, and planned anew. */

import { describe, expect, it } from 'vitest';
import { missingRules } from '../../src/cli/render/records/permissions.ts';
import { doneOf, livingSubtasks } from '../../src/prompts/subtask.ts';
import { neededPermissions, notDoneText } from '../../src/steps/gate/not-done.ts';
import { dice, fc } from '../support/dice.ts';
import {
  ADD,
  COMMIT,
  ends,
  givesUp,
  INSTALL,
  plans,
  playing,
  type Replies,
  runs,
  VIEW,
  WRITE,
  WRITES,
} from '../support/playing.ts';
import type { Told } from '../support/run-in.ts';
import type { ScriptedCall } from '../support/scripted-provider.ts';

const whyOf = ({ result }: Told): string =>
  result.ending === 'paused' ? result.why : result.ending;

const rulesOf = ({ result }: Told): readonly string[] =>
  neededPermissions(result.state).flatMap(({ rules }) => rules);

const replans = ({ records }: Told): readonly string[] =>
  records.flatMap((one) => (one.type === 'replan_started' ? [String(one.why)] : []));

const lastSaid = ({ provider }: ReturnType<typeof playing>): string =>
  provider.requests.at(-1)?.messages.at(-1)?.content ?? '';

describe('a subtask that waits for a permission', () => {
  const UNTIL_ADD: Replies = [
    [plans(WRITE, 'commit it'), WRITES, ends(true), ADD],
    [givesUp("--allow 'git add *'")],
  ];

  it('is gone on with when it is given: what the proof shows is not all of the goal', async () => {
    const play = playing([...UNTIL_ADD, [ADD, COMMIT, ends(true, 'it is committed')]]);
    const waits = await play.first();
    expect(whyOf(waits)).toBe('waiting_for_person');
    expect(waits.result.state.proof?.passed).toBe(true);
    const { result } = await play.start(['git add *', 'git commit *']);
    expect(lastSaid(play)).toContain(
      'Allowed now: git add *. If you still need a call that was refused, make exactly the same call again. The plan stays. Go on with 1.2.',
    );
    expect(play.ran()).toContain('/usr/bin/git add hello.mjs');
    expect(play.ran()).toContain('/usr/bin/git commit -m a b');
    expect(result.ending).toBe('achieved');
  });

  it('is named where the model gives up again, and nothing is claimed', async () => {
    const play = playing([...UNTIL_ADD, [givesUp('more')]]);
    await play.first();
    const again = await play.start(['git add *']);
    expect(play.provider.requests).toHaveLength(3);
    expect(again.result.ending).not.toBe('achieved');
    expect(notDoneText(again.result.state)).toBe(
      '1.2 commit it (git add hello.mjs was refused, is allowed since, and was not made in the same words)',
    );
  });

  it('is not done by a proof either where nothing was refused', async () => {
    const play = playing([
      [plans(WRITE, 'commit it'), WRITES, ends(true)],
      [givesUp('a better model')],
    ]);
    const { result } = await play.first();
    expect(result).toMatchObject({ ending: 'unverified', detail: 'not done: 1.2 commit it' });
  });

  it('asks nobody to allow a proof that cannot complete what the model gave up', async () => {
    const asked: string[] = [];
    const planned = plans(WRITE, 'commit it');
    const withProof = { ...planned, args: { ...planned.args, proof: { cmd: 'make check' } } };
    const play = playing([[withProof, WRITES], [givesUp('a compiler')]], [], async ({ target }) => {
      asked.push(target);
      return { kind: 'once' };
    });
    const { result } = await play.first();
    expect(asked).toEqual([]);
    expect(play.ran().filter((line) => line.includes('make'))).toEqual([]);
    expect(result).toMatchObject({
      ...{ ending: 'failed', detail: 'the model gave up: It cannot be finished here.' },
    });
  });

  it('is not done either where a person refused its call while the model was at another one', async () => {
    const args = { success: true, ids: ['1.1', '1.2'], summary: 'hello.mjs says hello.' };
    const both = { name: 'mark_subtask_complete', args };
    const begun = [plans(WRITE, 'install zod'), WRITES, INSTALL];
    const replies = [begun, [runs('node hello.mjs')], [both], [both]];
    const play = playing(replies, [], async () => ({ kind: 'no', why: 'do without' }));
    const { result } = await play.first();
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: expect.stringContaining('not done: 1.2 install zod (npm install zod was refused)'),
    });
  });

  it('the end says why the model gave up, not what it said of the part before', async () => {
    const { result } = await playing(UNTIL_ADD).first();
    expect(result.summary).toBe("It cannot be finished here. It needs: --allow 'git add *'");
  });
});

describe('a plan that was replaced', () => {
  const REPLACED: Replies = [
    [plans('look for zod', WRITE), VIEW, INSTALL],
    [ends(false, 'it is not there')],
    [plans(WRITE, 'install zod'), WRITES, ends(true)],
  ];

  it('takes what it was refused with it once all of the next one is done', async () => {
    const play = playing([...REPLACED, [runs('node hello.mjs'), ends(true)]]);
    const told = await play.first();
    expect(told.records.filter(({ type }) => type === 'replanned')).toHaveLength(1);
    expect(replans(told)).toEqual([]);
    expect(whyOf(told)).toBe('achieved');
  });

  it('may still need it where the next one is open, and is not counted as done', async () => {
    const play = playing([...REPLACED, [givesUp("--allow 'npm install *'")]]);
    const told = await play.first();
    expect(whyOf(told)).toBe('waiting_for_person');
    expect(rulesOf(told)).toEqual(['run_cmd(npm install *)']);
    expect(missingRules(told.result.state)).toEqual(['npm install *']);
    const text = notDoneText(told.result.state);
    expect(told.result.state.plan && doneOf(told.result.state.plan)).toBe('1 of 2');
    expect(text).toMatch(/^\d\.2 install zod; npm install zod was refused$/);
  });

  it('may still need it, too, where the model itself replaced it', async () => {
    const play = playing([
      [plans('install zod', WRITE), VIEW, INSTALL],
      [plans(WRITE, 'install zod'), WRITES, ends(true)],
      [givesUp("--allow 'npm install *'")],
    ]);
    const told = await play.first();
    expect(replans(told)).toEqual([]);
    expect(rulesOf(told)).toEqual(['run_cmd(npm install *)']);
    expect(notDoneText(told.result.state)).toMatch(
      /^\d\.2 install zod; npm install zod was refused$/,
    );
  });

  it('is not needed where the model says that something else is', async () => {
    const play = playing([...REPLACED, [ADD], [givesUp("--allow 'git add *'")]]);
    expect(missingRules((await play.first()).result.state)).toEqual(['git add *']);
  });

  it('needs all of it where the model does not say what', async () => {
    const play = playing([...REPLACED, [givesUp('a yes')]]);
    const told = await play.first();
    expect(rulesOf(told)).toEqual(['run_cmd(npm view *)', 'run_cmd(npm install *)']);
    expect(notDoneText(told.result.state)).toContain(
      'npm view zod version and npm install zod were refused',
    );
  });
});

describe('calls that are refused', () => {
  it('are no reason for another plan where each is another call', async () => {
    const play = playing([
      [plans(WRITE), INSTALL, VIEW],
      [COMMIT, ADD],
      [WRITES, ends(true)],
    ]);
    const told = await play.first();
    expect(replans(told)).toEqual([]);
    expect(play.provider.requests[2]?.messages.at(-1)?.content).not.toContain('did not work');
  });

  it('are one where the model insists on the same call', async () => {
    const insists = [[plans(WRITE)], [INSTALL, INSTALL], [INSTALL], [INSTALL]];
    const told = await playing(insists, ['npm *']).first();
    expect(replans(told)[0]).toContain('the same calls came again and again');
  });

  it('are one, too, where nothing else comes', async () => {
    const others = Array.from({ length: 10 }, (_, n) => [runs(`npm install a${n}`)]);
    const told = await playing([[plans(WRITE)], ...others], ['npm *']).first();
    expect(replans(told).length).toBeGreaterThan(0);
  });
});

it('whatever a model does and a person allows, achieved means that every subtask is done', async () => {
  const call = fc.constantFrom(
    ...[WRITES, WRITES, ADD, COMMIT, ends(true), ends(true), ends(false), givesUp('more')],
    ...[plans(WRITE, 'commit it'), plans(WRITE)],
  );
  const replies = fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), { maxLength: 8 });
  const allowed = fc.subarray(['git add *', 'git commit *']);
  let achieved = 0;
  await fc.assert(
    fc.asyncProperty(replies, fc.array(allowed, { maxLength: 2 }), async (said, starts) => {
      const play = playing([[plans(WRITE, 'commit it')], [WRITES, ends(true)], ...said]);
      let told = await play.first();
      for (const rules of starts) {
        if (told.result.ending !== 'paused') break;
        told = await play.start(rules);
      }
      if (told.result.ending !== 'achieved') return;
      achieved += 1;
      const { plan, refused = [] } = told.result.state;
      const left = (plan ? livingSubtasks(plan) : []).filter(
        ({ id, status }) =>
          status !== 'completed' &&
          (status !== 'unverified' || refused.some(({ subtask }) => subtask === id)),
      );
      expect(left).toEqual([]);
    }),
    { numRuns: dice(6, 60), seed: 25 },
  );
  expect(achieved).toBeGreaterThan(0);
});

describe('a subtask of two things, one of which was refused', () => {
  const PUSH = runs('git push origin main');

  it.each([
    ['behind the other', [WRITES, PUSH]],
    ['in front of the other', [PUSH, WRITES]],
  ])('is not done by the other: it stood %s', async (_where, calls) => {
    const claims = ends(true, 'written and pushed');
    const { first, ran } = playing([[plans(`${WRITE} and push`)], [...calls, claims], [claims]]);
    const told = await first();
    expect(whyOf(told)).toBe('unverified');
    expect(told.result).toMatchObject({
      detail: expect.stringContaining('git push origin main was refused'),
    });
    expect(ran()).not.toContain('git push origin main');
  });

  it('is done where what was refused would only have looked', async () => {
    const look: ScriptedCall = { name: 'read_file', args: { path: '../outside.txt' } };
    const { first } = playing([[plans(WRITE)], [look, WRITES, ends(true)]]);
    expect(whyOf(await first())).toBe('achieved');
  });
});
