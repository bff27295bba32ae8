/** A stream that is cut at every byte: a client that comes back with the id that it heard last gets exactly the rest. */
import { describe, expect, test } from 'vitest';
import { RecentEvents } from '../../src/live/recent-events.ts';
import type { StreamEvent } from '../../src/schema/events/stream.ts';
import { FrameReader, type ReadFrame } from '../../src/server/client/frames.ts';
import { FrameWriter } from '../../src/server/http/frames.ts';
import { ClientStream, type Naming } from '../../src/server/streams/client-stream.ts';
import { ownNames, sevenNames } from '../../src/server/streams/names.ts';

const base = { v: 1, run: 'r' } as const;
const text = (said: string) => ({ ...base, type: 'text_delta', text: said }) as StreamEvent;
const thinks = (said: string) => ({ ...base, type: 'thinking_delta', text: said }) as StreamEvent;
const turn = (n: number) =>
  ({ ...base, type: 'turn_started', turn: n, purpose: 'act', target: null }) as StreamEvent;
const finished = (seq: number, said: string): StreamEvent[] => [
  { ...base, seq, type: 'record', record: { type: 'turn_finished', seq, ts: 1 } },
  {
    ...{ ...base, seq, type: 'turn_finished', turn: 1, purpose: 'act', status: 'success' },
    ...{ detail: '', text: said, usage: {} as never },
  } as StreamEvent,
];

const EVENTS: readonly StreamEvent[] = [
  turn(1),
  thinks('let me '),
  thinks('see'),
  ...['Hello', ', «wörld»', ' and', ' all'].map(text),
  ...finished(8, 'Hello, «wörld» and all'),
  turn(2),
  ...['Second', ' answer'].map(text),
  ...finished(9, 'Second answer'),
];

function writerInto(lines: string[]): FrameWriter {
  const response = {
    ...{ removeHeader: () => {}, writeHead: () => {}, on: () => {}, end: () => {} },
    ...{ destroyed: false, writableEnded: false, writableLength: 0, writableNeedDrain: false },
    write: (line: Buffer | string) => lines.push(String(line)),
  };
  return new FrameWriter(response as never, {});
}

const NO_JOURNAL = { *after() {}, lastIdOf: (seq: number) => `${seq}.0` } as never;

async function heardAfter(
  log: RecentEvents,
  after: string | null,
  naming: Naming,
  journal = NO_JOURNAL,
): Promise<string> {
  const lines: string[] = [];
  const stream = new ClientStream(writerInto(lines), { after, naming });
  await stream.catchUp(log, journal, { breathe: async () => {}, join: () => {} });
  return lines.join('');
}

const framesIn = (stream: string): readonly ReadFrame[] => new FrameReader().push(stream);
const textIn = (frames: readonly ReadFrame[]): string =>
  frames
    .filter(({ event }) => event === 'text_delta')
    .map(({ data }) => JSON.parse(data).text)
    .join('');

describe.each([
  ['our own names', () => ownNames({ records: true, pieces: true })],
  ['the seven', () => sevenNames({ records: false, pieces: true })],
] as const)('by %s', (_, naming) => {
  test('a cut at any byte loses nothing and brings no text twice', async () => {
    const log = new RecentEvents(7);
    // As they come one by one, with everybody's own id for each piece.
    const lines: string[] = [];
    const live = new ClientStream(writerInto(lines), { after: null, naming: naming() });
    await live.catchUp(log, NO_JOURNAL, { breathe: async () => {}, join: () => {} });
    for (const event of EVENTS) live.event(log.append(event));
    const bytes = Buffer.from(lines.join(''));
    const all = framesIn(bytes.toString());
    for (let cut = 0; cut < bytes.length; cut += 1) {
      const before = framesIn(bytes.subarray(0, cut).toString());
      const after = before.at(-1)?.id || null;
      const rest = framesIn(await heardAfter(log, after, naming()));
      const both = [...before, ...rest];
      expect(textIn(both), `cut at ${cut}`).toBe(textIn(all));
      const endings = both.filter(({ data }) => data.includes('turn_finished'));
      expect(endings.length).toBeGreaterThanOrEqual(2);
    }
  });
});

const resumed = (seq: number): StreamEvent =>
  ({ ...base, seq, type: 'record', record: { type: 'run_resumed', seq, ts: 1 } }) as StreamEvent;

test('a turn that is asked for again is said to be, before its first event', async () => {
  const log = new RecentEvents(7);
  for (const event of [turn(1), text('Hel')]) log.append(event);
  const cut = log.last;
  // Its process was killed, and another one goes on.
  log.append(resumed(8));
  for (const event of [turn(1), text('Good day')]) log.append(event);
  const frames = framesIn(await heardAfter(log, cut, ownNames({ records: true, pieces: true })));
  expect(frames.map(({ event }) => event)).toEqual([
    ...['trace', 'record', 'turn_started', 'text_delta'],
  ]);
  expect(JSON.parse(frames[0]?.data ?? '')).toEqual({ kind: 'turn_restarted', data: {} });
});

test.each([
  ['asked for again', [resumed(8), ...finished(9, 'Good')]],
  [
    'given up with its message',
    [
      { ...base, seq: 8, type: 'message_ended', ending: 'interrupted', detail: '' } as StreamEvent,
      ...finished(9, 'Good'),
    ],
  ],
])(
  'the answer after a turn that was %s comes whole, even if nobody heard it begin',
  async (_, rest) => {
    const log = new RecentEvents(7);
    for (const event of [turn(1), text('Hello')]) log.append(event);
    const cut = log.last;
    for (const event of rest) log.append(event);
    for (const [after, heard] of [
      [cut, 'Good'],
      [null, 'HelloGood'],
    ] as const) {
      const naming = sevenNames({ records: false, pieces: true });
      expect(textIn(framesIn(await heardAfter(log, after, naming)))).toBe(heard);
    }
  },
);

test('an id of another journal begins anew, and says so', async () => {
  const log = new RecentEvents(0);
  log.append(turn(1));
  const frames = framesIn(await heardAfter(log, '99.3', ownNames({ records: true, pieces: true })));
  expect(frames.map(({ event }) => event)).toEqual(['reset', 'turn_started']);
});

test.each(['x', '-1', '5.1.2', '18446744073709551616.1'])('and so does %s', async (id) => {
  const log = new RecentEvents(0);
  log.append(turn(1));
  const frames = framesIn(await heardAfter(log, id, ownNames({ records: true, pieces: true })));
  expect(frames.map(({ event }) => event)).toEqual(['reset', 'turn_started']);
});

test('who knows the state up to a record is told all of the turn at work, and nothing is said to be dropped', async () => {
  const journal = { lastIdOf: () => '7.1', *after() {} } as never;
  const log = new RecentEvents('7.1');
  for (const event of [turn(1), text('Hel'), text('lo')]) log.append(event);
  const naming = ownNames({ records: true, pieces: true });
  const frames = framesIn(await heardAfter(log, '7.999999999', naming, journal));
  expect(frames.map(({ event }) => event)).toEqual(['turn_started', 'text_delta']);
  expect(textIn(frames)).toBe('Hello');
});

/** A turn of which a part was lost, up to its record: what the client was told, and the log that its server has. */
async function withHole(naming: Naming) {
  const journal = { lastIdOf: () => '7.1', *after() {} } as never;
  const log = new RecentEvents('7.1');
  const lines: string[] = [];
  const stream = new ClientStream(writerInto(lines), { after: '7.1', naming });
  await stream.catchUp(log, journal, { breathe: async () => {}, join: () => {} });
  for (const event of [turn(1), text('He')]) stream.event(log.append(event));
  log.skip('7.3+3');
  stream.lose();
  const [record, end] = finished(8, 'Hello') as [StreamEvent, StreamEvent];
  for (const event of [text('lo'), record]) stream.event(log.append(event));
  const last = framesIn(lines.join('')).at(-1)?.id ?? '';
  stream.event(log.append(end));
  return { frames: framesIn(lines.join('')), last, log, journal };
}

test.each([
  ['our own names', ownNames, 'lo'],
  ['the seven', sevenNames, 'Hello'],
])('by %s, a client is told that a part of a turn will not come', async (_, names, rest) => {
  const { frames } = await withHole(names({ records: true, pieces: true }));
  const restart = frames.findIndex(({ data }) => data.includes('turn_restarted'));
  expect(textIn(frames.slice(0, restart))).toBe('He');
  expect(textIn(frames.slice(restart))).toBe(rest);
});

test('by the seven, who comes back in such a turn is told no record twice, and the turn whole', async () => {
  const naming = () => sevenNames({ records: true, pieces: true });
  const { log, last, journal } = await withHole(naming());
  const frames = framesIn(await heardAfter(log, last, naming(), journal));
  expect(frames.map(({ event, data }) => JSON.parse(data).kind ?? event)).toEqual([
    ...['turn_restarted', 'text_delta', 'turn_finished'],
  ]);
  // The same between two frames of its end.
  const again = framesIn(await heardAfter(log, frames[1]?.id ?? '', naming(), journal));
  expect(again.map(({ data }) => data)).toEqual(frames.map(({ data }) => data));
});

const calls = (id: string) =>
  ({ ...base, type: 'tool_call_ready', id, name: 't', args: {} }) as StreamEvent;
const seven = () => sevenNames({ records: false, pieces: true });

test.each([
  ['in the second text of a turn', '7.4+2'],
  ['behind a call', '7.5'],
])('by the seven, a cut %s brings no text and no call twice', async (_, cut) => {
  const log = new RecentEvents(7);
  const [record, end] = finished(8, 'Hello you');
  const all = [turn(1), text('Hello'), thinks('hm'), text(' you'), calls('c1')];
  for (const event of [...all, record, { ...end, calls: [{ id: 'c1', name: 't', args: {} }] }])
    log.append(event as StreamEvent);
  const rest = framesIn(await heardAfter(log, cut, seven()));
  expect(textIn(rest)).toBe(cut === '7.5' ? '' : 'ou');
  expect(rest.filter(({ event }) => event === 'tool_call')).toHaveLength(cut === '7.5' ? 0 : 1);
});

test('by the seven, a turn of which it is unknown what the client has is told whole, as asked for again', async () => {
  const journal = { lastIdOf: () => '7.1', *after() {} } as never;
  for (const cut of ['7.3', '7.5+2']) {
    const log = new RecentEvents('7.5+2');
    for (const event of [text('lo'), ...finished(8, 'Hello')]) log.append(event);
    const frames = framesIn(await heardAfter(log, cut, seven(), journal));
    expect(frames.map(({ event }) => event)).toEqual(['trace', 'text_delta', 'trace']);
    expect(frames[0]?.data).toContain('turn_restarted');
    expect(textIn(frames)).toBe('Hello');
  }
});

test('by the seven, text that is dropped for a slow client comes with the end of the turn', async () => {
  const log = new RecentEvents(7);
  const lines: string[] = [];
  const writer = writerInto(lines);
  const write = writer.write.bind(writer);
  writer.write = (frame, isPiece) => !String(frame).includes('"lo"') && write(frame, isPiece);
  const stream = new ClientStream(writer, { after: null, naming: seven() });
  await stream.catchUp(log, NO_JOURNAL, { breathe: async () => {}, join: () => {} });
  for (const event of [turn(1), ...['Hel', 'lo', ' you'].map(text), ...finished(8, 'Hello you')])
    stream.event(log.append(event));
  const frames = framesIn(lines.join(''));
  const restart = frames.findIndex(({ data }) => data.includes('turn_restarted'));
  expect(textIn(frames.slice(restart))).toBe('Hello you');
  expect(frames.slice(0, restart).at(-1)?.id).toBe('7.2+3');
});
