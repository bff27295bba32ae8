/** What prevents the complete rewrite of a file, and what the rewrite takes from the earlier text. */

import { sha256 } from '../../lib/sha256.ts';
import type { ActionFacts, FileChange } from '../../schema/actions.ts';
import { decodeText, encodeText } from '../../workspace/text-encoding.ts';
import type { Prepared, ToolContext } from '../contract.ts';
import { failed } from '../result.ts';
import { foldersAbove, relativeOf, type WantedChange } from './change-files.ts';
import { droppedText, type TextOf } from './losses.ts';
import { isMostlyWindows, withLineEnding } from './replace-text.ts';
import { bytesToChange, locateFile, locatePath, notAFile, unreadReason } from './workspace-path.ts';

export interface WholeFile {
  readonly path: string;
  readonly content: string;
  readonly create_dirs: boolean;
}

/** A file that is left alone, and why. */
export interface Left {
  readonly kind: 'left';
  readonly why: string;
  readonly status: 'error' | 'conflict';
  /** Set if the file itself was examined: its content. */
  readonly seen?: { readonly path: string; readonly hash: string | null };
  /** The sha256 of the content that was refused because it loses much. */
  readonly withheld?: string;
}

export type PlannedWhole =
  | (WantedChange & { readonly kind: 'ready'; readonly after: Uint8Array })
  | Left;

export function planWhole(args: WholeFile, context: ToolContext): PlannedWhole {
  const place = locatePath(context, args.path, true);
  if (place.kind === 'no_place') return left(place.reason);
  if (place.info !== null && place.info.kind !== 'file') return left(notAFile(context, place));
  const before = place.info === null ? null : bytesToChange(context, place);
  if (typeof before === 'string') return left(before);
  const after = bytesFor(args.content, before);
  const current = before === null ? null : sha256(before);
  const unread = unreadReason(context, place.relative, current);
  const losesNothing = before !== null && (before.length === 0 || current === sha256(after));
  if (unread !== null && !losesNothing) return { ...left(unread), status: 'conflict' };
  const [folder] = foldersAbove(context, place.absolute);
  if (folder !== undefined && !args.create_dirs)
    return left(
      `There is no folder ${relativeOf(context, folder)}. Set create_dirs to true to make it.`,
    );
  const unseen =
    losesNothing || before === null ? null : notInView(context, place.relative, before);
  const seen = { path: place.relative, hash: current };
  if (unseen !== null) return { ...left(asItWas(place.relative, unseen)), seen };
  const loss = lossOf(context, place.relative, { before, after });
  if (loss?.isRefused)
    return { ...left(refusedText(place.relative, loss)), seen, withheld: sha256(after) };
  return { kind: 'ready', place, before, after, ...(loss === null ? {} : { drops: loss.drops }) };
}

const left = (why: string): Left => ({ kind: 'left', why, status: 'error' });

const asItWas = (file: string, why: string): string => `${file} was left as it was: ${why}`;

/** All objections to a call in one result; none of its files was touched. */
export function leftAsTheyWere(all: readonly Left[]): Prepared {
  const seen = all.flatMap((one) => one.seen ?? []);
  const status = all.some((one) => one.status === 'conflict') ? 'conflict' : 'error';
  const result = failed(all.map(({ why }) => why).join('\n'), status);
  if (seen.length === 0) return { kind: 'refused', result };
  const hashes = Object.fromEntries(seen.map(({ path, hash }) => [path, hash]));
  return {
    kind: 'refused',
    result: { ...result, facts: { changed: false, ...droppedFacts(all) }, hashes },
  };
}

function droppedFacts(all: readonly Left[]): ActionFacts {
  const held = all.flatMap(({ seen, withheld }) =>
    seen && withheld ? [[seen.path, withheld]] : [],
  );
  const [only, ...others] = held;
  if (only === undefined) return {};
  return others.length === 0
    ? { withheld: only[1] }
    : { withheldFiles: Object.fromEntries(held) as { [path: string]: string } };
}

interface Loss {
  readonly drops: string;
  readonly mayInsist: boolean;
  readonly isRefused: boolean;
}

/**
 * What a complete rewrite takes from an existing file, or from one that the run removed before; `null`: not
 * much, or the run made the file.
 */
function lossOf(
  context: ToolContext,
  file: string,
  { before, after }: { readonly before: Uint8Array | null; readonly after: Uint8Array },
): Loss | null {
  const original = context.originalOf(file);
  const measure = original?.bytes ?? before;
  if (original === null || measure === null) return null;
  const [was, is] = [decodeText(measure), decodeText(after)];
  const drops =
    was.kind === 'text' && is.kind === 'text'
      ? droppedText(file, was.text, is.text, {
          isNamed: context.isNamed,
          textOf: textIn(context),
        })
      : null;
  if (drops === null) return null;
  const { mayInsist, withheld } = original;
  return { drops, mayInsist, isRefused: !mayInsist || withheld !== sha256(after) };
}

/** The text of other files in the workspace. */
const textIn =
  (context: ToolContext): TextOf =>
  (path) => {
    const place = locateFile(context, path);
    const bytes = place.kind === 'place' ? bytesToChange(context, place) : '';
    const decoded = typeof bytes === 'string' ? null : decodeText(bytes);
    return decoded?.kind === 'text' ? decoded.text : null;
  };

function refusedText(file: string, { drops, mayInsist }: Loss): string {
  const again = mayInsist ? ' If that is meant, send the same content again.' : '';
  const words =
    `the new content drops ${drops}. ` +
    `Write it whole with all that was there, or change a part with edit_file.${again}`;
  return asItWas(file, words);
}

/** Why an existing file cannot be written whole: a model that sees only a part would drop the rest unseen. */
function notInView(context: ToolContext, file: string, before: Uint8Array): string | null {
  const original = context.originalOf(file);
  if (original === null || original.isInView || isBlank(before)) return null;
  const mayFit = before.length <= context.maxResultChars;
  const wayOut = mayFit ? ', or read it whole with read_file first' : '';
  return `its whole text is not in view now. Change a part with edit_file${wayOut}.`;
}

const isBlank = (bytes: Uint8Array): boolean => {
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' && decoded.text.trim() === '';
};

/** Keeps the file's byte order mark, the Unicode form that it announced, and its line ends. */
function bytesFor(content: string, before: Uint8Array | null): Uint8Array {
  const decoded = before === null ? null : decodeText(before);
  if (decoded?.kind !== 'text') return Buffer.from(content);
  const { encoding } = decoded;
  // Models see Windows line ends and write plain ones. A model that sends a carriage return means it.
  const isKept = !content.includes('\r') && isMostlyWindows(decoded.text);
  const text = isKept ? withLineEnding(content, '\r\n') : content;
  return encodeText(text, encoding === 'latin1' ? 'utf8' : encoding) ?? Buffer.from(text);
}

/** What the model is told of one file that was written. */
export function wroteText(content: string, file: FileChange): string {
  const { after, drops } = file;
  const isKept = content.includes('\n') && !content.includes('\r') && after !== sha256(content);
  const keeps =
    isKept && after === sha256(withLineEnding(content, '\r\n'))
      ? '. Its lines end in CR LF, as before.'
      : '';
  const note = drops === undefined ? '' : `\nAccepted, although it drops ${drops}.`;
  return `Wrote ${characters(content)} chars to ${file.path}${keeps}${note}`;
}

/** Counts as people do: a surrogate pair is one character. */
function characters(text: string): number {
  let pairs = 0;
  for (const _ of text.matchAll(/[\ud800-\udbff](?=[\udc00-\udfff])/g)) pairs += 1;
  return text.length - pairs;
}
