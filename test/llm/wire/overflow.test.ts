import { expect, it } from 'vitest';
import { overflowStatus } from '../../../src/llm/wire/overflow.ts';
import { TurnStatus } from '../../../src/schema/model/turn.ts';

it.each([
  ['The maximum context length is 8,192 tokens.', 8192],
  ['maximum context length is 99999999999999999999', undefined],
  ['prompt is too long', undefined],
])('%s', (text, windowTokens) => {
  const status = overflowStatus(text);
  expect(status).toEqual({ kind: 'context_overflow', windowTokens });
  expect(TurnStatus.safeParse(status).success).toBe(true);
});
