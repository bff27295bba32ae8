import { describe, expect, test } from 'vitest';
import { summaryOf } from '../../../../src/cli/render/ending/summary.ts';
import { createStyle } from '../../../../src/cli/render/text/style.ts';
import { eventLinesOf } from '../../../../src/cli/render/work/lines.ts';
import { explainError, shownErrorText } from '../../../../src/cli/show-error.ts';
import { ProviderError } from '../../../../src/llm/provider.ts';
import { NO_USAGE, type TurnStatus } from '../../../../src/schema/model/turn.ts';
import { NOTHING_MADE, paused, runState } from '../../support.ts';

const style = createStyle({ env: { LANG: 'C.UTF-8' }, platform: 'linux' }, { isTerminal: false });
const summary = (result: ReturnType<typeof paused>): string =>
  summaryOf(
    { result, workspace: '/w', resume: 'agent resume', elapsedMs: 1000, ...NOTHING_MADE },
    style,
    79,
  );

const lastTurn = (status: TurnStatus) => ({
  ...{ seq: 5, offset: 0, turn: 1, purpose: 'plan', target: null, status, detail: '' },
  ...{ decoded: 'text', error: '', usage: NO_USAGE },
});

describe('a refused key', () => {
  const told = ['Anthropic refused the key (401).', 'Check ANTHROPIC_API_KEY.'] as const;

  test('reads the same before a run and in it: a sentence, and the next step below', () => {
    const error = new ProviderError({ kind: 'auth_failed' }, ...told);
    expect(
      shownErrorText(explainError(error, 'agent'), error, false, 'agent').split('\n').slice(0, 2),
    ).toEqual(['Error: Anthropic refused the key (401).', '  Next: Check ANTHROPIC_API_KEY.']);
    const result = { ...paused('auth'), detail: told[0], hint: told[1] };
    expect(summary(result).split('\n').slice(0, 4)).toEqual([
      'Paused: the key was refused',
      '  Anthropic refused the key (401).',
      '  Next: Check ANTHROPIC_API_KEY.',
      '  Goal: Write a hello world script',
    ]);
  });
});

test.each([
  ['auth_failed', 0],
  ['quota_exceeded', 0],
  ['network_error', 1],
] as const)(
  'a request that ended with %s leaves %i lines: the pause names what nobody tries again',
  (kind, count) => {
    const view = { ...{ failure: '', calls: {}, plan: null } };
    const record = { type: 'turn_finished', seq: 5, status: { kind }, detail: 'It was refused.' };
    const event = {
      type: 'record',
      record: { ...record, purpose: 'plan', decoded: { kind: 'none' }, response: { content: '' } },
      state: runState(),
    };
    const lines = eventLinesOf(
      event as never,
      { before: view, after: view } as never,
      style.glyphs,
    );
    expect(lines.filter(({ level }) => level === 'normal')).toHaveLength(count);
  },
);

test.each([
  [{ kind: 'rate_limited' }, 'the server takes no more requests for now'],
  [{ kind: 'network_error', retryable: true }, 'the connection failed'],
  [{ kind: 'model_error', retryable: false }, 'the model cannot be used'],
  [{ kind: 'invalid_response' }, 'the answer could not be read'],
  [{ kind: 'success' }, 'the model gave no usable answer'],
] as const)('after %j the pause says: %s', (status, words) => {
  const result = paused('provider_unavailable');
  const state = runState({ lastTurn: lastTurn(status) as never });
  expect(summary({ ...result, state })).toContain(`Paused: ${words}\n`);
});

test('where files changed while nobody watched, the end names the undo, which says what they held', () => {
  const one = { before: 'a', after: 'b', isUnseen: true, seq: 3 };
  const commandChanges = { files: { 'a.txt': one }, uncovered: {}, more: 0 };
  const result = { ...paused('interrupted'), state: runState({ commandChanges }) };
  expect(summary(result)).toMatch(
    /Changed unobserved, by a command or somebody else: a\.txt\n {2}undo +agent undo\n/,
  );
});
