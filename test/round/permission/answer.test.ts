import { describe, expect, it } from 'vitest';
import { runAgent } from '../../../src/host/library/agent/run-agent.ts';
import { createSession } from '../../../src/host/library/create-session.ts';
import { type Ask, readPersonsAnswer, safeAsk } from '../../../src/round/permission/answer.ts';
import { fc } from '../../support/dice.ts';
import { asked, callingOwn, OWN_GOAL, runWith, SEND } from '../../support/own-tools.ts';
import { SCRIPTED_MODEL } from '../../support/scripted-provider.ts';
import { someKills } from '../../support/some-kills.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const YES = ['once', 'run', 'always'] as const;
const NOT_YES: readonly unknown[] = [
  ...['no', 'none', 'deny', 'yes', 'allow', 'ONCE', 'once ', ''],
  ...[false, true, 0, 1, null, undefined, {}, [], ['once'], () => 'once'],
  ...[{ behavior: 'deny' }, { behavior: 'allow' }, { kind: 'no' }, { kind: 'no', why: 7 }],
  ...[{ kind: 'none' }, { kind: 'yes' }, { kind: ['once'] }, { kind: 'once', allowed: false }],
  ...[
    { kind: 'once', by: 7 },
    { kind: 'once', door: 'x'.repeat(201) },
  ],
  ...[{ kind: 'once', input: 'all' }, new Proxy({}, { get: () => expect.fail('read') })],
];

/** What a tool that is asked about did, and what stands in the journal. */
async function runBy(ask: unknown) {
  const sent: string[] = [];
  const tools = [asked(({ to }) => void sent.push(to))];
  const { events, result } = await runWith(testWorld(), callingOwn(SEND), {
    ...{ tools, ask: ask as Ask },
  });
  const given = events.flatMap((event) =>
    event.type === 'record' && event.record.type === 'approval_given' ? [event.record] : [],
  );
  return { sent, given, events, result };
}

describe('an answer', () => {
  it('that says yes exactly is a yes, as a word or as an object', async () => {
    for (const kind of YES) {
      expect(readPersonsAnswer(kind)).toEqual({ kind });
      expect(readPersonsAnswer({ kind })).toEqual({ kind });
    }
    expect((await runBy(async () => 'always')).sent).toEqual(['ada']);
    const ada = { by: 'Ada', door: 'server' };
    expect(readPersonsAnswer({ kind: 'run', ...ada })).toEqual({ kind: 'run', ...ada });
    expect(readPersonsAnswer({ kind: 'no', ...ada })).toEqual({ kind: 'no', why: '', ...ada });
    const changed = await runBy(async () => ({ kind: 'once', input: { to: 'grace' } }));
    expect(changed.sent).toEqual(['grace']);
  });

  it('of every other kind carries nothing out, and a no has its reason in the journal', async () => {
    for (const answer of NOT_YES) expect(YES).not.toContain(readPersonsAnswer(answer).kind);
    // `npm run crash` lets a run hear each of them.
    for (const answer of someKills(NOT_YES, 6)) {
      const { sent, given } = await runBy(async () => answer);
      expect(sent).toEqual([]);
      expect(given.filter(({ allowed }) => allowed)).toEqual([]);
    }
    const { given } = await runBy(async () => ({ behavior: 'deny' }));
    expect(given).toMatchObject([{ allowed: false, why: expect.stringContaining('none of once') }]);
  });

  it('is a yes for none of any values', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => {
        const { kind } = readPersonsAnswer(value);
        const isYes = (one: unknown): boolean => (YES as readonly unknown[]).includes(one);
        const of = typeof value === 'object' && value !== null ? Object(value).kind : value;
        expect(isYes(kind)).toBe(isYes(kind) && isYes(of));
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...YES), fc.string(), fc.anything(), (kind, name, value) => {
        fc.pre(!['kind', 'input', '__proto__'].includes(name));
        expect(readPersonsAnswer({ kind, [name]: value })).toMatchObject({ kind: 'no' });
      }),
    );
  });

  it('that is thrown is a no and a warning, and the run goes on', async () => {
    const { sent, given, events, result } = await runBy(() => {
      throw new Error('no window');
    });
    expect([sent, result.ending]).toEqual([[], expect.not.stringMatching('paused')]);
    expect(given).toMatchObject([{ allowed: false, why: 'no window' }]);
    const notices = events.flatMap((event) => (event.type === 'notice' ? [event] : []));
    expect(notices).toContainEqual(
      expect.objectContaining({ level: 'warning', text: expect.stringContaining('no window') }),
    );
  });

  it('that nobody gave ends the message, and asks once', async () => {
    let asks = 0;
    const ask: Ask = async () => {
      asks += 1;
      if (asks > 3) throw new Error('asked again and again');
      return 'none';
    };
    const sent: string[] = [];
    const session = await createSession({
      ...{ workspace: WORKSPACE, provider: callingOwn(SEND), model: SCRIPTED_MODEL },
      ...{ tools: [asked(({ to }) => void sent.push(to))], ask, instructions: false },
      machine: testWorld().machine(),
    });
    const { ending, detail } = await session.send(OWN_GOAL);
    await session.close();
    expect([sent, asks, ending, detail]).toEqual([
      [],
      1,
      'interrupted',
      'a question was not answered',
    ]);
  });

  it('is asked of nobody once the question is withdrawn', async () => {
    const calls: unknown[] = [];
    const ask = safeAsk((question) => calls.push(question), expect.fail);
    const answer = await ask({} as Parameters<typeof ask>[0], AbortSignal.abort());
    expect([answer, calls]).toEqual([{ kind: 'none' }, []]);
  });

  it('counts the same in a conversation and for an agent', async () => {
    for (const answer of [undefined, 'once'] as readonly unknown[]) {
      const sent: string[] = [];
      const tools = [asked(({ to }) => void sent.push(to))];
      const ask = (async () => answer) as Ask;
      const place = { workspace: WORKSPACE, provider: callingOwn(SEND), model: SCRIPTED_MODEL };
      const shared = { tools, ask, instructions: false };
      const session = await createSession({
        ...{ ...place, ...shared, machine: testWorld().machine() },
      });
      await session.send(OWN_GOAL);
      await session.close();
      await runAgent({
        ...{ sessionKey: 'a', userMessage: OWN_GOAL },
        config: { ...place, ...shared, provider: callingOwn(SEND), machine: testWorld().machine() },
      });
      expect(sent).toEqual(answer === 'once' ? ['ada', 'ada'] : []);
    }
  });
});
