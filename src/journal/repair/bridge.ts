/**
 * Decides what happens to a damaged journal.
 * 1. What can be corrected is corrected. What cannot stays as it is if the snapshot covers it: all other bytes
 *    keep their positions, so that offsets in the state stay valid.
 * 2. Only bytes that no snapshot covers are cut off, from the first such byte on.
 */
import { encodeLine, formatChecksum, parseChecksum } from '../lines/framing.ts';
import type { AnyRecord, UnreadableSpan } from '../record-format.ts';
import type { Snapshot } from '../snapshot.ts';
import type { JournalCut, JournalReading, RepairPlace, RepairWork } from './contract.ts';
import type { Gap } from './read-damaged.ts';
import { isAsItIs, type RepairedPiece, repairedBytes, sliceOf } from './repaired-bytes.ts';

/** `,"c":"xxxxxxxx"}` and a newline: a line that only continues the chain. */
const SHORTEST_FILLER = 17;
const FILLER_CHUNK = 1024 * 1024;

export function decideRepair<State, R extends AnyRecord>(
  place: RepairPlace<State, R>,
  reading: JournalReading<State>,
): RepairWork<State> {
  return bridgedWhole(place, reading) ?? bridgedToEnd(place, reading) ?? withCut(reading);
}

/** The snapshot covers more than the journal holds: the end is filled up to there. */
function bridgedToEnd<State, R extends AnyRecord>(
  place: RepairPlace<State, R>,
  reading: JournalReading<State>,
): RepairWork<State> | null {
  const { mended, usable } = reading;
  if (usable === null || usable.seq <= mended.lastSeq) return null;
  const last = mended.gaps.at(-1);
  // A view proves nothing: a journal that is complete without it may never have been longer.
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
    pieces,
    end,
    journal: 'rewritten',
    bridged: [...spans, span],
    kept: mended.records + (start.length > 0 ? 1 : 0),
    bridge: { state: usable.state },
  };
}

/** Every gap lies before the record that the snapshot was made at. */
function bridgedWhole<State, R extends AnyRecord>(
  place: RepairPlace<State, R>,
  reading: JournalReading<State>,
): RepairWork<State> | null {
  const { mended, usable, seen } = reading;
  const open = openGaps(reading);
  const [first] = open;
  if (usable === null || seen === null || first === undefined) return null;
  const covered = open.filter(({ nextSeq }) => nextSeq !== null && nextSeq <= usable.seq + 1);
  const uncovered = open[covered.length] ?? null;
  if (covered.length === 0 || seen.seq < (uncovered?.firstSeq ?? mended.lastSeq + 1) - 1)
    return null;
  const end = uncovered === null ? endOf(reading) : endBefore(uncovered);
  const opening = first.from === 0 ? openingLine(place, usable) : null;
  const isMoved = seen.shift !== 0 || opening !== null;
  const refill = isMoved ? refilled(first, opening, seen.shift) : null;
  // With several gaps it is unknown which of them lost bytes.
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
    pieces,
    end: { ...end, ...at },
    journal: mended.flaws.size === 0 && isAsItIs(pieces) ? 'as_it_is' : 'rewritten',
    bridged: refill === null ? covered.map(spanOf) : refill.spans,
    cut: isWhole ? null : cutAt(reading, uncovered),
    kept: keptRecords(reading, uncovered) + (opening === null ? 0 : 1),
    bridge: { state: seen.state },
  };
}

/** Nothing is bridged: the journal ends before the first gap, or is complete once corrected. */
function withCut<State>(reading: JournalReading<State>): RepairWork<State> {
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
    pieces,
    end,
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

/** Also true for a snapshot of another schema, which cannot be used but blocks every start. */
const hasSeenMore = <State>({ snapshot, run }: JournalReading<State>, seq: number): boolean =>
  snapshot.kind === 'ok' &&
  snapshot.snapshot.synced &&
  (run === null || snapshot.snapshot.run === run) &&
  snapshot.snapshot.seq > seq;

/** The parts of the plan that do not depend on the decision. */
function planOf<State>(reading: JournalReading<State>): RepairWork<State> {
  const { mended, run, usable, snapshot, strange, other } = reading;
  const { kind } = snapshot;
  return {
    flaws: mended.flaws,
    bridged: [],
    cut: null,
    kept: mended.records,
    bridge: null,
    pieces: [],
    end: endOf(reading),
    journal: 'as_it_is',
    strange,
    other,
    run: run ?? usable?.run ?? null,
    snapshot: kind === 'ok' ? 'kept' : kind,
    state: usable?.state ?? null,
  };
}

function openGaps<State>({ mended, known }: JournalReading<State>): readonly Gap[] {
  return mended.gaps.filter(
    (gap) => !known.some(({ from, to }) => gap.from === from && gap.to === to),
  );
}

const spanOf = ({ from, to, firstSeq, nextSeq }: Gap): UnreadableSpan => ({
  from,
  to,
  records: (nextSeq ?? firstSeq) - firstSeq,
});

const endOf = <State>({ mended }: JournalReading<State>): RepairWork<State>['end'] => ({
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

/** Counts the records before a gap; known or bridged gaps hold none. */
function keptRecords<State>({ mended }: JournalReading<State>, upTo: Gap | null): number {
  if (upTo === null) return mended.records;
  const missing = mended.gaps
    .filter(({ from }) => from < upTo.from)
    .reduce((sum, gap) => sum + spanOf(gap).records, 0);
  return upTo.firstSeq - 1 - missing;
}

function cutAt<State>(
  { mended, size, strange }: JournalReading<State>,
  gap: Gap | null,
): JournalCut {
  const inFile = gap?.inFile ?? mended.tornAt ?? size;
  const why = gap?.why ?? (strange === '' ? mended.why || 'it is empty' : `it is ${strange}`);
  return { inFile, bytes: size - inFile, why, isTorn: gap === null && mended.tail === 'torn' };
}

/** The first record, rewritten from what the state knows of it. */
function openingLine<State, R extends AnyRecord>(
  { records }: RepairPlace<State, R>,
  { state }: Snapshot<State>,
): Buffer {
  const { record, ts } = records.opening(state);
  return encodeLine({ seq: 1, ts, durable: 0, ...record }, 0).bytes;
}

interface Refill {
  readonly pieces: readonly RepairedPiece[];
  readonly spans: readonly UnreadableSpan[];
}

/** Replacement bytes for a gap that lost some bytes, or in which the first record is rewritten. */
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

const put = (bytes: Buffer): RepairedPiece[] =>
  bytes.length === 0 ? [] : [{ kind: 'put', bytes }];

/** A line of spaces that is not a record; its end holds the checksum from which the next record continues. */
function filler(length: number, chain: string): readonly RepairedPiece[] {
  const bytes = repairedBytes();
  const spaces = Buffer.alloc(Math.min(FILLER_CHUNK, length), ' ');
  for (let left = length - SHORTEST_FILLER; left > 0; left -= spaces.length)
    bytes.put(spaces.subarray(0, left));
  bytes.put(Buffer.from(`,"c":"${chain}"}\n`));
  return bytes.pieces;
}
