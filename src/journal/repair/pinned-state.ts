import { createBlobStore } from '../blobs/blobs.ts';
import type { StateFolder } from '../layout.ts';
import type { ScanStart } from '../lines/scan.ts';
import type { AnyRecord, Bridge, RecordFormat } from '../record-format.ts';
import { readDamaged } from './read-damaged.ts';

export const pinnedState = (schema: number, state: unknown): Buffer =>
  Buffer.from(JSON.stringify({ schema, state }));

interface PinnedStatePorts<R extends AnyRecord> extends StateFolder {
  readonly format: Pick<RecordFormat<R>, 'parse' | 'bridge'>;
  readonly fold: { readonly schema: number };
}

/** `null` if the blob is gone or holds a state of another shape. */
export function readPinned<State, R extends AnyRecord>(
  { fs, layout, fold }: PinnedStatePorts<R>,
  { state }: Bridge,
): { readonly state: State } | null {
  const blobs = createBlobStore(fs, layout.blobs);
  if (!blobs.has(state)) return null;
  const pinned = JSON.parse(blobs.read(state).toString()) as { schema: number; state: State };
  return pinned.schema === fold.schema ? pinned : null;
}

/**
 * Where reading an open journal continues after unreadable bytes, of which `damaged` is the first; `null`:
 * nowhere.
 */
export function startBehind<State, R extends AnyRecord>(
  place: PinnedStatePorts<R>,
  fd: number,
  damaged: number,
): { readonly start: ScanStart; readonly state: State } | null {
  let found: { start: ScanStart; bridge: Bridge } | null = null;
  const { gaps, flaws } = readDamaged(
    place.fs,
    fd,
    place.format,
    (record, { offset, previous }) => {
      const bridge = place.format.bridge?.(record) ?? null;
      if (bridge !== null) found = { bridge, start: { offset, previous, seq: record.seq } };
    },
  );
  const { start, bridge } = found ?? NOWHERE;
  const isWhole = flaws.size === 0 && gaps[0]?.from === damaged;
  const isBehind = gaps.every(({ to }) => to <= start.offset);
  const pinned = isWhole && isBehind ? readPinned<State, R>(place, bridge) : null;
  return pinned && { start, state: pinned.state };
}

const NOWHERE = {
  start: { offset: -1, previous: 0, seq: 0 },
  bridge: { spans: [], state: '' },
} as const;
