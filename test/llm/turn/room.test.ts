import { expect, it } from 'vitest';
import { repetitionWatch } from '../../../src/llm/turn/repetition.ts';
import { replyBuffer } from '../../../src/llm/turn/reply-buffer.ts';
import { BOUNDS } from '../../../src/llm/wire/bounds.ts';
import type { ModelEvent } from '../../../src/schema/model/turn.ts';

/** Never the same twice, so that nothing but the bound ends it. */
const text = (length: number): string => {
  let written = '';
  for (let count = 0; written.length < length; count += 1) written += `${count * 7919} `;
  return written.slice(0, length);
};

function fed(events: Iterable<ModelEvent>) {
  const reply = replyBuffer('any');
  for (const event of events) {
    reply.add(event);
    if (reply.problem() !== null) break;
  }
  return reply;
}

it.each([
  ['text', BOUNDS.text, 'The text of the answer is longer than 500,000 characters'],
  ['thinking', BOUNDS.thinking, 'The thinking of the model is longer than 1,000,000 characters'],
] as const)('cuts the %s of an answer off at its bound and says so', (type, most, said) => {
  const pieces = (length: number): ModelEvent[] => [{ type, text: text(length) }];
  expect(fed(pieces(most)).problem()).toBeNull();
  const reply = fed([...pieces(most), { type, text: 'more' }]);
  expect(reply.problem()).toBe(`${said}; the answer was ended there.`);
  expect(reply.content()[type]).toHaveLength(most);
});

it('cuts arguments off at their bound, as they stream and whole', () => {
  const said = 'The arguments of the calls are longer than 500,000 characters';
  const streamed = [text(300_000), text(300_000)].map(
    (piece): ModelEvent => ({ type: 'tool_call_arguments', index: 0, text: piece }),
  );
  expect(fed(streamed).problem()).toContain(said);
  const args = { content: text(BOUNDS.text) };
  const whole: ModelEvent = { type: 'tool_call', call: { id: 'a', name: 'b', args } };
  expect(fed([whole]).problem()).toContain(said);
});

it('takes 128 calls of one answer, and no more', () => {
  const call = (index: number): ModelEvent => ({
    type: 'tool_call',
    call: { id: `${index}`, name: 'a', args: { index } },
  });
  const calls = (count: number) => Array.from({ length: count }, (_, index) => call(index));
  expect(fed(calls(128)).problem()).toBeNull();
  expect(fed(calls(129)).problem()).toContain('more than 128 calls');
});

it('looks for repetition at the end of a line, however long the line is', () => {
  const watch = repetitionWatch();
  const line = text(400_000);
  const early = Array.from({ length: 100_000 }, (_, index) =>
    watch(line.slice(4 * index, 4 * index + 4)),
  );
  expect(early.filter(Boolean)).toEqual([]);
  const problems = Array.from({ length: 500 }, () => watch('ab c')).filter(Boolean);
  expect(problems[0]).toContain('repeats itself');
});
