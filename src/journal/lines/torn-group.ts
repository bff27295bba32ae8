/**
 * Distinguishes what a power loss leaves after the last durable record from damage. Records are written one by
 * one and synced together, so a power loss can take any of their pages: the file ends early, or has holes of
 * NULs with good lines after them. Pure.
 */
import { checksumAtEnd, decodeLine, judgeTail } from './framing.ts';
import type { PlacedLine } from './line-queue.ts';

/** Pages and sectors are multiples of this, so the NULs of a lost one end at a multiple of it. */
export const SECTOR_BYTES = 512;

const NUL = 0;
const DIFFERS = 'it is not what was durably written there';

export interface TornPlace {
  readonly seq: number;
  /** The checksum of the line before it. */
  readonly previous: number;
  /** The size of the file in bytes. */
  readonly size: number;
  /** True if every line was synced before the next: then only one line can be unfinished. */
  readonly isAlone: boolean;
}

/**
 * @param lines the first bad line and everything after it
 * @returns why it is damage; `null`: all of it belongs to a group that was never durable
 */
export function damageIn(lines: Iterable<PlacedLine>, place: TornPlace): string | null {
  let previous: number | null = place.previous;
  for (const line of lines) {
    if (isTooLong(line)) return 'the line is too long';
    const damage = place.isAlone ? damageOfOne(line, place) : damageOf(line, previous, place);
    if (damage !== null) return damage;
    previous = checksumAtEnd(line.bytes);
  }
  return null;
}

const isTooLong = ({ bytes, from, to }: PlacedLine): boolean => bytes.length < to - from - 1;

/** Judges by the chain alone, for lines that do not record what was durable. */
function damageOfOne(line: PlacedLine, { previous, size }: TornPlace): string | null {
  const facts = { terminated: line.isTerminated, isLast: line.to === size };
  return judgeTail(line.bytes, facts, previous) === 'torn' ? null : DIFFERS;
}

function damageOf(line: PlacedLine, previous: number | null, place: TornPlace): string | null {
  if (!line.isTerminated) return null;
  if (line.bytes.includes(NUL)) return damageInHoles(line);
  const decoded = decodeLine(line.bytes, previous);
  if (!decoded.ok) return decoded.why;
  const { durable } = decoded.value as { readonly durable?: unknown };
  return typeof durable === 'number' && durable < place.seq ? null : DIFFERS;
}

/**
 * A hole begins at a sector, or at the line whose write no longer reached the disk, and ends at a sector. Other
 * NULs are changed bytes.
 */
function damageInHoles({ bytes, from }: PlacedLine): string | null {
  for (let at = bytes.indexOf(NUL); at >= 0; at = bytes.indexOf(NUL, at)) {
    if (at > 0 && (from + at) % SECTOR_BYTES !== 0) return DIFFERS;
    while (bytes[at] === NUL) at += 1;
    if ((from + at) % SECTOR_BYTES !== 0) return DIFFERS;
  }
  return null;
}
