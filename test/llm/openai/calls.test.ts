import { describe, expect, it } from 'vitest';
import { callDelta, chunk, DONE, event } from '../../support/fake-openai-bodies.ts';
import { turn, WRITE_FILE } from '../support.ts';
import { answering } from './support.ts';

type Fragment = Parameters<typeof callDelta>[0];

const streaming = (fragments: readonly Fragment[], reason = 'tool_calls'): string =>
  [
    ...fragments.map((fragment) => event(chunk(callDelta(fragment)))),
    event(chunk({}, reason)),
    DONE,
  ].join('');

const A = { name: 'write_file', arguments: '{"path":"a"}' };
const B = { name: 'read_file', arguments: '{"path":"b"}' };

const CALLS = [
  { id: 'a', name: 'write_file', args: { path: 'a' } },
  { id: 'b', name: 'read_file', args: { path: 'b' } },
];
const UNNAMED = [
  { ...CALLS[0], id: 'call_2_1' },
  { ...CALLS[1], id: 'call_2_2' },
];

type Row = readonly [name: string, fragments: readonly Fragment[], calls: unknown];

const SERVERS: readonly Row[] = [
  [
    'fragments by index, one after the other',
    [
      { index: 0, id: 'a', name: 'write_file', arguments: '' },
      { index: 0, arguments: '{"pa' },
      { index: 0, arguments: 'th":"a"}' },
      { index: 1, id: 'b', name: 'read_file', arguments: '' },
      { index: 1, arguments: '{"path":"b"}' },
    ],
    CALLS,
  ],
  [
    'fragments by index, mixed',
    [
      { index: 0, id: 'a', name: 'write_file', arguments: '{"pa' },
      { index: 1, id: 'b', name: 'read_file', arguments: '{"path"' },
      { index: 0, arguments: 'th":"a"}' },
      { index: 1, arguments: ':"b"}' },
    ],
    CALLS,
  ],
  [
    'id and name repeated in every fragment',
    [
      { index: 0, id: 'a', name: 'write_file', arguments: '{"path":' },
      { index: 0, id: 'a', name: 'write_file', arguments: '"a"}' },
      { index: 1, id: 'b', ...B },
    ],
    CALLS,
  ],
  [
    'whole calls',
    [
      { index: 0, id: 'a', ...A },
      { index: 1, id: 'b', ...B },
    ],
    CALLS,
  ],
  [
    'whole calls that all have index 0',
    [
      { index: 0, id: 'a', ...A },
      { index: 0, id: 'b', ...B },
    ],
    CALLS,
  ],
  [
    'whole calls without index',
    [
      { id: 'a', ...A },
      { id: 'b', ...B },
    ],
    CALLS,
  ],
  ['whole calls without index and id', [A, B], UNNAMED],
  [
    'whole calls with index 0 and no id',
    [
      { index: 0, ...A },
      { index: 0, ...B },
    ],
    UNNAMED,
  ],
  [
    'two whole calls of one tool, with index 0 and no id',
    [
      { index: 0, ...A },
      { index: 0, ...A, arguments: '{"path":"b"}' },
    ],
    [UNNAMED[0], { id: 'call_2_2', name: 'write_file', args: { path: 'b' } }],
  ],
  [
    'fragments without index, by id',
    [
      { id: 'a', name: 'write_file', arguments: '{"path"' },
      { id: 'b', name: 'read_file', arguments: '{"path"' },
      { id: 'a', arguments: ':"a"}' },
      { id: 'b', arguments: ':"b"}' },
    ],
    CALLS,
  ],
  [
    'fragments without index and id',
    [{ name: 'write_file', arguments: '{"path"' }, { arguments: ':"a"}' }, B],
    UNNAMED,
  ],
  [
    'empty ids after the first fragment',
    [
      { index: 0, id: 'a', name: 'write_file', arguments: '{"path"' },
      { index: 0, id: '', name: '', arguments: ':"a"}' },
    ],
    [CALLS[0]],
  ],
  [
    'a whole call that is sent again at the end',
    [
      { index: 0, id: 'a', ...A },
      { index: 0, id: 'a', ...A },
    ],
    [CALLS[0]],
  ],
  [
    'arguments as an object',
    [{ index: 0, id: 'a', name: 'write_file', arguments: { path: 'a' } }],
    [CALLS[0]],
  ],
  [
    'arguments as text inside of text',
    [{ index: 0, id: 'a', name: 'write_file', arguments: JSON.stringify('{"path":"a"}') }],
    [CALLS[0]],
  ],
  ...([[''], [undefined], [null], ['{}'], ['null']] as const).map(
    ([args]) =>
      [
        `no arguments, as ${JSON.stringify(args)}`,
        [{ index: 0, id: 'a', name: 'list_dir', arguments: args }],
        [{ id: 'a', name: 'list_dir', args: {} }],
      ] as const,
  ),
];

describe('calls are put together from what servers make of them', () => {
  it.each(SERVERS)('%s', async (_, fragments, calls) => {
    const { provider } = await answering({ stream: streaming(fragments) });
    const result = await turn(provider, { tools: [WRITE_FILE] });
    expect(result.status).toEqual({ kind: 'success' });
    expect(result.message.toolCalls).toEqual(calls);
  });

  it('"stop" with calls means calls', async () => {
    const { provider } = await answering({
      stream: streaming([{ index: 0, id: 'a', ...A }], 'stop'),
    });
    const { events } = await turn(provider, { tools: [WRITE_FILE] });
    expect(events.at(-1)).toMatchObject({ reason: 'tool_calls', rawReason: 'stop' });
  });

  it('are announced as they are written', async () => {
    const { provider } = await answering({
      stream: streaming([
        { index: 0, id: 'a', name: 'write_file', arguments: '{"path":' },
        { index: 0, arguments: '"a"}' },
      ]),
    });
    const { events } = await turn(provider, { tools: [WRITE_FILE] });
    expect(events.slice(0, -1)).toEqual([
      { type: 'tool_call_started', index: 0, name: 'write_file' },
      { type: 'tool_call_arguments', index: 0, text: '{"path":' },
      { type: 'tool_call_arguments', index: 0, text: '"a"}' },
      { type: 'tool_call', call: CALLS[0] },
    ]);
  });

  it('never share an id with an earlier one', async () => {
    const { provider } = await answering({ stream: streaming([{ index: 0, id: 'a', ...A }]) });
    const toolCalls = [{ id: 'a', name: 'write_file', args: {} }];
    const { message } = await turn(provider, {
      tools: [WRITE_FILE],
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: '', toolCalls },
        { role: 'tool', toolCallId: 'a', toolName: 'write_file', content: 'ok' },
      ],
    });
    expect(message.toolCalls).toEqual([{ ...CALLS[0], id: 'a_2' }]);
  });
});

it('reads no call again for each of its fragments, where a server repeats its name', async () => {
  // Each fragment could end the call, so that each asks whether it is whole.
  const content = Array.from({ length: 8000 }, (_, index) => `{${index}} `).join('');
  const fragments = [...`{"path":"a","content":"${content}"}`.matchAll(/.{1,20}/gs)].map(
    ([text]) => ({
      ...{ index: 0, name: 'write_file', arguments: text },
    }),
  );
  const { provider } = await answering({ stream: streaming(fragments) });
  const { message } = await turn(provider, { tools: [WRITE_FILE] });
  expect(message.toolCalls).toMatchObject([{ name: 'write_file', args: { path: 'a', content } }]);
});

it('takes no more calls of a stream than an answer may have, named or not', async () => {
  const fragments = Array.from({ length: 1000 }, (_, index) => ({ index, arguments: '{}' }));
  const { provider } = await answering({ stream: streaming(fragments) });
  const { status, detail } = await turn(provider, { tools: [WRITE_FILE] });
  expect(status).toEqual({ kind: 'invalid_response' });
  expect(detail).toContain('more than 128 calls');
});

it.each(['constructor', '__proto__', 'toString'])(
  'takes %s for no reason to stop',
  async (reason) => {
    const { provider } = await answering({ stream: streaming([{ index: 0, ...A }], reason) });
    const { status, detail } = await turn(provider, { tools: [WRITE_FILE] });
    expect(status).toEqual({ kind: 'invalid_response' });
    expect(detail).toBe(`The answer ended for an unknown reason: "${reason}".`);
  },
);

it('says of a chunk that is nested without end that it has no known form', async () => {
  const data = `{"choices":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
  const { provider } = await answering({ stream: `data: ${data}\n\n` });
  const { status, detail } = await turn(provider, {});
  expect(status).toEqual({ kind: 'invalid_response' });
  expect(detail).toContain('unknown form');
});

const THIRD = { name: 'write_file', arguments: '{"path":"c","con' };

it.each<Row>([
  [
    'in fragments',
    [
      { index: 0, id: 'a', ...A },
      { index: 1, id: 'b', ...B },
      { index: 2, id: 'c', ...THIRD },
    ],
    CALLS,
  ],
  [
    'with a last one that looks whole, since some servers close what was left open',
    [
      { index: 0, id: 'a', ...A },
      { index: 1, id: 'b', ...B },
    ],
    [CALLS[0]],
  ],
  [
    'up to the first that is not whole',
    [
      { index: 0, id: 'a', ...A },
      { index: 1, id: 'c', ...THIRD },
      { index: 2, id: 'b', ...B },
    ],
    [CALLS[0]],
  ],
  ['alone', [{ index: 0, id: 'a', ...A }], undefined],
])('of an answer that was cut off, calls %s', async (_, fragments, calls) => {
  const { provider } = await answering({ stream: streaming(fragments, 'length') });
  const { message, status } = await turn(provider, { tools: [WRITE_FILE] });
  expect(status).toEqual({ kind: 'truncated' });
  expect(message.toolCalls).toEqual(calls);
});
