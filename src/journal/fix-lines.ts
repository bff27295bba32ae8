/** One changed byte of the next line, or of its end: what the line was, as its checksum shows. */
import { fixLine } from './byte-fix.ts';
import { decodeLine } from './framing.ts';
import { checksumIn, contentOf, type LineQueue, type PlacedLine } from './line-queue.ts';

const SUFFIX = ',"c":"';
const SUFFIX_LENGTH = 16;
const BRACE = 0x7b;

type IsRecord = (value: object) => boolean;

/**
 * Takes the line out of the queue and returns it as it was; `null` leaves the queue as it is.
 * @param isRecord whether a decoded line is the record that belongs here
 */
export function fixNext(queue: LineQueue, previous: number, isRecord: IsRecord): Buffer | null {
  const line = queue.at(0);
  if (line === null) return null;
  return (
    changed(queue, line, previous, isRecord) ??
    merged(queue, line, previous, isRecord) ??
    split(queue, line, previous, isRecord)
  );
}

function changed(
  queue: LineQueue,
  line: PlacedLine,
  previous: number,
  isRecord: IsRecord,
): Buffer | null {
  const fixed = fixLine(contentOf(line), previous, isRecord);
  if (fixed === null || (fixed.isChecksum && !isConfirmed(queue, fixed.line))) return null;
  queue.take();
  return fixed.line;
}

/** The line behind shows whether a digit of the checksum was changed; behind the last is none. */
function isConfirmed(queue: LineQueue, content: Buffer): boolean {
  const next = queue.at(1);
  const checksum = checksumIn(content);
  return next === null || (checksum !== null && decodeLine(contentOf(next), checksum).ok);
}

/** Two lines whose newline became another byte, or is gone. */
function merged(
  queue: LineQueue,
  line: PlacedLine,
  previous: number,
  isRecord: IsRecord,
): Buffer | null {
  const { bytes, from } = line;
  for (let at = bytes.indexOf(SUFFIX); at >= 0; at = bytes.indexOf(SUFFIX, at + 1)) {
    const end = at + SUFFIX_LENGTH;
    const decoded = end < bytes.length ? decodeLine(bytes.subarray(0, end), previous) : null;
    if (!decoded?.ok || !isRecord(decoded.value)) continue;
    const rest = end + (bytes[end] === BRACE ? 0 : 1);
    queue.replace(1, { ...line, bytes: bytes.subarray(rest), from: from + rest });
    return bytes.subarray(0, end);
  }
  return null;
}

/** One line in which a byte became a newline. */
function split(
  queue: LineQueue,
  line: PlacedLine,
  previous: number,
  isRecord: IsRecord,
): Buffer | null {
  const next = queue.at(1);
  if (next === null || !line.isTerminated) return null;
  const joined = Buffer.concat([line.bytes, Buffer.from('\n'), contentOf(next)]);
  const fixed = fixLine(joined, previous, isRecord);
  if (fixed?.at !== line.bytes.length) return null;
  queue.replace(2);
  return fixed.line;
}
