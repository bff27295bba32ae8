/** Encodes and checks journal lines: one record is one line, and checksums form a chain. Pure. */
import { crc32 } from 'node:zlib';
import { conversionOf } from '../conversions.ts';

/** Every line ends in `,"c":"xxxxxxxx"}`, so its checksum is at a fixed distance from the end. */
const SUFFIX_LENGTH = 16;
const SUFFIX = /^,"c":"([0-9a-f]{8})"\}$/;

const SUFFIX_HEAD = Buffer.from(',"c":"');
const SUFFIX_TAIL = Buffer.from('"}');

/** Bytes from the checksum digits of a line to the start of the next one: `xxxxxxxx"}\n`. */
export const CHECKSUM_REACH = 11;

/** Longer lines are never written. A longer one is damage and not worth the memory. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** The seed of the first record. */
export const CHAIN_START = 0;

export const formatChecksum = (checksum: number): string => checksum.toString(16).padStart(8, '0');

/** A checksum from eight lower-case hex digits; `null` for anything else. */
export const parseChecksum = (text: string): number | null =>
  /^[0-9a-f]{8}$/.test(text) ? Number.parseInt(text, 16) : null;

/** The line of a record, newline included. `previous` is the checksum of the line before. */
export function encodeLine(record: object, previous: number) {
  const body = JSON.stringify(record).slice(0, -1);
  const bytes = Buffer.from(`${body},"c":"00000000"}\n`);
  const end = bytes.length - SUFFIX_LENGTH - 1;
  const checksum = crc32(bytes.subarray(0, end), previous);
  bytes.write(formatChecksum(checksum), bytes.length - CHECKSUM_REACH, 'latin1');
  return { bytes, checksum };
}

export type DecodedLine =
  | { readonly ok: true; readonly value: object; readonly checksum: number }
  | { readonly ok: false; readonly why: string };

const broken = (why: string): DecodedLine => ({ ok: false, why });

/**
 * Decodes a line without its newline and checks it against the line before. `previous: null`: that line is
 * lost, so only the shape can be judged.
 */
export function decodeLine(line: Buffer, previous: number | null): DecodedLine {
  const decoded = decode(line, previous);
  const conversion = decoded.ok ? null : conversionOf(line);
  return conversion === null ? decoded : broken(conversion);
}

function decode(line: Buffer, previous: number | null): DecodedLine {
  const end = line.length - SUFFIX_LENGTH;
  if (end < 1) return broken('the line is too short for a record');
  if (!hasBytes(line, SUFFIX_HEAD, end) || !hasBytes(line, SUFFIX_TAIL, line.length - 2))
    return broken('the line does not end in a checksum');
  const stored = checksumAt(line, end + SUFFIX_HEAD.length);
  if (stored === null) return broken('the checksum is not eight hex digits');
  if (previous !== null && crc32(line.subarray(0, end), previous) !== stored)
    return broken('the checksum does not match');
  try {
    const value: unknown = JSON.parse(`${line.toString('utf8', 0, end)}}`);
    if (typeof value === 'object' && value !== null) return { ok: true, value, checksum: stored };
  } catch {
    // Falls through: the checksum matches, but the content is not JSON.
  }
  return broken('the line is not a JSON object');
}

/** Compares bytes, because building a string for every line of a long journal takes longer. */
function hasBytes(line: Buffer, wanted: Buffer, at: number): boolean {
  for (let index = 0; index < wanted.length; index += 1) {
    if (line[at + index] !== wanted[index]) return false;
  }
  return true;
}

/** `null` if there are not eight lower-case hex digits. */
function checksumAt(line: Buffer, at: number): number | null {
  let checksum = 0;
  for (let index = at; index < at + 8; index += 1) {
    const digit = HEX_DIGITS[line[index] ?? 0] ?? -1;
    if (digit < 0) return null;
    checksum = checksum * 16 + digit;
  }
  return checksum;
}

/** The value of each byte as a lower-case hex digit; -1 for any other byte. */
const HEX_DIGITS: readonly number[] = Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte)),
);

/**
 * Judges the first line that is not a record, if every line was synced before the next, as in format 1. A crash
 * leaves at most one unfinished last line: without its newline, or with holes of NULs. Anything else is damage.
 * A whole record before the first NUL means that the newline between two records was overwritten.
 */
export function judgeTail(
  line: Buffer,
  facts: { readonly terminated: boolean; readonly isLast: boolean },
  previous: number,
): 'torn' | 'corrupt' {
  if (!facts.isLast) return 'corrupt';
  if (!facts.terminated) return 'torn';
  const hole = line.indexOf(0);
  if (hole < 0) return 'corrupt';
  return decodeLine(line.subarray(0, hole), previous).ok ? 'corrupt' : 'torn';
}

/** The checksum at the end of a line without its newline; `null` if there is none. */
export const checksumAtEnd = (line: Buffer): number | null =>
  parseChecksum(
    SUFFIX.exec(line.toString('latin1', Math.max(0, line.length - SUFFIX_LENGTH)))?.[1] ?? '',
  );
