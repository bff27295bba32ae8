import { describe, expect, it } from 'vitest';
import type { MessageCause } from '../../src/schema/model/message-cause.ts';
import type { RunState } from '../../src/schema/state.ts';
import { afterPerson } from '../../src/steps/passed-on.ts';
import type { Step } from '../../src/steps/step.ts';
import { bareState } from '../support/run-state.ts';

const ask = (cause: MessageCause | null): Step => ({
  do: 'ask',
  question: { kind: 'action', open: [] },
  cause,
  tries: 0,
});

const waiting = (isDue: boolean): Partial<RunState> => ({
  person: { waiting: [{ seq: 9, offset: 9, text: 'use tabs', isDue }], told: [] },
});

const lastSaid = (cause: MessageCause): Partial<RunState> => ({
  conversation: [{ seq: 7, offset: 7, role: 'user', cause, length: 3 }],
});

const next = (step: Step, more: Partial<RunState>): string =>
  afterPerson(step, bareState('free', more)).do;

describe('what a person said', () => {
  it('goes before the next question', () => {
    expect(next(ask(null), { ...waiting(true), ...lastSaid('tool_result') })).toBe('pass_on');
    expect(next(ask('content_question'), { ...waiting(true), ...lastSaid('plan_refused') })).toBe(
      'pass_on',
    );
  });

  it('waits for the end of the turn under way', () => {
    expect(next(ask(null), { ...waiting(false), ...lastSaid('tool_result') })).toBe('ask');
  });

  it('never comes between a question and its answer', () => {
    for (const cause of ['plan_refused', 'content_question', 'refusal'] as const)
      expect(next(ask(null), { ...waiting(true), ...lastSaid(cause) })).toBe('ask');
  });

  it('waits for the end of a conversation beside the main one', () => {
    expect(next(ask('repair_question'), { ...waiting(true), mainConversation: [] })).toBe('ask');
  });

  it('holds up nothing that is no question', () => {
    expect(next({ do: 'tell' }, waiting(true))).toBe('tell');
    expect(next({ do: 'finish', ending: 'achieved', detail: '' }, waiting(true))).toBe('finish');
  });
});
