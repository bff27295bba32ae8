/** Shows a text file or a range of its lines. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { sha256 } from '../../lib/sha256.ts';
import type { ToolResult } from '../../schema/actions.ts';
import { chunksOf, readBytes } from '../../workspace/files.ts';
import { cutAtCharacter, type DecodedText, decodeText } from '../../workspace/text-encoding.ts';
import { PATH_ALIASES, splitNames } from '../calls/aliases.ts';
import { zodSchema } from '../calls/args-schema.ts';
import type { PerformHooks, Tool, ToolContext } from '../contract.ts';
import { describeBinary } from '../files/describe-binary.ts';
import { isTooLarge, type LocatedPath, locateFile } from '../files/workspace-path.ts';
import { failed, ok, ready, refused } from '../result.ts';
import { targetFromArgument } from '../toolset.ts';
import { truncateMiddle } from '../truncate.ts';

/** Larger files are never held in memory; a limited piece from the requested place is shown. */
const MAX_WHOLE_BYTES = 8 * 1024 * 1024;
const MAX_PIECE_BYTES = 1024 * 1024;
/** Bytes read in one go. */
const STRETCH_BYTES = 16 * 1024 * 1024;
const RANGE_HINT = (): string => 'start_line and end_line show a part';
const INSTEAD = 'Use the tool read_file.';

const Args = z.object({
  path: z.string().describe('relative to the workspace'),
  max_bytes: z.number().int().positive().optional(),
  start_line: z.number().int().positive().optional(),
  end_line: z.number().int().positive().optional(),
});
type Range = Omit<z.infer<typeof Args>, 'path'>;

export const readFile: Tool<z.infer<typeof Args>> = {
  name: 'read_file',
  description: 'Read a text file, or some of its lines.',
  args: zodSchema(Args),
  touches: 'reads',
  afterCrash: 'repeat',
  does: 'reads_files',
  constrained: { args: { file: 'path' }, description: 'Read a text file.' },
  inPlan: { target: 'path', place: 2 },
  aliases: {
    called: splitNames('fsread read'),
    names: splitNames('cat viewfile openfile getfile read view'),
    args: { path: PATH_ALIASES },
  },
  replacesPrograms: { cat: INSTEAD, type: INSTEAD, head: INSTEAD, tail: INSTEAD },
  target: targetFromArgument('path', 'file'),
  prepare: async (args, context) => {
    const place = locateFile(context, args.path);
    if (place.kind === 'no_place') return refused(place.reason);
    const { start_line: start = 1, end_line: end = Number.POSITIVE_INFINITY } = args;
    if (start > end) return refused(`start_line ${start} lies behind end_line ${end}.`);
    return ready((hooks) => read(context, place, args, hooks));
  },
};

async function read(
  context: ToolContext,
  place: LocatedPath,
  range: Range,
  { signal }: PerformHooks,
): Promise<ToolResult> {
  const size = place.info?.size ?? 0;
  const loaded =
    (size <= MAX_WHOLE_BYTES ? whole(context, place) : null) ??
    (await piece(context, place, range.start_line ?? 1, signal));
  if (loaded === null) return failed('Cancelled.', 'cancelled');
  return fileResult(context, place, range, loaded);
}

/** Bytes that only decode as Latin-1 may be anything. */
const isPlainText = (decoded: DecodedText): boolean =>
  decoded.kind === 'text' && decoded.encoding !== 'latin1';

function fileResult(
  context: ToolContext,
  place: LocatedPath,
  range: Range,
  { bytes, hash, firstLine, isAll, isEnd }: Loaded,
): ToolResult {
  const size = place.info?.size ?? 0;
  const hashes = hash === null ? {} : { hashes: { [place.relative]: hash } };
  const decoded = decodeText(bytes);
  const kind = isPlainText(decoded) ? null : describeBinary(bytes);
  if (decoded.kind === 'binary' || kind !== null) {
    // The model has seen what can be shown of the file, so it may replace it.
    const known = { ...hashes, facts: { shows: [place.relative] } };
    return kind === null
      ? {
          ...failed(
            `${place.relative} is a binary file of ${size} bytes; it cannot be shown as text.`,
          ),
          ...known,
        }
      : ok(`[${place.relative} is no text: ${kind}, ${size} bytes]`, known);
  }
  const before =
    hash !== null && isWhole(range) ? context.readBefore?.(place.relative, hash) : null;
  if (before != null) return ok(unchanged(place.relative, before), hashes);
  const shown = show(decoded, range, { firstLine, isEnd });
  const notes = [
    ...(decoded.encoding === 'latin1' ? ['not UTF-8, shown as Latin-1'] : []),
    ...(!isAll ? [`the file has ${size} bytes, only a part was looked at`] : []),
    ...shown.notes,
  ];
  const heading = notes.length === 0 ? '' : `[${notes.join('; ')}]\n`;
  const room = Math.max(0, context.maxResultChars - heading.length);
  const text = truncateMiddle(shown.text, room, RANGE_HINT);
  const isShown = isAll && text === decoded.text;
  return ok(heading + text, {
    ...hashes,
    ...(isShown ? { facts: { shows: [place.relative] } } : {}),
  });
}

/** True if the whole file is requested. */
const isWhole = ({ max_bytes, start_line, end_line }: Range): boolean =>
  max_bytes === undefined && start_line === undefined && end_line === undefined;

const unchanged = (path: string, where: string): string =>
  `${path} is unchanged since you read it${where}: its whole text is still above.`;

interface Loaded {
  readonly bytes: Uint8Array;
  /** The hash of the whole file; `null`: it is larger than any file that may be changed. */
  readonly hash: string | null;
  readonly isAll: boolean;
  /** The number of the first line in `bytes`. */
  readonly firstLine: number;
  /** Nothing follows `bytes` in the file. */
  readonly isEnd: boolean;
}

/** `null`: it has grown since it was examined. */
function whole(context: ToolContext, place: LocatedPath): Loaded | null {
  const bytes = readBytes(context.fs, place.absolute, MAX_WHOLE_BYTES);
  return bytes === null
    ? null
    : { bytes, hash: sha256(bytes), firstLine: 1, isAll: true, isEnd: true };
}

/**
 * Reads in one pass, and not to the end of a file that cannot be changed anyway: keeps a piece from the wanted
 * line on. Between two stretches it checks for cancellation and then returns `null`.
 */
async function piece(
  context: ToolContext,
  place: LocatedPath,
  startLine: number,
  signal: AbortSignal,
): Promise<Loaded | null> {
  const hash = isTooLarge(place.info?.size ?? 0) ? null : createHash('sha256');
  const kept: Uint8Array[] = [];
  let room = MAX_PIECE_BYTES;
  let line = 1;
  let done = 0;
  for (const bytes of chunksOf(context.fs, place.absolute)) {
    hash?.update(bytes);
    let from = 0;
    while (line < startLine && from >= 0) {
      from = bytes.indexOf(0x0a, from) + 1;
      if (from === 0) break;
      line += 1;
    }
    const part = line < startLine ? bytes.subarray(0, 0) : bytes.subarray(from, from + room);
    if (part.length > 0) kept.push(part);
    room -= part.length;
    if (room <= 0 && hash === null) break;
    done += bytes.length;
    if (done % STRETCH_BYTES === 0) await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return null;
  }
  const bytes = cutAtCharacter(Buffer.concat(kept));
  const isEnd = room > 0;
  return { bytes, hash: hash?.digest('hex') ?? null, firstLine: line, isAll: false, isEnd };
}

function show(
  decoded: Extract<DecodedText, { kind: 'text' }>,
  range: Range,
  { firstLine, isEnd }: Pick<Loaded, 'firstLine' | 'isEnd'>,
): { readonly text: string; readonly notes: readonly string[] } {
  const notes: string[] = [];
  let text = decoded.text;
  if (text === '')
    return {
      text: '',
      notes: [firstLine === 1 ? 'the file is empty' : 'it ends before that line'],
    };
  if (range.start_line !== undefined || range.end_line !== undefined) {
    const lines = text.split('\n');
    const total = firstLine - 1 + lines.length - (text.endsWith('\n') ? 1 : 0);
    const start = range.start_line ?? 1;
    const end = Math.min(range.end_line ?? total, total);
    text = lines.slice(start - firstLine, end - firstLine + 1).join('\n');
    notes.push(
      start > total
        ? `the file ends with line ${total}`
        : `lines ${start} to ${end}${isEnd ? ` of ${total}` : ', and more follow'}`,
    );
  }
  const bytes = Buffer.from(text);
  if (range.max_bytes !== undefined && bytes.length > range.max_bytes) {
    text = Buffer.from(cutAtCharacter(bytes.subarray(0, range.max_bytes))).toString();
    notes.push(`the first ${range.max_bytes} of ${bytes.length} bytes`);
  }
  return { text, notes };
}
