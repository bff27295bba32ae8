/** A plan that a person wanted to see before any work. */
import { describe, expect, it } from 'vitest';
import type { AskPlan, PlanAnswer, PlanQuestion } from '../../src/round/plan/plan-review.ts';
import { exitCodeOfResult } from '../../src/run/exit-codes.ts';
import type { RecordOf } from '../../src/schema/records.ts';
import { planCall } from '../support/leading.ts';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { journalOf, type RunIn, runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const goal = 'Write one.txt and two.txt';

const WORK: PlannedWork = {
  subtasks: [
    { action: 'write_file', file: 'one.txt', purpose: 'the first' },
    { action: 'write_file', file: 'two.txt', purpose: 'the second' },
  ],
  files: { 'one.txt': ['1\n'], 'two.txt': ['2\n'] },
};

/** Answers one after the other, and says what was asked and what lay in the folder then. */
function person(world: TestWorld, ...answers: readonly ((asked: PlanQuestion) => PlanAnswer)[]) {
  const asked: PlanQuestion[] = [];
  const left = [...answers];
  const askPlan: AskPlan = async (question) => {
    expect([world.read('one.txt'), world.read('two.txt')]).toEqual([null, null]);
    asked.push(question);
    return left.shift()?.(question) ?? { kind: 'none' };
  };
  return { asked, askPlan };
}

const yes = (): PlanAnswer => ({ kind: 'yes' });
const no = (): PlanAnswer => ({ kind: 'no' });
/** Without the second file. */
const shorter = ({ text }: PlanQuestion): PlanAnswer => ({
  kind: 'edited',
  text: text.replace(/- [^\n]*the second\n(?: .*\n)*/, ''),
});

const guided = (world: TestWorld, more: RunIn = {}, script: Script = diligentModel(WORK)) =>
  runIn(world, scriptedProvider(script), { goal, toolMode: 'json', agreePlan: true, ...more });

const plansOf = (world: TestWorld): readonly RecordOf<'plan_set'>[] =>
  journalOf(world).flatMap((record) => (record.type === 'plan_set' ? [record] : []));

describe('a yes', () => {
  it('comes before any work, is in the journal, and is asked for once', async () => {
    const world = testWorld();
    const { asked, askPlan } = person(world, yes);
    const { result } = await guided(world, { askPlan });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ goal, fault: '' });
    expect(asked[0]?.text).toContain('- the second\n  - does: write_file two.txt\n');
    expect(plansOf(world).map(({ by, why }) => [by, why])).toEqual([
      [undefined, 'as the model proposed'],
      ['person', 'agreed to'],
    ]);
    expect(result.state.agreement).toBe('given');
    expect(world.read('two.txt')).toBe('2\n');
  });

  it('is waited for where nobody can be asked, and comes with the next start', async () => {
    const world = testWorld();
    const waiting = await guided(world);
    expect(exitCodeOfResult(waiting.result)).toBe(6);
    expect(waiting.result.state.plan).not.toBeNull();
    const again = await guided(world, { goal: null, agreePlan: false });
    expect(exitCodeOfResult(again.result)).toBe(6);
    expect(world.read('one.txt')).toBeNull();
    const agreed = await guided(world, { goal: null, agree: true });
    expect(agreed.result.ending).not.toBe('paused');
    expect(plansOf(world).at(-1)?.by).toBe('caller');
    expect(world.read('two.txt')).toBe('2\n');
  });
});

it('is durable, and told to whoever listens, before a person is shown it', async () => {
  const world = testWorld();
  const told: string[] = [];
  let toldBefore: readonly string[] = [];
  const askPlan: AskPlan = async () => {
    toldBefore = [...told];
    return { kind: 'yes' };
  };
  const emit: RunIn['emit'] = (event) => {
    if (event.type === 'record') told.push(event.record.type);
  };
  await guided(world, { askPlan, emit });
  expect(toldBefore).toContain('plan_set');
});

describe('a no', () => {
  it('pauses with nothing done, and the next start asks again', async () => {
    const world = testWorld();
    const first = await guided(world, { askPlan: person(world, no).askPlan });
    expect(exitCodeOfResult(first.result)).toBe(6);
    expect(first.result.state.paused?.detail).toBe('The plan was not agreed to; nothing was done.');
    const { asked, askPlan } = person(world, yes);
    await guided(world, { goal: null, askPlan });
    expect(asked).toHaveLength(1);
    expect(world.read('one.txt')).toBe('1\n');
  });
});

describe('a function of the program that answers with no answer', () => {
  it.each<[string, () => unknown]>([
    ['it throws', () => Promise.reject(new Error('no window'))],
    ['it says nothing', async () => undefined],
    ['its text is missing', async () => ({ kind: 'edited' })],
  ])('leaves the plan waiting, with a warning: %s', async (_what, ask) => {
    const world = testWorld();
    const { result, events } = await guided(world, { askPlan: ask as AskPlan });
    expect(exitCodeOfResult(result)).toBe(6);
    expect(result.state.paused?.detail).toContain('waits for your yes');
    const warned = expect.stringContaining('asked about the plan failed');
    expect(events).toContainEqual({ type: 'notice', level: 'warning', text: warned });
  });

  it('does not hold up a run that is stopped', async () => {
    const stop = new AbortController();
    const askPlan: AskPlan = () => {
      stop.abort();
      return new Promise(() => {});
    };
    const { result } = await guided(testWorld(), { askPlan, signal: stop.signal });
    expect(result.state.paused?.why).toBe('interrupted');
  });
});

describe('an edited plan', () => {
  it('is the plan of the run; a text that is none comes back with its line', async () => {
    const world = testWorld();
    const { asked, askPlan } = person(
      world,
      ({ text }) => ({ kind: 'edited', text: text.replace('does: write_file one', 'dose: one') }),
      ({ text }) => shorter({ text: text.replace('dose: one', 'does: write_file one') } as never),
    );
    await guided(world, { askPlan });
    expect(asked[1]?.fault).toMatch(/^Line \d+: There is no "dose:"\. Did you mean "does:"\?$/);
    expect(asked[1]?.text).toMatch(/^<!-- Line \d+: There is no "dose:"/);
    expect(plansOf(world).at(-1)).toMatchObject({ by: 'person', why: 'edited and agreed to' });
    expect([world.read('one.txt'), world.read('two.txt')]).toEqual(['1\n', null]);
  });

  it('is what every process goes on with that is killed at a record, and nobody is asked twice', async () => {
    const calm = testWorld();
    await guided(calm, { askPlan: person(calm, shorter).askPlan });
    const records = journalOf(calm);
    for (const at of somePlaces(2, records.length + 1, 12)) {
      const world = testWorld();
      const machine = world.machine();
      const before = person(world, shorter);
      await guided(world, {
        ...{ machine, askPlan: before.askPlan },
        onRecord: (_record, index) => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        },
      }).catch(() => undefined);
      const isAgreed = plansOf(world).some(({ by }) => by !== undefined);
      const after = person(world, shorter);
      const askPlan: AskPlan = (question, signal) => after.askPlan(question, signal);
      await guided(world, { goal: null, agreePlan: false, askPlan });
      expect([at, after.asked.length]).toEqual([at, isAgreed ? 0 : 1]);
      expect([at, world.read('one.txt'), world.read('two.txt')]).toEqual([at, '1\n', null]);
      expect(plansOf(world).filter(({ by }) => by === 'person')).toHaveLength(1);
    }
  });
});

describe('a model that leads', () => {
  const write = (path: string, content: string) => ({
    name: 'write_file',
    args: { path, content },
  });
  const done = { name: 'mark_subtask_complete', args: { success: true, reason: 'written' } };

  it('does nothing of its reply for a plan that was changed, hears of it, and changes it not unseen', async () => {
    const world = testWorld();
    const { askPlan } = person(world, shorter);
    const heard: string[] = [];
    const replies = [
      { calls: [planCall(WORK), write('two.txt', '2\n')] },
      { calls: [planCall(WORK)] },
      { calls: [write('one.txt', '1\n'), done] },
    ];
    const script: Script = (request, n) => {
      heard.push(JSON.stringify(request.messages.slice(-2)));
      // Nothing of the first reply was done.
      if (n === 2) expect(world.read('two.txt')).toBeNull();
      return replies[n - 1] ?? { calls: [done] };
    };
    const { events } = await runIn(world, scriptedProvider(script), {
      ...{ goal, toolMode: 'native', agreePlan: true, askPlan, maxRounds: 6 },
    });
    const told = heard.join('\n');
    expect(told).toContain('I changed your plan before I agreed to it');
    const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
    expect(notices.join('\n')).toMatch(
      /The plan that you agreed to is changed .*new: write_file two/,
    );
    expect(plansOf(world)[1]).toMatchObject({ by: 'person', why: 'edited and agreed to' });
  });
});
