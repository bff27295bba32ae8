import { describe, expect, it } from 'vitest';
import { splitIntoLines } from '../../../src/llm/http/lines.ts';
import { sseData } from '../../../src/llm/http/sse.ts';

async function* packets(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? new TextEncoder().encode(part) : part;
}

/** Cut at every place there is, in the middle of characters and line ends too. */
const inBytes = (text: string): AsyncGenerator<Uint8Array> =>
  packets(...[...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte)));

async function read(bytes: AsyncIterable<Uint8Array>) {
  const [data, stray]: [string[], string[]] = [[], []];
  for await (const one of sseData(bytes, { last: '[DONE]', onStray: (line) => stray.push(line) })) {
    data.push(one);
  }
  return { data, stray };
}

describe('an event stream', () => {
  it.each([
    ['line feeds', '\n'],
    ['carriage returns and line feeds', '\r\n'],
    ['carriage returns', '\r'],
  ])('with %s is read the same however its packets are cut', async (_, end) => {
    const text = [': a comment', 'event: x', 'data: {"a":1}', '', 'id: 7', 'data:Grüße 🐢', '', ''];
    const body = text.join(end);
    const wanted = { data: ['{"a":1}', 'Grüße 🐢'], stray: [] };
    expect(await read(packets(body))).toEqual(wanted);
    expect(await read(inBytes(body))).toEqual(wanted);
  });

  it('joins the lines of one event, takes one space off, and skips events without data', async () => {
    const body = 'data:  one\ndata: two\n\nevent: ping\n\ndata:\n\ndata\n\nretry: 3\n\n';
    expect((await read(packets(body))).data).toEqual([' one\ntwo']);
  });

  it('may begin with a byte order mark', async () => {
    expect((await read(packets('\ufeffdata: a\n\n'))).data).toEqual(['a']);
  });

  it('drops an event that the end cuts off', async () => {
    expect((await read(packets('data: a\n\ndata: {"half'))).data).toEqual(['a']);
  });

  it('is over with its last event, before that one is whole', async () => {
    const endless = async function* () {
      yield* packets('data: a\n\ndata: [DONE]\n');
      await new Promise(() => undefined);
    };
    expect((await read(endless())).data).toEqual(['a']);
  });

  it('tells of lines that are no part of an event', async () => {
    const body = 'data: a\n\nerror: {"code":500}\n\n{"error":\n "x"}\n';
    expect(await read(packets(body))).toEqual({
      data: ['a'],
      stray: ['error: {"code":500}', '{"error":', ' "x"}'],
    });
  });

  it('hands out each event as it comes, before the next packet', async () => {
    const asked: number[] = [];
    const slow = async function* () {
      for (const n of [1, 2]) {
        asked.push(n);
        yield* packets(`data: ${n}\n\n`);
      }
    };
    const events = sseData(slow(), { last: '[DONE]', onStray: () => undefined });
    expect((await events.next()).value).toBe('1');
    expect(asked).toEqual([1]);
    await events.return(undefined);
  });
});

it('lines keep what stands in them, and none is made of the end', async () => {
  const lines: string[] = [];
  for await (const line of splitIntoLines(packets('a\r', '\n\n b ', '\nlast\r'))) lines.push(line);
  expect(lines).toEqual(['a', '', ' b ', 'last']);
});
