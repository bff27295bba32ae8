/** What stands below the answer to a message. */
import { expect, test } from 'vitest';
import { eventLines, usageText } from '../../../src/cli/chat/lines.ts';
import { createStyle } from '../../../src/cli/render/text/style.ts';
import type { SessionEvent } from '../../../src/schema/events/events.ts';
import type { ConversationState } from '../../../src/schema/state.ts';

const { glyphs } = createStyle(
  { env: { LANG: 'C.UTF-8', NO_COLOR: '1' }, platform: 'linux' },
  { isTerminal: false },
);
const usage = { input: 3000, output: 32, thinking: 0, cacheRead: 444, cacheWrite: 0, modelMs: 1 };

const state = (cost?: object) =>
  ({ settings: { numCtx: 10_000 }, usage: { cost } }) as unknown as ConversationState;

test('the price is that of the whole session, and is called so', () => {
  const paid = state({ usd: 0.0014, unknownTurns: 0 });
  expect(usageText(usage, paid, 1200, 3200, glyphs)).toBe(
    '3,444 tokens in, 32 out · context 12 % · session $0.0014 · 3.2 s',
  );
  expect(usageText(usage, state(), 1200, 3200, glyphs)).toBe(
    '3,444 tokens in, 32 out · context 12 % · 3.2 s',
  );
});

test('tokens of an answer that was stopped, which nobody reports, are not shown as zero', () => {
  const none = { ...usage, input: 0, output: 0, cacheRead: 0 };
  expect(usageText(none, state(), 1200, 3200, glyphs)).toBe('context 12 % · 3.2 s');
});

test('a run of tests says how many passed, as in the screen of a run', () => {
  const record = {
    ...{ type: 'action_finished', seq: 7, tool: 'run_cmd', target: 'npm test', status: 'ok' },
    ...{ touches: 'process', hashes: {}, result: '' },
    facts: { exitCode: 0, durationMs: 1200, tests: { failed: 0, passed: 3 } },
  };
  const event = { type: 'record', record } as unknown as SessionEvent;
  expect(eventLines(event, glyphs)[0]?.text).toBe('✓ run npm test · 3 passed · 1.2 s');
});
