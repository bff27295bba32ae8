/** Answers as they come, and what is looked for in them. */
import { plannableOf, readProposal } from '../../src/decompose/plan-schema.ts';
import { splitIntoLines } from '../../src/llm/http/lines.ts';
import { sseData } from '../../src/llm/http/sse.ts';
import { readTextCalls } from '../../src/llm/text-tool-calls/recover.ts';
import { readCodeBlock } from '../../src/llm/tool-modes/code-block.ts';
import { jsonMode } from '../../src/llm/tool-modes/json.ts';
import { replyBuffer } from '../../src/llm/turn/reply-buffer.ts';
import { judgeCall } from '../../src/tools/calls/validate-call.ts';
import { builtinTools, toolDefinitions } from '../../src/tools/registry.ts';
import { toolNamesOf } from '../../src/tools/toolset.ts';
import { TEXT_UNITS } from './hostile-texts.ts';
import { type Case, K, names, random, times } from './size-case.ts';

const tools = builtinTools({} as never);
const judge = (name: string, args: Record<string, unknown>) =>
  judgeCall({ id: 'x', name, args }, tools);
const read = (text: string) => readTextCalls(text, { judge, idPrefix: 'c', cutOff: false });
async function drain(stream: AsyncIterable<unknown>): Promise<number> {
  let n = 0;
  for await (const _ of stream) n += 1;
  return n;
}
async function* packets(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
function buffer(
  text: string,
  piece: number,
  type: 'text' | 'thinking' | 'tool_call_arguments' = 'text',
) {
  const reply = replyBuffer('x');
  for (let at = 0; at < text.length; at += piece) {
    reply.add(
      type === 'tool_call_arguments'
        ? { type, index: 0, text: text.slice(at, at + piece) }
        : { type, text: text.slice(at, at + piece) },
    );
    if (reply.problem()) return;
  }
}
const plannable = plannableOf(tools);
const plan = (json: unknown) => {
  const found = readProposal(json, plannable);
  if (found.ok) throw new Error('nothing of that size is a plan');
};
const decodeContext = {
  tools: toolDefinitions(tools),
  names: toolNamesOf(tools),
  callId: 'c',
  judge,
  target: () => ({ isFilled: false, isCode: true }),
};
const action = (answer: object) =>
  jsonMode.decode(
    { kind: 'action', open: [{ does: 'reads_files' }, { does: 'ends_subtasks' }] } as never,
    { role: 'assistant', content: JSON.stringify(answer) },
    decodeContext,
  );
const content = (text: string) =>
  jsonMode.decode(
    { kind: 'content', file: 'a.py' } as never,
    { role: 'assistant', content: text },
    decodeContext,
  );

export const ANSWERS: readonly Case[] = [
  [
    'plan: tasks',
    2_000,
    (n) => plan({ tasks: Array.from({ length: n }, () => ({ description: 'a', subtasks: [] })) }),
  ],
  [
    'plan: plain steps',
    2_000,
    (n) =>
      plan([
        {
          description: 'a',
          subtasks: Array.from({ length: n }, (_, i) => `write_file a${i}.py with all`),
        },
      ]),
  ],
  [
    'plan: one task, subtasks',
    2_000,
    (n) =>
      plan({
        tasks: [
          {
            description: 'a',
            subtasks: Array.from({ length: n }, (_, i) => ({
              action: 'write_file',
              file: `a${i}.py`,
              purpose: 'b',
            })),
          },
        ],
      }),
  ],
  [
    'plan: a long step',
    64 * K,
    (n) => plan([{ description: 'a', subtasks: [`write_file ${',:'.repeat(n)}x`] }]),
  ],
  [
    'plan: a long command',
    64 * K,
    (n) => plan([{ description: 'a', subtasks: [`run_cmd a${' '.repeat(n)}x to`] }]),
  ],
  [
    'json action: answer of spaces',
    64 * K,
    (n) => action({ action: 'mark_subtask_complete', answer: `${' \t\n'.repeat(n)}x` }),
  ],
  [
    'json action: answer of questions',
    64 * K,
    (n) => action({ action: 'mark_subtask_complete', answer: `${'? '.repeat(n)}x` }),
  ],
  ['json action: many keys', 16 * K, (n) => action({ action: 'read_file', ...names(n) })],
  ['json content: spaces', 125_000, (n) => content(`x${' '.repeat(n)}y`)],
  ['json content: quotes', 125_000, (n) => content(times('"""', n))],
  [
    'lines: one line in 1 kB packets',
    1024 * K,
    (n) => drain(splitIntoLines(packets('x'.repeat(n), K))),
  ],
  ['lines: many short', 1024 * K, (n) => drain(splitIntoLines(packets(times('ab\n', n), 16 * K)))],
  [
    'sse: one event of many lines',
    1024 * K,
    (n) => drain(sseData(packets(times('data: a\n', n), 16 * K), { last: 'D', onStray: () => {} })),
  ],
  ['reply: one line of text, 4 chars a piece', 256 * K, (n) => buffer(random(n), 4)],
  [
    'reply: call arguments, 4 chars a piece',
    256 * K,
    (n) => buffer(random(n), 4, 'tool_call_arguments'),
  ],
  [
    'block: spaces inside',
    64 * K,
    (n) => readCodeBlock(`\`\`\`\nx${' '.repeat(n)}y\n\`\`\``, 'a.py'),
  ],
  [
    'block: newlines inside',
    64 * K,
    (n) => readCodeBlock(`\`\`\`\nx${'\n'.repeat(n)}y\n\`\`\``, 'a.py'),
  ],
  ['block: backticks', 256 * K, (n) => readCodeBlock(times('`````x`\n', n), 'a.md')],
  ['block: one line of backticks', 256 * K, (n) => readCodeBlock(`${'`'.repeat(n)}x\``, 'a.md')],
  ['block: no fence', 64 * K, (n) => readCodeBlock(`A${' '.repeat(n)}y`, 'a.py')],
  ...TEXT_UNITS.map(
    ([name, unit]): Case => [`text calls: ${name}`, 125_000, (n) => read(times(unit, n))],
  ),
  ['text calls: open brace and spaces', 64 * K, (n) => read(`{${' '.repeat(n)}x`)],
  [
    'text calls: leading spaces',
    64 * K,
    (n) => read(`${' '.repeat(n)}{"read_file":{}}${' '.repeat(n)}x`),
  ],
  [
    'text calls: one call with a long string',
    512 * K,
    (n) =>
      read(JSON.stringify({ name: 'write_file', arguments: { path: 'a', content: random(n) } })),
  ],
  [
    'text calls: broken long string',
    512 * K,
    (n) => read(`{"name":"write_file","arguments":{"path":"a","content":"${times('a\\x\n', n)}"}}`),
  ],
];
