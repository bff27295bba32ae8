/**
 * Decides what becomes of a damaged journal.
 * 1. What can be put right is. What cannot stays as it is where the snapshot has seen it: every
 *    other byte keeps its place, so that what the state says of places stays true.
 * 2. Only what no snapshot has seen is cut off, from the first such byte on.
 */
import { encodeLine, formatChecksum, parseChecksum } from '../lines/framing.ts';
import type { AnyRecord, Span } from '../record-format.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Cut, Reading, RepairPlace, RepairWork } from './contract.ts';
import type { Gap } from './read-damaged.ts';
import { isAsItIs, type Piece, repairedBytes, sliceOf } from './repaired-bytes.ts';

/** `,"c":"xxxxxxxx"}` and a newline: a line that says nothing but how the chain goes on. */
const SHORTEST_FILLER = 17;
const FILLER_CHUNK = 1024 * 1024;

export function decideRepair<State, R extends AnyRecord>(
  place: RepairPlace<State, R>,
  reading: Reading<State>,
): RepairWork<State> {
  return bridgedWhole(place, reading) ?? bridgedToEnd(place, reading) ?? withCut(reading);
}

/** The snapshot has seen more than the journal holds: its end is filled up to there. */
function bridgedToEnd<State, R extends AnyRecord>(
  place: RepairPlace<State, R>,
  reading: Reading<State>,
): RepairWork<State> | null {
  const { mended, usable } = reading;
  if (usable === null || usable.seq <= mended.lastSeq) return null;
  const last = mended.gaps.at(-1);
  // A view is no proof: a journal that is whole without it may have been as long as it is.
  const isWhole = mended.records > 0 && last?.nextSeq !== null && mended.tail === 'clean';
  if (isWhole && !usable.synced) return null;
  const from = last?.nextSeq === null ? last.from : mended.bytes.size;
  const spans = openGaps(reading)
    .filter(({ nextSeq }) => nextSeq !== null)
    .map(spanOf);
  const start = mended.records === 0 ? openingLine(place, usable) : Buffer.alloc(0);
  const to = Math.max(usable.offset, from + start.length) + SHORTEST_FILLER;
  if (usable.offset < from || spans.some(({ from: at }) => at === 0)) return null;
  const pieces = [
    ...sliceOf(mended.bytes.pieces, 0, from),
    ...put(start),
    ...filler(to - from - start.length, usable.chain),
  ];
  const end = { seq: usable.seq, offset: usable.offset, chain: usable.chain, size: to };
  const lost = usable.seq - mended.lastSeq - (start.length > 0 ? 1 : 0);
  const span = { from: from + start.length, to, records: lost };
  return {
    ...planOf(reading),
    ...{ pieces, end, journal: 'rewritten', bridged: [...spans, span] },
    kept: mended.records + (start.length > 0 ? 1 : 0),
    bridge: { state: usable.state },
  };
}

/** Every gap lies before the record that the snapshot was made at. */
function bridgedWhole<State, R extends AnyRecord>(
  place: RepairPlace<State, R>,
  reading: Reading<State>,
): RepairWork<State> | null {
  const { mended, usable, seen } = reading;
  const open = openGaps(reading);
  const [first] = open;
  if (usable === null || seen === null || first === undefined) return null;
  const covered = open.filter(({ nextSeq }) => nextSeq !== null && nextSeq <= usable.seq + 1);
  const uncovered = open[covered.length] ?? null;
  if (covered.length === 0 || seen.seq < (uncovered?.firstSeq ?? mended.lastSeq + 1) - 1) {
    return null;
  }
  const end = uncovered === null ? endOf(reading) : endBefore(uncovered);
  const opening = first.from === 0 ? openingLine(place, usable) : null;
  const isMoved = seen.shift !== 0 || opening !== null;
  const refill = isMoved ? refilled(first, opening, seen.shift) : null;
  // With several gaps nobody can tell in which of them bytes are missing.
  if (isMoved && (refill === null || covered.length > 1)) return null;
  const pieces =
    refill === null
      ? sliceOf(mended.bytes.pieces, 0, end.size)
      : [
          ...sliceOf(mended.bytes.pieces, 0, first.from),
          ...refill.pieces,
          ...sliceOf(mended.bytes.pieces, first.to, end.size),
        ];
  const isWhole = uncovered === null && mended.tail === 'clean';
  const at = { offset: end.offset + seen.shift, size: end.size + seen.shift };
  return {
    ...planOf(reading),
    ...{ pieces, end: { ...end, ...at } },
    journal: mended.flaws.size === 0 && isAsItIs(pieces) ? 'as_it_is' : 'rewritten',
    bridged: refill === null ? covered.map(spanOf) : refill.spans,
    cut: isWhole ? null : cutAt(reading, uncovered),
    kept: keptRecords(reading, uncovered) + (opening === null ? 0 : 1),
    bridge: { state: seen.state },
  };
}

/** Nothing is bridged: the journal ends before the first gap, or is whole once it is mended. */
function withCut<State>(reading: Reading<State>): RepairWork<State> {
  const { mended, strange } = reading;
  const gap = openGaps(reading)[0] ?? null;
  const end = gap === null ? endOf(reading) : endBefore(gap);
  const pieces = sliceOf(mended.bytes.pieces, 0, end.size);
  const isWhole = gap === null && mended.tail === 'clean';
  const isLost = end.seq === 0;
  const plan = planOf(reading);
  const isAhead = hasSeenMore(reading, end.seq);
  return {
    ...plan,
    ...{ pieces, end },
    journal: isLost
      ? 'set_aside'
      : mended.flaws.size === 0 && isAsItIs(pieces)
        ? 'as_it_is'
        : 'rewritten',
    cut: isWhole && strange === '' ? null : cutAt(reading, gap),
    kept: keptRecords(reading, gap),
    snapshot: isAhead || (isLost && plan.snapshot === 'kept') ? 'ahead' : plan.snapshot,
    state: isAhead || isLost ? plan.state : null,
  };
}

/** Also one of another shape, which nothing can be read from: it refuses every start. */
const hasSeenMore = <State>({ snapshot, run }: Reading<State>, seq: number): boolean =>
  snapshot.kind === 'ok' &&
  snapshot.snapshot.synced &&
  (run === null || snapshot.snapshot.run === run) &&
  snapshot.snapshot.seq > seq;

/** What is the same whatever is decided. */
function planOf<State>(reading: Reading<State>): RepairWork<State> {
  const { mended, run, usable, snapshot, strange, other } = reading;
  const { kind } = snapshot;
  return {
    ...{ flaws: mended.flaws, bridged: [], cut: null, kept: mended.records, bridge: null },
    ...{ pieces: [], end: endOf(reading), journal: 'as_it_is', strange, other },
    run: run ?? usable?.run ?? null,
    snapshot: kind === 'ok' ? 'kept' : kind,
    state: usable?.state ?? null,
  };
}

function openGaps<State>({ mended, known }: Reading<State>): readonly Gap[] {
  return mended.gaps.filter(
    (gap) => !known.some(({ from, to }) => gap.from === from && gap.to === to),
  );
}

const spanOf = ({ from, to, firstSeq, nextSeq }: Gap): Span => ({
  ...{ from, to },
  records: (nextSeq ?? firstSeq) - firstSeq,
});

const endOf = <State>({ mended }: Reading<State>): RepairWork<State>['end'] => ({
  seq: mended.lastSeq,
  offset: mended.lastOffset,
  chain: formatChecksum(mended.checksum),
  size: mended.bytes.size,
});

const endBefore = ({ firstSeq, from, before }: Gap) => ({
  seq: firstSeq - 1,
  offset: before.offset,
  chain: formatChecksum(before.checksum),
  size: from,
});

/** Records before a gap; gaps that are known or bridged hold none. */
function keptRecords<State>({ mended }: Reading<State>, upTo: Gap | null): number {
  if (upTo === null) return mended.records;
  const missing = mended.gaps
    .filter(({ from }) => from < upTo.from)
    .reduce((sum, gap) => sum + spanOf(gap).records, 0);
  return upTo.firstSeq - 1 - missing;
}

function cutAt<State>({ mended, size, strange }: Reading<State>, gap: Gap | null): Cut {
  const inFile = gap?.inFile ?? mended.tornAt ?? size;
  const why = gap?.why ?? (strange === '' ? mended.why || 'it is empty' : `it is ${strange}`);
  return { inFile, bytes: size - inFile, why, isTorn: gap === null && mended.tail === 'torn' };
}

/** The first record written anew from what the state knows of it. */
function openingLine<State, R extends AnyRecord>(
  { records }: RepairPlace<State, R>,
  { state }: Snapshot<State>,
): Buffer {
  const { record, ts } = records.opening(state);
  return encodeLine({ seq: 1, ts, durable: 0, ...record }, 0).bytes;
}

interface Refill {
  readonly pieces: readonly Piece[];
  readonly spans: readonly Span[];
}

/** Other bytes for a gap of which some are missing, or in which the first record is written anew. */
function refilled(gap: Gap, opening: Buffer | null, shift: number): Refill | null {
  const length = gap.to - gap.from + shift;
  const chain = formatChecksum(gap.chain);
  const start = opening ?? Buffer.alloc(0);
  const isExact = start.length === length && chainOf(start) === gap.chain;
  if (isExact) return { pieces: put(start), spans: [] };
  const left = length - start.length;
  if (left < SHORTEST_FILLER) return null;
  const from = gap.from + start.length;
  const records = spanOf(gap).records - (opening === null ? 0 : 1);
  const span = { from, to: from + left, records };
  return { pieces: [...put(start), ...filler(left, chain)], spans: [span] };
}

const chainOf = (line: Buffer): number | null =>
  parseChecksum(line.subarray(-11).toString('latin1', 0, 8));

const put = (bytes: Buffer): Piece[] => (bytes.length === 0 ? [] : [{ kind: 'put', bytes }]);

/** A line of spaces that is no record; its end names the checksum that the next record goes on from. */
function filler(length: number, chain: string): readonly Piece[] {
  const bytes = repairedBytes();
  const spaces = Buffer.alloc(Math.min(FILLER_CHUNK, length), ' ');
  for (let left = length - SHORTEST_FILLER; left > 0; left -= spaces.length) {
    bytes.put(spaces.subarray(0, left));
  }
  bytes.put(Buffer.from(`,"c":"${chain}"}\n`));
  return bytes.pieces;
}
