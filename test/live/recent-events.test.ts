import { expect, test } from 'vitest';
import { RecentEvents } from '../../src/live/recent-events.ts';
import { readStreamEvent, type StreamEvent } from '../../src/schema/events/stream.ts';

const event = (body: object): StreamEvent => {
  const read = readStreamEvent({ v: 1, run: 'a1', ...body });
  if (read === null) throw new Error('no event');
  return read;
};
const text = (piece: string) => event({ type: 'text_delta', text: piece });
const record = (seq: number) => [
  event({ seq, type: 'record', record: { type: 'subtask_started', seq, ts: 0 } }),
  event({ seq, type: 'subtask_started', subtask: '1.1' }),
];
const turn = event({ type: 'turn_started', turn: 1, purpose: 'plan', target: null });
const ALL = [turn, ...['he', 'llo ', 'you'].map(text), ...record(8), ...record(9), turn, text('x')];

const logOf = (events: readonly StreamEvent[], most?: number) => {
  const log = new RecentEvents(7, most);
  return { log, ids: events.map((one) => log.append(one).id) };
};

const said = (events: readonly StreamEvent[]): string =>
  events.map((one) => ('text' in one ? one.text : `<${one.type}>`)).join('');

test('every event has an id of its own, which counts within a record and within a text', () => {
  expect(logOf(ALL).ids).toEqual([
    ...['7.1', '7.2+2', '7.2+6', '7.2+9', '8.0', '8.1', '9.0', '9.1', '9.2', '9.3+1'],
  ]);
});

test('who comes back gets exactly the rest, text included', () => {
  const { log, ids } = logOf(ALL);
  for (const [at, id] of ids.entries()) {
    const rest = [...log.after(log.startFor(id))].map((one) => one.event);
    expect(said(rest), id).toBe(said(ALL.slice(at + 1)));
  }
  expect(said([...log.after(log.startFor(null))].map((one) => one.event))).toBe(said(ALL));
});

test('who was cut off within a piece gets what is missing of it', () => {
  const { log } = logOf(ALL.slice(0, 4));
  expect([...log.after(log.startFor('7.2+3'))]).toEqual([{ id: '7.2+9', event: text('lo you') }]);
});

test('an id that is older than what is held, of the future, or none begins where it is held', () => {
  const { log } = logOf(ALL);
  for (const id of ['3.0', '99.0', '9.3+50', 'x', '']) expect(log.startFor(id)).toBe('7.0');
});

test('what does not fit is dropped from its beginning, a record with all that it means', () => {
  const { log } = logOf(ALL, 350);
  const start = log.startFor(null);
  const held = [...log.after(start)].map((one) => one.event);
  expect(start).toMatch(/^[89]\.1$/);
  expect(said(held)).toBe(said(ALL.slice(start === '8.1' ? 6 : 8)));
  expect(log.startFor('7.2+3')).toBe(start);
});

test('of a text that does not end its end is held', () => {
  const log = new RecentEvents(7, 1000);
  for (let count = 0; count < 1000; count += 1) log.append(text('0123456789'));
  const start = log.startFor(null);
  const [held] = [...log.after(start)];
  expect(start).toMatch(/^7\.1\+9\d{3}$/);
  expect(held?.id).toBe('7.1+10000');
  expect(said(held === undefined ? [] : [held.event]).length).toBe(10_000 - Number(start.slice(4)));
  expect(said([...log.after(log.startFor('7.1+9990'))].map((one) => one.event))).toBe('0123456789');
});

test('a text that is long only in the form that is sent is held whole', () => {
  const log = new RecentEvents(7, 1000);
  log.append(text('\u0001'.repeat(300)));
  log.append(text('end'));
  const held = [...log.after(log.startFor(null))];
  expect(held).toEqual([{ id: '7.1+303', event: text(`${'\u0001'.repeat(300)}end`) }]);
});
