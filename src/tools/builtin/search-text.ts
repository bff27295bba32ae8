/** Finds text in the files of the workspace, with limits for files, bytes, time and matches. */
import * as z from 'zod';
import { thrownText } from '../../lib/callback.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { ToolResult } from '../../schema/actions.ts';
import { readBytes } from '../../workspace/files.ts';
import { ignoredIn } from '../../workspace/git-ignored.ts';
import { protectedFolder } from '../../workspace/path-rules.ts';
import { decodeText } from '../../workspace/text-encoding.ts';
import { PATH_ALIASES, splitNames } from '../calls/aliases.ts';
import { zodSchema } from '../calls/args-schema.ts';
import type { Tool, ToolContext } from '../contract.ts';
import { type FoundFile, filesBelow, PassedOver } from '../files/files-below.ts';
import { type LocatedPath, locateExisting } from '../files/workspace-path.ts';
import { failed, ok, ready, refused } from '../result.ts';
import { FileCounts, LineRows, MAX_SHOWN, moreText } from '../search/found-rows.ts';
import { globMatcher, tooManyChoices } from '../search/glob.ts';
import { type Matcher, patternMatcher, textMatcher } from '../search/match-lines.ts';
import { targetFromArgument } from '../toolset.ts';
import { truncateMiddle } from '../truncate.ts';

const MAX_PATTERN = 1_000;
/** The most lines that are found; lines beyond are neither counted nor shown. */
const MAX_FOUND = 100_000;
const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
/** Bytes searched in one go; between two batches a cancelled run is noticed. */
const BATCH_BYTES = 2 * 1024 * 1024;
const BATCH_FILES = 500;
/** For a regular expression; a harmless one needs only some milliseconds. */
const BATCH_LIMIT_MS = 2_000;

const Args = z.object({
  pattern: z.string().min(1).max(MAX_PATTERN).describe('the text to find, within one line'),
  path: z.string().describe('a file or folder; "." is the workspace').default('.'),
  regex: z.boolean().describe('pattern is a regular expression').default(false),
  ignore_case: z.boolean().default(false),
  glob: z.string().max(MAX_PATTERN).describe('only files of such names, as in *.md').optional(),
  files_only: z.boolean().describe('with counts').optional(),
  offset: z.number().int().min(0).optional(),
});
type Args = z.infer<typeof Args>;

/** @param limitMs for the regular expression in each batch */
export const searchTextWithin = (limitMs: number): Tool<Args> => ({
  name: 'search_text',
  description: 'Find text in files; ignored ones are left out.',
  args: zodSchema(Args),
  argsForCalls: ['files_only', 'offset'],
  touches: 'reads',
  afterCrash: 'repeat',
  needs: { room: true },
  constrained: { args: { pattern: 'pattern' } },
  aliases: {
    called: splitNames('grep'),
    names: splitNames(
      'grep grepsearch ripgrep rg search searchfiles searchfilecontent findinfiles',
    ),
    args: {
      path: PATH_ALIASES,
      pattern: splitNames('query text term string regexp search'),
      glob: splitNames('include file_pattern'),
      offset: splitNames('skip'),
    },
  },
  replacesPrograms: { grep: 'Use the tool search_text.', rg: 'Use the tool search_text.' },
  target: targetFromArgument('pattern', 'other'),
  reaches: ({ path }) => [{ does: 'read', path: typeof path === 'string' ? path : '.' }],
  prepare: async (args, context) => {
    const place = locateExisting(context, args.path);
    if (place.kind === 'no_place') return refused(place.reason);
    const folder = protectedFolder(place.relative.split('/'));
    if (folder !== null) return refused(`Nothing in ${folder} is searched.`);
    const many = args.glob === undefined ? null : tooManyChoices(args.glob);
    if (many !== null) return refused(many);
    const pattern = args.regex ? patternOf(args) : null;
    if (typeof pattern === 'string') return refused(pattern);
    return ready(async ({ signal }) => {
      const matcher =
        pattern === null
          ? textMatcher(args.pattern, args.ignore_case)
          : await patternMatcher(pattern, { limitMs, signal });
      try {
        return await search(matcher, args, place, context, signal);
      } finally {
        await matcher.close();
      }
    });
  },
});

export const searchText: Tool<Args> = searchTextWithin(BATCH_LIMIT_MS);

/** The expression, or a message why it is invalid. */
function patternOf({ pattern, ignore_case }: Args): RegExp | string {
  try {
    return new RegExp(pattern, ignore_case ? 'i' : '');
  } catch (error) {
    return `${thrownText(error)}. Leave regex out to find the text as it stands.`;
  }
}

interface FoundLines {
  /** After the skipped lines, and no more than are shown. */
  readonly lines: readonly string[];
  readonly files: number;
  /** How many matches there are, if the offset lies after all of them. */
  readonly passed: number;
  /** What was not searched, in words. */
  readonly left: readonly string[];
  readonly ignored: number;
}

async function search(
  matcher: Matcher,
  args: Args,
  place: LocatedPath,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  const found = await findLines(matcher, args, place, context, signal);
  if (found === 'cancelled') return failed('Cancelled.', 'cancelled');
  if (found === 'too_slow') {
    return failed(
      'The regular expression takes too long. Avoid a repeat inside a repeat, as in (a+)+, or find plain text.',
    );
  }
  const notes = found.left.map((note) => `[${note}]`);
  if (found.lines.length > 0)
    return ok(truncateMiddle([...found.lines, ...notes].join('\n'), context.maxResultChars));
  const where = place.relative === '.' ? 'the workspace' : place.relative;
  if (found.passed > 0) {
    const end = `There are ${found.passed} results; nothing lies behind them.`;
    return ok([end, ...notes].join('\n'));
  }
  const nothing = `Nothing in ${where} holds ${quotedPattern(args.pattern)} (files searched: ${found.files}).`;
  const hint = hintFor(args);
  const next = hint === null ? [] : [`Hint: ${hint}`];
  const ignored =
    found.ignored > 0
      ? [`[ignored by .gitignore and not searched: ${found.ignored} files or folders]`]
      : [];
  const text = [nothing, ...ignored, ...notes, ...next].join('\n');
  return ok(text, hint === null ? {} : { hint });
}

/** Keeps backslashes as they are. */
const quotedPattern = (pattern: string): string =>
  /\p{Cc}/u.test(pattern) ? JSON.stringify(pattern) : `"${pattern}"`;

function hintFor({ pattern, regex, ignore_case }: Args): string | null {
  if (!regex && /\\[bdsw]|\.\*|\||\[.+\]/.test(pattern))
    return 'The pattern was taken as plain text; set regex to true for a regular expression.';
  return ignore_case ? null : 'Set ignore_case to true to find capital and small letters alike.';
}

async function findLines(
  matcher: Matcher,
  { glob, files_only = false, offset = 0 }: Args,
  place: LocatedPath,
  context: ToolContext,
  signal: AbortSignal,
): Promise<FoundLines | 'too_slow' | 'cancelled'> {
  const isWanted = glob === undefined ? () => true : globMatcher(glob);
  const left = new Left(isWanted);
  const found = files_only ? new FileCounts() : new LineRows();
  const most = files_only ? MAX_FOUND : Math.min(offset + MAX_SHOWN + 1, MAX_FOUND);
  let count = 0;
  let files = 0;
  const ignored = ignoredIn(context.fs, context.workspace);
  const below = filesBelow(place, context, ignored, left);
  for (const batch of batchesOf(textsOf(below, context, left))) {
    if (signal.aborted) return 'cancelled';
    // Yields to the event loop, so that a cancellation is noticed.
    await new Promise((resolve) => setImmediate(resolve));
    if (batch.length === 0) continue;
    files += batch.filter(({ text }) => text !== null).length;
    const matched = await matcher.match(
      batch.map(({ text }) => text ?? ''),
      most - count,
    );
    if (signal.aborted) return 'cancelled';
    if (matched.kind === 'too_slow') return 'too_slow';
    for (const match of matched.matches) found.add(batch[match.text]?.path ?? '', match);
    count += matched.matches.length;
    if (count >= most) break;
  }
  const all = found.rows();
  const end = offset + MAX_SHOWN;
  const notes = [
    ...(all.length > end ? [moreText(offset, files_only)] : []),
    ...(count >= MAX_FOUND ? [`only the first ${MAX_FOUND} lines were found`] : []),
    ...left.notes,
  ];
  const lines = all.slice(offset, end);
  const passed = lines.length === 0 ? all.length : 0;
  return { lines, files, passed, left: notes, ignored: left.ignored };
}

/** Counts what was skipped. */
class Left extends PassedOver {
  large = 0;
  unread = 0;

  override get notes(): readonly string[] {
    return [
      ...(this.large > 0 ? [`files over 1 MB, not searched: ${this.large}`] : []),
      ...(this.unread > 0 ? [`files that could not be read: ${this.unread}`] : []),
      ...super.notes,
    ];
  }
}

interface Text {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** `null`: not text. */
  readonly text: string | null;
}

/** The text files among those found, in order. */
function* textsOf(
  found: Iterable<FoundFile | null>,
  { fs, workspace }: ToolContext,
  left: Left,
): Generator<Text | null> {
  let files = 0;
  let bytes = 0;
  for (const file of found) {
    if (file === null) {
      yield null;
      continue;
    }
    const { path, size } = file;
    if (!left.isWanted(path)) continue;
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
    else yield { path, text: text?.content ?? null };
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

/** An empty batch yields to others. */
function* batchesOf(texts: Iterable<Text | null>): Generator<readonly Text[]> {
  let batch: Text[] = [];
  let size = 0;
  for (const text of texts) {
    if (text === null) {
      yield [];
      continue;
    }
    batch.push(text);
    size += text.text?.length ?? 0;
    if (size < BATCH_BYTES && batch.length < BATCH_FILES) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}
