/**
 * Tells what a power cut leaves behind the last durable record from damage. Records are written one
 * by one and synced together, so a cut can take any of the pages that hold them: the file ends
 * early, or has holes of NULs with good lines behind them. Pure.
 */
import { checksumAtEnd, decodeLine, judgeTail } from './framing.ts';

/** Pages and sectors are multiples of it: the NULs of a lost one reach to such a place of the file. */
export const SECTOR_BYTES = 512;

const NUL = 0;
const DIFFERS = 'it is not what was durably written there';

export interface Line {
  /** Without its newline. */
  readonly bytes: Buffer;
  readonly offset: number;
  readonly terminated: boolean;
}

export interface TornPlace {
  readonly seq: number;
  /** Checksum of the line before it. */
  readonly previous: number;
  /** Bytes of the file. */
  readonly size: number;
  /** True where every line was synced before the next: then only one can be unfinished. */
  readonly isAlone: boolean;
}

/**
 * @param lines the first line that is not good and all behind it
 * @returns why it is damage; `null`: all of it is a group that was never durable.
 */
export function damageIn(lines: Iterable<Line>, place: TornPlace): string | null {
  let previous: number | null = place.previous;
  for (const line of lines) {
    const damage = place.isAlone ? damageOfOne(line, place) : damageOf(line, previous, place);
    if (damage !== null) return damage;
    previous = checksumAtEnd(line.bytes);
  }
  return null;
}

/** What the chain alone tells, for lines that do not say what was durable. */
function damageOfOne(line: Line, { previous, size }: TornPlace): string | null {
  const { bytes, offset, terminated } = line;
  const isLast = offset + bytes.length + (terminated ? 1 : 0) === size;
  return judgeTail(bytes, { terminated, isLast }, previous) === 'torn' ? null : DIFFERS;
}

function damageOf(line: Line, previous: number | null, place: TornPlace): string | null {
  if (!line.terminated) {
    return line.offset + line.bytes.length < place.size ? 'the line is too long' : null;
  }
  if (line.bytes.includes(NUL)) return damageInHoles(line);
  const decoded = decodeLine(line.bytes, previous);
  if (!decoded.ok) return decoded.why;
  const { durable } = decoded.value as { readonly durable?: unknown };
  return typeof durable === 'number' && durable < place.seq ? null : DIFFERS;
}

/**
 * A hole begins with a sector, or with the line whose write did not reach it any more, and it ends
 * where a sector does; other NULs are bytes that changed.
 */
function damageInHoles({ bytes, offset }: Line): string | null {
  for (let at = bytes.indexOf(NUL); at >= 0; at = bytes.indexOf(NUL, at)) {
    if (at > 0 && (offset + at) % SECTOR_BYTES !== 0) return DIFFERS;
    while (bytes[at] === NUL) at += 1;
    if ((offset + at) % SECTOR_BYTES !== 0) return DIFFERS;
  }
  return null;
}
