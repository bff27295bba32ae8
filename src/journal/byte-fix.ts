/**
 * Finds the one byte of a line that was changed, from its checksum alone. Pure.
 * CRC-32 is linear: the difference between the checksum a line has and the one it should have
 * says which single byte, changed how, makes it. A line in which more was changed has, but for
 * one chance in thousands, no such byte; what is found must still be a record with the right number.
 */
import { crc32 } from 'node:zlib';
import { decodeLine, formatChecksum, parseChecksum } from './framing.ts';

const SUFFIX = ',"c":"';
const SUFFIX_LENGTH = 16;
const DIGITS = 8;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** The entry of the table that begins with a byte: their first bytes are all different. */
const BY_FIRST_BYTE = new Uint8Array(256);
for (const [index, entry] of TABLE.entries()) BY_FIRST_BYTE[entry >>> 24] = index;

/** Every way in which one changed byte of `length` bytes makes this difference of checksums. */
function singleBytes(length: number, difference: number): { at: number; change: number }[] {
  const found: { at: number; change: number }[] = [];
  let rest = difference >>> 0;
  for (let at = length - 1; at >= 0; at--) {
    const change = BY_FIRST_BYTE[rest >>> 24] ?? 0;
    const entry = TABLE[change] ?? 0;
    if (change !== 0 && entry === rest) found.push({ at, change });
    // One step back: the difference as it was before the byte behind `at`.
    rest = (((rest ^ entry) << 8) | change) >>> 0;
  }
  return found;
}

/** What a line should be where exactly one of its bytes was changed; `null` where none explains it. */
export interface FixedLine {
  readonly line: Buffer;
  /** Index of the changed byte. */
  readonly at: number;
  /** True where only the line behind it can show that this is right: a digit of the checksum was changed. */
  readonly isChecksum: boolean;
}

/**
 * @param line without its newline, not matching its checksum
 * @param isRecord whether a decoded line is the record that belongs here
 */
export function fixLine(
  line: Buffer,
  previous: number,
  isRecord: (value: object) => boolean,
): FixedLine | null {
  const end = line.length - SUFFIX_LENGTH;
  if (end < 1) return null;
  const fixed = [...withSuffix(line, end), ...withByte(line, end, previous)].filter(
    ({ line: candidate }) => {
      const decoded = decodeLine(candidate, previous);
      return decoded.ok && isRecord(decoded.value);
    },
  );
  return fixed.length === 1 ? (fixed[0] ?? null) : null;
}

const replaced = (line: Buffer, at: number, text: string): Buffer => {
  const copy = Buffer.from(line);
  copy.write(text, at, 'latin1');
  return copy;
};

/** The fixed characters around the checksum, where one of them is wrong. */
function withSuffix(line: Buffer, end: number): FixedLine[] {
  const digits = line.toString('latin1', end + SUFFIX.length, end + SUFFIX.length + DIGITS);
  const right = `${SUFFIX}${digits}"}`;
  const wrong = [...right].flatMap((_, index) =>
    line[end + index] === right.charCodeAt(index) ? [] : [index],
  );
  const [first] = wrong;
  if (wrong.length !== 1 || first === undefined) return [];
  return [{ line: replaced(line, end, right), at: end + first, isChecksum: false }];
}

function withByte(line: Buffer, end: number, previous: number): FixedLine[] {
  const computed = crc32(line.subarray(0, end), previous);
  const place = end + SUFFIX.length;
  const digits = line.toString('latin1', place, place + DIGITS);
  const right = formatChecksum(computed);
  const wrong = [...right].flatMap((digit, index) => (digit === digits[index] ? [] : [index]));
  const [first] = wrong;
  const ofChecksum: FixedLine[] =
    wrong.length === 1 && first !== undefined
      ? [{ line: replaced(line, place, right), at: place + first, isChecksum: true }]
      : [];
  const stored = parseChecksum(digits);
  if (stored === null) return ofChecksum;
  const ofBody = singleBytes(end, (computed ^ stored) >>> 0).map(({ at, change }) => {
    const copy = Buffer.from(line);
    copy[at] = (copy[at] ?? 0) ^ change;
    return { line: copy, at, isChecksum: false };
  });
  return [...ofBody, ...ofChecksum];
}
