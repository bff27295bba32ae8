/** Frames whose pieces are cut anywhere. */
import { expect, test } from 'vitest';
import { FrameReader, type ReadFrame } from '../../src/server/client/frames.ts';

const read = (pieces: readonly string[]): readonly ReadFrame[] => {
  const reader = new FrameReader();
  return pieces.flatMap((piece) => reader.push(piece));
};

test('frames are the same wherever they are cut, whatever ends their lines', () => {
  const text = ': hello\r\nid: 7\r\ndata: a\rdata: b\n\nevent: x\rdata:c\r\r\ndata: d\n\n';
  const whole = read([text]);
  expect(whole.map(({ id, event, data }) => [id, event, data])).toEqual([
    ['7', 'message', 'a\nb'],
    ['7', 'x', 'c'],
    ['7', 'message', 'd'],
  ]);
  expect(read([...text])).toEqual(whole);
  for (let cut = 0; cut <= text.length; cut += 1)
    expect(read([text.slice(0, cut), text.slice(cut)]), `cut at ${cut}`).toEqual(whole);
});

test('a frame of twenty megabytes in small pieces is searched once', () => {
  const pieces = Array.from({ length: 20_000 }, () => 'x'.repeat(1024));
  const [frame] = read(['data: ', ...pieces, '\n\n']);
  expect(frame?.data.length).toBe(20_000 * 1024);
});
