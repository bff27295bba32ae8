/** How long an answer to one call holds. */
import { describe, expect, it } from 'vitest';
import { usedAnswers } from '../../../src/context-manager/fold/calls/permissions.ts';
import { createSession } from '../../../src/host/library/create-session.ts';
import type { Ask } from '../../../src/round/permission/answer.ts';
import type { JournalRecord } from '../../../src/schema/records.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { asked, callingOwn, runWith, SEND } from '../../support/own-tools.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

/** Who is asked, with these answers in turn, and what the tool did. */
function answering(...answers: readonly unknown[]) {
  const sent: string[] = [];
  const questions: string[] = [];
  const ask = (async ({ target, input }: { target: string; input: unknown }) => {
    questions.push(target || JSON.stringify(input));
    return answers[questions.length - 1] ?? 'none';
  }) as unknown as Ask;
  return { sent, questions, ask, tools: [asked(({ to }) => void sent.push(to))] };
}

/** A model that makes the same call in each message, and then says that it did. */
const repeating = () =>
  scriptedProvider(
    ({ messages }) => (messages.at(-1)?.role === 'user' ? { calls: [SEND] } : { text: 'Done.' }),
    LARGE,
  );

async function talkOf(messages: number, answers: readonly unknown[]) {
  const { sent, questions, ask, tools } = answering(...answers);
  const session = await createSession({
    ...{ workspace: WORKSPACE, provider: repeating(), model: SCRIPTED_MODEL },
    ...{ tools, ask, instructions: false, machine: testWorld().machine() },
  });
  const endings: string[] = [];
  for (let n = 0; n < messages; n += 1) endings.push((await session.send('Send it.')).ending);
  await session.close();
  return { sent, asks: questions.length, endings };
}

describe('a yes, this once', () => {
  it('is for one call: the same call is asked about again, in a run', async () => {
    const { sent, questions, ask, tools } = answering('once', 'once', 'no');
    await runWith(testWorld(), callingOwn(SEND, SEND, SEND), { tools, ask });
    expect([sent, questions.length]).toEqual([['ada', 'ada'], 3]);
  });

  it('and in a conversation', async () => {
    const { sent, asks } = await talkOf(3, ['once', 'no', 'once']);
    expect([sent, asks]).toEqual([['ada', 'ada'], 3]);
  });

  it('with another input changes that call alone', async () => {
    const changed = { kind: 'once', input: { to: 'grace' } };
    const { sent, asks } = await talkOf(2, [changed, 'once']);
    expect([sent, asks]).toEqual([['grace', 'ada'], 2]);
  });

  it('is not needed where a rule was given with it', async () => {
    const { sent, asks } = await talkOf(3, ['run']);
    expect([sent, asks]).toEqual([['ada', 'ada', 'ada'], 1]);
  });
});

describe('an answer whose call was cut off', () => {
  const ended = (status: string, more: object = {}): JournalRecord =>
    ({ type: 'action_finished', id: 'a', status, ...more }) as unknown as JournalRecord;
  const begun = { intents: { a: { answered: ['q'] } } } as unknown as RunState;
  const none = { intents: {} } as unknown as RunState;

  it('is used up where the call had begun, whoever says how it ended', () => {
    for (const status of ['ok', 'error', 'interrupted', 'cancelled'])
      expect(usedAnswers(begun, ended(status)), status).toEqual(['q']);
    expect(usedAnswers(none, ended('ok', { answered: ['q'] }))).toEqual(['q']);
  });

  it('still holds where it had not', () => {
    expect(usedAnswers(begun, ended('not_run'))).toEqual([]);
    expect(usedAnswers(none, ended('cancelled', { answered: ['q'] }))).toEqual([]);
  });
});

describe('a no', () => {
  it('holds in a run: the same call is not asked about again', async () => {
    const { sent, questions, ask, tools } = answering('no', 'once');
    await runWith(testWorld(), callingOwn(SEND, SEND), { tools, ask });
    expect([sent, questions.length]).toEqual([[], 1]);
  });

  it('holds in a conversation until the person says something else', async () => {
    const { sent, asks } = await talkOf(2, ['no', 'once']);
    expect([sent, asks]).toEqual([['ada'], 2]);
  });
});
