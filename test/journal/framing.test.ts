import { describe, expect, test } from 'vitest';
import {
  checksumAtEnd,
  decodeLine,
  encodeLine,
  judgeTail,
} from '../../src/journal/lines/framing.ts';
import { dice, fc } from '../support/dice.ts';

const record = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((data) => ({ seq: 1, ts: 2, type: 'note', data }));
const seed = fc.integer({ min: 0, max: 0xffffffff });

/** What a reader of whole lines sees: good records up to the first line that is not. */
function readLines(bytes: Buffer): { records: unknown[]; tail: string } {
  const records: unknown[] = [];
  let start = 0;
  let previous = 0;
  while (start < bytes.length) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(start, end);
    const decoded = decodeLine(line, previous);
    if (newline < 0 || !decoded.ok) {
      const facts = {
        terminated: newline >= 0,
        isLast: end + (newline < 0 ? 0 : 1) === bytes.length,
      };
      return { records, tail: judgeTail(line, facts, previous) };
    }
    records.push(decoded.value);
    previous = decoded.checksum;
    start = end + 1;
  }
  return { records, tail: 'clean' };
}

function journalOf(values: readonly object[]): Buffer {
  let previous = 0;
  return Buffer.concat(
    values.map((value) => {
      const { bytes, checksum } = encodeLine(value, previous);
      previous = checksum;
      return bytes;
    }),
  );
}

describe('framing', () => {
  test('brings every record back', () => {
    fc.assert(
      fc.property(record, seed, (value, previous) => {
        const { bytes, checksum } = encodeLine(value, previous);
        const decoded = decodeLine(bytes.subarray(0, -1), previous);
        expect(decoded).toMatchObject({ ok: true, checksum });
        expect(decoded.ok && JSON.stringify(decoded.value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test('is one line of JSON that ends in its checksum', () => {
    const { bytes } = encodeLine({ seq: 1, ts: 5, type: 'note', kind: 'a', data: {} }, 0);
    expect(bytes.toString()).toBe(
      '{"seq":1,"ts":5,"type":"note","kind":"a","data":{},"c":"40c5dc14"}\n',
    );
  });

  test('takes no line for good that stands behind another one', () => {
    fc.assert(
      fc.property(record, seed, seed, (value, previous, other) => {
        fc.pre(previous !== other);
        const { bytes } = encodeLine(value, previous);
        expect(decodeLine(bytes.subarray(0, -1), other).ok).toBe(false);
      }),
    );
  });

  test('shows any flipped byte, or loses the last record only', () => {
    const change = fc.integer({ min: 1, max: 255 });
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        change,
        (values, at, mask) => {
          const bytes = journalOf(values);
          const place = at % bytes.length;
          bytes[place] = (bytes[place] ?? 0) ^ mask;
          const { records, tail } = readLines(bytes);
          expect(tail).not.toBe('clean');
          if (tail === 'torn') expect(records).toHaveLength(values.length - 1);
        },
      ),
      { numRuns: dice(150, 2_000) },
    );
  });

  test('calls every cut of the last line torn, and one of NULs', () => {
    const bytes = journalOf([
      { seq: 1, ts: 1, type: 'a' },
      { seq: 2, ts: 2, type: 'b' },
    ]);
    const second = bytes.indexOf(0x0a) + 1;
    for (let end = second + 1; end < bytes.length; end++) {
      expect(readLines(bytes.subarray(0, end)).tail).toBe('torn');
      const holed = Buffer.from(bytes).fill(0, second, end);
      expect(readLines(holed).tail).toBe('torn');
    }
  });
});

test('the checksum at the end of a line is the one that it was written with; any other text has none', () => {
  const { bytes, checksum } = encodeLine({ seq: 1 }, 7);
  expect(checksumAtEnd(bytes.subarray(0, -1))).toBe(checksum);
  for (const text of ['', 'no line', '{"seq":1}'])
    expect(checksumAtEnd(Buffer.from(text))).toBeNull();
});
