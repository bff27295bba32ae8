/** Reads a model's facts from the head of a GGUF file, without the engine. */
import { createHash } from 'node:crypto';
import { readRange } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { withFile } from '../../lib/files/with-file.ts';
import { sizeInName } from '../models/model-size.ts';

export interface GgufInfo {
  readonly contextLength: number | null;
  /** As counted, or from its label; `null` if neither appears before the window does. */
  readonly parameters: number | null;
  /** Changes with the file's size and its first or last mebibyte: weights, vocabulary, template. */
  readonly digest: string;
}

/** The file is not a GGUF model; the message says why. */
export class GgufError extends Error {
  override readonly name = 'GgufError';
}

const MEBIBYTE = 1024 * 1024;
const LONGEST_HEAD = 64 * MEBIBYTE;
/** Sizes of the value types 0 to 12; 8 is a string, 9 an array. */
const TYPE_SIZES = [1, 1, 2, 2, 4, 4, 4, 1, null, null, 8, 8, 8];
const STRING = 8;
const ARRAY = 9;

/** The bytes read so far end before the value does. */
class NeedsMore extends Error {}

/** Reads `path`. Throws Node's own errors if it is unreadable, and `GgufError` if it is not a GGUF file. */
export function readGguf(fs: FileSystem, path: string): GgufInfo {
  return withFile(fs, path, (fd) => {
    const size = fs.size(fd);
    const first = readRange(fs, fd, 0, Math.min(size, MEBIBYTE));
    const last = readRange(fs, fd, Math.max(0, size - MEBIBYTE), Math.min(size, MEBIBYTE));
    const digest = createHash('sha256').update(`${size}`).update(first).update(last).digest('hex');
    for (let length = MEBIBYTE; ; length *= 4) {
      try {
        const head = readRange(fs, fd, 0, Math.min(size, length));
        return { ...parseHead(head), digest };
      } catch (error) {
        if (!(error instanceof NeedsMore)) throw error;
        if (length >= size) throw new GgufError('it ends in the middle of its description');
        if (length >= LONGEST_HEAD) throw new GgufError('its description is too long');
      }
    }
  });
}

/** Reads key by key until the context length is known; the vocabulary comes later in the file. */
function parseHead(head: Buffer): Omit<GgufInfo, 'digest'> {
  if (head.toString('latin1', 0, 4) !== 'GGUF')
    throw new GgufError('it does not begin with "GGUF"');
  let at = 4;
  const need = (count: number): number => {
    if (at + count > head.length) throw new NeedsMore();
    at += count;
    return at - count;
  };
  const count64 = (): number => {
    const value = head.readBigUInt64LE(need(8));
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new GgufError('a number in it is too large');
    return Number(value);
  };
  const text = (): string => {
    const length = count64();
    const from = need(length);
    return head.toString('utf8', from, from + length);
  };
  const skipOrRead = (type: number): string | number | null => {
    if (type === STRING) return text();
    if (type === ARRAY) {
      const itemType = head.readUInt32LE(need(4));
      const items = count64();
      const size = TYPE_SIZES[itemType];
      if (typeof size === 'number') need(size * items);
      else for (let item = 0; item < items; item += 1) skipOrRead(itemType);
      return null;
    }
    const size = TYPE_SIZES[type];
    if (typeof size !== 'number') throw new GgufError(`value type ${type} is unknown`);
    const from = need(size);
    if (type === 4) return head.readUInt32LE(from);
    if (type === 10) return Number(head.readBigUInt64LE(from));
    return null;
  };

  const version = head.readUInt32LE(need(4));
  if (version < 2 || version > 1000) throw new GgufError(`GGUF version ${version} cannot be read`);
  count64();
  const keys = count64();
  let architecture = '';
  let parameters: number | null = null;
  for (let key = 0; key < keys; key += 1) {
    const name = text();
    const value = skipOrRead(head.readUInt32LE(need(4)));
    if (name === 'general.architecture') architecture = String(value);
    if (name === 'general.parameter_count' && typeof value === 'number') parameters = value;
    if (name === 'general.size_label') parameters ??= sizeInName(String(value));
    if (architecture !== '' && name === `${architecture}.context_length`)
      return { contextLength: typeof value === 'number' ? value : null, parameters };
  }
  return { contextLength: null, parameters };
}
