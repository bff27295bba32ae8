/** Finds text in the files of the workspace. Bounded in files, bytes, time and matches. */
import * as z from 'zod';
import { isCache } from '../languages/languages.ts';
import type { ToolResult } from '../schema/actions.ts';
import { readBytes } from '../workspace/files.ts';
import { pathsOf } from '../workspace/jail.ts';
import { protectedFolder } from '../workspace/path-rules.ts';
import { decodeText } from '../workspace/text-encoding.ts';
import { walk } from '../workspace/walk.ts';
import { namesOf, PATH_ALIASES } from './aliases.ts';
import { zodSchema } from './args-schema.ts';
import type { PerformHooks, Tool, ToolContext } from './contract.ts';
import { type LineMatch, matchLines } from './match-lines.ts';
import { failed, ok, refused } from './result.ts';
import { targetIn } from './toolset.ts';
import { truncateMiddle } from './truncate.ts';
import { locate, missing, type Place } from './workspace-path.ts';

const MAX_PATTERN = 1_000;
const MAX_MATCHES = 100;
const MAX_SHOWN_LINE = 200;
const MAX_FILES = 5_000;
const MAX_ENTRIES = 50_000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
/** Searched in one go; between two of them a cancelled run is noticed. */
const BATCH_BYTES = 2 * 1024 * 1024;
const BATCH_LIMIT_MS = 500;

const Args = z.object({
  pattern: z.string().min(1).max(MAX_PATTERN).describe('the text to find, within one line'),
  path: z.string().describe('a file or folder; "." is the workspace').default('.'),
  regex: z.boolean().describe('pattern is a regular expression').default(false),
  ignore_case: z.boolean().default(false),
});
type Args = z.infer<typeof Args>;

export const searchText: Tool<Args> = {
  name: 'search_text',
  description: 'Find text in files: the lines that hold it, as path:line: text.',
  args: zodSchema(Args),
  touches: 'reads',
  settles: 'again',
  declared: 'on_request',
  aliases: {
    names: namesOf('grep grepsearch ripgrep rg search searchfiles searchfilecontent findinfiles'),
    args: { path: PATH_ALIASES, pattern: namesOf('query text term string regexp search') },
  },
  insteadOf: { grep: 'Use the tool search_text.', rg: 'Use the tool search_text.' },
  target: targetIn('pattern', 'other'),
  reaches: ({ path }) => [{ does: 'read', path: typeof path === 'string' ? path : '.' }],
  prepare: async (args, context) => {
    const place = locate(context, args.path === '' ? '.' : args.path, false);
    if (place.kind === 'no_place') return refused(place.reason);
    if (place.info === null) return refused(missing(context, place.relative));
    const folder = protectedFolder(place.relative.split('/'));
    if (folder !== null) return refused(`Nothing in ${folder} is searched.`);
    const pattern = patternOf(args);
    if (typeof pattern === 'string') return refused(pattern);
    return {
      kind: 'ready',
      files: [],
      perform: (hooks) => search(pattern, args, place, context, hooks),
    };
  },
};

/** The expression, or in words why it is none. */
function patternOf({ pattern, regex, ignore_case }: Args): RegExp | string {
  const source = regex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  try {
    return new RegExp(source, ignore_case ? 'i' : '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${reason}. Leave regex out to find the text as it stands.`;
  }
}

interface Found {
  readonly lines: readonly string[];
  readonly files: number;
  /** What was not looked at, in words. */
  readonly left: readonly string[];
}

async function search(
  pattern: RegExp,
  args: Args,
  place: Place,
  context: ToolContext,
  hooks: PerformHooks,
): Promise<ToolResult> {
  const found = await findLines(pattern, place, context, hooks.signal);
  if (found === 'cancelled') return failed('Cancelled.', 'cancelled');
  if (found === 'too_slow') {
    return failed(
      'The regular expression takes too long. Avoid a repeat inside a repeat, as in (a+)+, or find plain text.',
    );
  }
  const notes = found.left.map((note) => `[${note}]`);
  if (found.lines.length > 0) {
    return ok(truncateMiddle([...found.lines, ...notes].join('\n'), context.maxResultChars));
  }
  const where = place.relative === '.' ? 'the workspace' : place.relative;
  const nothing = `Nothing in ${where} holds ${JSON.stringify(args.pattern)} (files searched: ${found.files}).`;
  const hint = hintFor(args);
  const next = hint === null ? [] : [`Hint: ${hint}`];
  return ok([nothing, ...notes, ...next].join('\n'), hint === null ? {} : { hint });
}

function hintFor({ pattern, regex, ignore_case }: Args): string | null {
  if (!regex && /\\[bdsw]|\.\*|\||\[.+\]/.test(pattern)) {
    return 'The pattern was taken as plain text; set regex to true for a regular expression.';
  }
  return ignore_case ? null : 'Set ignore_case to true to find capital and small letters alike.';
}

async function findLines(
  pattern: RegExp,
  place: Place,
  context: ToolContext,
  signal: AbortSignal,
): Promise<Found | 'too_slow' | 'cancelled'> {
  const left = new Left();
  const lines: string[] = [];
  let files = 0;
  for (const batch of batchesOf(textsAt(place, context, left))) {
    if (signal.aborted) return 'cancelled';
    files += batch.length;
    const matched = matchLines(
      pattern,
      batch.map(({ text }) => text),
      { most: MAX_MATCHES + 1 - lines.length, limitMs: BATCH_LIMIT_MS },
    );
    if (matched.kind === 'too_slow') return 'too_slow';
    for (const match of matched.matches) lines.push(shown(batch[match.text]?.path ?? '', match));
    if (lines.length > MAX_MATCHES) break;
    // A turn of the event loop: whoever cancels is heard.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const more = lines.length > MAX_MATCHES;
  const notes = [...(more ? [`only the first ${MAX_MATCHES} lines are shown`] : []), ...left.notes];
  return { lines: lines.slice(0, MAX_MATCHES), files, left: notes };
}

/** Counts what was passed over. */
class Left {
  large = 0;
  unread = 0;
  secret = 0;
  isCut = false;

  get notes(): readonly string[] {
    return [
      ...(this.large > 0 ? [`files over 1 MB, not searched: ${this.large}`] : []),
      ...(this.unread > 0 ? [`files that could not be read: ${this.unread}`] : []),
      ...(this.secret > 0
        ? [`files that may hold keys, or that a rule holds back, not searched: ${this.secret}`]
        : []),
      ...(this.isCut ? ['there is more than could be searched; search a folder of it'] : []),
    ];
  }
}

interface Text {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The text files at a place, in a stable order. */
function* textsAt(place: Place, context: ToolContext, left: Left): Generator<Text> {
  const { fs, workspace } = context;
  let files = 0;
  let bytes = 0;
  for (const { path, size } of filesAt(place, context, left)) {
    if (size > MAX_FILE_BYTES) {
      left.large += 1;
      continue;
    }
    files += 1;
    bytes += size;
    if (files > MAX_FILES || bytes > MAX_BYTES) {
      left.isCut = true;
      return;
    }
    const text = textOf(() =>
      readBytes(fs, pathsOf(fs.platform).join(workspace, path), MAX_FILE_BYTES),
    );
    if (text === 'unread') left.unread += 1;
    else if (text !== null) yield { path, text: text.content };
  }
}

function* filesAt(
  place: Place,
  { fs, mayShow }: ToolContext,
  left: Left,
): Generator<{ path: string; size: number }> {
  const { info, relative, absolute } = place;
  if (info?.kind === 'file') yield { path: relative, size: info.size };
  if (info?.kind !== 'directory') return;
  let entries = 0;
  for (const entry of walk(fs, absolute, isCache, relative === '.' ? '' : `${relative}/`)) {
    entries += 1;
    if (entries > MAX_ENTRIES) {
      left.isCut = true;
      return;
    }
    if (entry.info.kind !== 'file') continue;
    if (mayShow?.(entry.path) === false) left.secret += 1;
    else yield { path: entry.path, size: entry.info.size };
  }
}

/** `null`: a binary file. */
function textOf(read: () => Uint8Array | null): { readonly content: string } | 'unread' | null {
  try {
    const bytes = read();
    if (bytes === null) return 'unread';
    const decoded = decodeText(bytes);
    return decoded.kind === 'text' ? { content: decoded.text } : null;
  } catch {
    return 'unread';
  }
}

function* batchesOf(texts: Iterable<Text>): Generator<readonly Text[]> {
  let batch: Text[] = [];
  let size = 0;
  for (const text of texts) {
    batch.push(text);
    size += text.text.length;
    if (size < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

/** A long line is shown around what was found in it. */
function shown(path: string, { line, content, at }: LineMatch): string {
  const start = content.length <= MAX_SHOWN_LINE ? 0 : Math.max(0, at - MAX_SHOWN_LINE / 4);
  const part = content.slice(start, start + MAX_SHOWN_LINE);
  const before = start > 0 ? '…' : '';
  const after = start + MAX_SHOWN_LINE < content.length ? '…' : '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name must not end its line
  const name = /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path;
  return `${name}:${line}: ${before}${part}${after}`;
}
