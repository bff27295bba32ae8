import { describe, expect, it } from 'vitest';
import type { ScanEnd } from '../../src/journal/lines/scan.ts';
import { UnmarkedTail } from '../../src/journal/lines/unmarked-tail.ts';

const GONE = 'a'.repeat(64);

interface Line {
  readonly durable?: number;
  readonly names?: string;
}

/** @returns the numbers that are handed on before the end of the journal, then all, and that end */
function read(lines: readonly Line[], tail: ScanEnd['tail'] = 'clean') {
  const handed: number[] = [];
  const held = new UnmarkedTail<{ readonly text: unknown }>(({ seq }) => handed.push(seq));
  for (const [index, { durable, names }] of lines.entries()) {
    const text = names === undefined ? '' : { blob: names, length: 10_000, head: '' };
    const stamp = { seq: index + 1, ts: 0, ...(durable === undefined ? {} : { durable }) };
    held.add({ ...stamp, text }, index * 100, { offset: index * 100 - 100, checksum: index });
  }
  const known = [...handed];
  const last = { lastOffset: 800, lastSeq: lines.length, checksum: 9 };
  const whole = { end: 900, ...last, why: '', stopped: false };
  const end = held.finish({ ...whole, tail }, (blob) => blob !== GONE);
  return { known, handed, end };
}

describe('a record', () => {
  it('is known to have been on disk once a later one says so, whatever became of its blob', () => {
    const { known, handed, end } = read([
      { durable: 0 },
      { durable: 1, names: GONE },
      { durable: 2 },
    ]);
    expect([known, handed, end.tail]).toEqual([[1, 2], [1, 2, 3], 'clean']);
  });

  it('of format 1 is known to have been once there is another one', () => {
    expect(read([{ names: GONE }, {}]).known).toEqual([1]);
  });

  it('was never durable where its blob is gone, and neither was what follows it', () => {
    const { handed, end } = read([{ durable: 0 }, { durable: 1, names: GONE }, { durable: 1 }]);
    expect(handed).toEqual([1]);
    expect(end).toMatchObject({
      ...{ end: 100, lastOffset: 0, lastSeq: 1, checksum: 1, tail: 'torn' },
      why: `the blob ${GONE} of record 2 was never durable`,
    });
  });

  it('is not judged by its blob where damage follows it', () => {
    const { handed, end } = read([{ durable: 0 }, { durable: 1, names: GONE }], 'corrupt');
    expect([handed, end.tail]).toEqual([[1], 'corrupt']);
  });
});
