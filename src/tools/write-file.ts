/** Writes a whole file, in one step, keeping what was there before. */
import * as z from 'zod';
import { contentOf } from '../languages/languages.ts';
import type { ActionFacts, FileChange, ToolResult } from '../schema/actions.ts';
import { sha256 } from '../workspace/files.ts';
import { decodeText, encodeText } from '../workspace/text-encoding.ts';
import { namesOf, PATH_ALIASES } from './aliases.ts';
import { type Args as GivenArgs, zodSchema } from './args-schema.ts';
import type { Prepared, Tool, ToolContext } from './contract.ts';
import { changeFacts, prepareReplacement } from './file-change.ts';
import { lossesOf } from './losses.ts';
import { failed, ok, refused } from './result.ts';
import { targetIn } from './toolset.ts';
import { bytesToChange, locate, missingFolders, notAFile, unreadReason } from './workspace-path.ts';

const Args = z.object({
  path: z.string().describe('relative to the workspace'),
  content: z.string().describe('the whole new content'),
  create_dirs: z.boolean().default(true),
});

export const writeFile: Tool<z.infer<typeof Args>> = {
  name: 'write_file',
  description: 'Create or overwrite a file.',
  args: zodSchema(Args),
  touches: 'files',
  settles: 'by_files',
  does: 'writes_whole_files',
  inPlan: { target: 'path' },
  aliases: {
    names: namesOf('createfile savefile writetofile newfile write'),
    args: { path: PATH_ALIASES, content: namesOf('contents file_content text code body') },
  },
  insteadOf: {
    mkdir: 'write_file makes the folders a file needs.',
    touch: 'Use the tool write_file.',
    echo: 'Use the tool write_file to make a file; to show text, answer with it.',
  },
  target: targetIn('path', 'file'),
  asMeant: withTextOfValue,
  prepare: async (args, context) => {
    const place = locate(context, args.path, true);
    if (place.kind === 'no_place') return refused(place.reason);
    if (place.info !== null && place.info.kind !== 'file') {
      return refused(notAFile(context, place));
    }
    const before = place.info === null ? null : bytesToChange(context, place);
    if (typeof before === 'string') return refused(before);
    const after = bytesFor(args.content, before);
    const current = before === null ? null : sha256(before);
    const unread = unreadReason(context, place.relative, current);
    const losesNothing = before?.length === 0 || current === sha256(after);
    if (unread !== null && !losesNothing) return refused(unread, 'conflict');
    const [folder] = missingFolders(context, place);
    if (folder !== undefined && !args.create_dirs) {
      return refused(`There is no folder ${folder.relative}. Set create_dirs to true to make it.`);
    }
    const unseen =
      losesNothing || before === null ? null : notInView(context, place.relative, before);
    if (unseen !== null) return leftAsItWas(place.relative, current, unseen);
    const loss = before === null ? null : lossOf(context, place.relative, { before, after });
    if (loss?.isHeldBack) return heldBack(place.relative, loss, sha256(after), current);
    const drops = loss === null ? {} : { drops: loss.drops };
    return prepareReplacement(context, { place, before, after, ...drops }, (files) =>
      done(args, files),
    );
  },
  done,
};

/** The content of a data file comes as the value itself now and then. */
function withTextOfValue(args: GivenArgs): GivenArgs {
  const { path, content } = args;
  if (typeof content !== 'object' || content === null) return args;
  const text = typeof path === 'string' ? contentOf(path, content) : null;
  return text === null ? args : { ...args, content: text };
}

function done(args: z.infer<typeof Args>, files: readonly FileChange[]): ToolResult {
  const [file] = files;
  const text = `Wrote ${characters(args.content)} chars to ${file?.path ?? args.path}`;
  const note = file?.drops === undefined ? '' : `\nAccepted, although it drops ${file.drops}.`;
  return ok(text + note, changeFacts(files));
}

/** As a person counts them: a pair of surrogates is one. */
function characters(text: string): number {
  let pairs = 0;
  for (const _ of text.matchAll(/[\ud800-\udbff](?=[\udc00-\udfff])/g)) pairs += 1;
  return text.length - pairs;
}

interface Loss {
  readonly drops: string;
  readonly mayInsist: boolean;
  readonly isHeldBack: boolean;
}

/** What a whole new content takes from a given file; `null`: not much, or the run made the file. */
function lossOf(
  context: ToolContext,
  file: string,
  { before, after }: { readonly before: Uint8Array; readonly after: Uint8Array },
): Loss | null {
  const given = context.given(file);
  if (given === null) return null;
  const [was, is] = [decodeText(given.bytes ?? before), decodeText(after)];
  const drops =
    was.kind === 'text' && is.kind === 'text' ? lossesOf(file, was.text, is.text) : null;
  if (drops === null) return null;
  const { mayInsist, withheld } = given;
  return { drops, mayInsist, isHeldBack: !mayInsist || withheld !== sha256(after) };
}

function heldBack(
  file: string,
  { drops, mayInsist }: Loss,
  withheld: string,
  current: string | null,
): Prepared {
  const again = mayInsist ? ' If that is meant, send the same content again.' : '';
  const words =
    `the new content drops ${drops}. ` +
    `Write it whole with all that was there, or change a part with edit_file.${again}`;
  return leftAsItWas(file, current, words, { withheld });
}

/** Why a given file cannot be written whole: who sees a part of it would drop the rest unseen. */
function notInView(context: ToolContext, file: string, before: Uint8Array): string | null {
  const given = context.given(file);
  if (given === null || given.isInView || isBlank(before)) return null;
  const mayFit = before.length <= context.maxResultChars;
  const wayOut = mayFit ? ', or read it whole with read_file first' : '';
  return `its whole text is not in view now. Change a part with edit_file${wayOut}.`;
}

const isBlank = (bytes: Uint8Array): boolean => {
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' && decoded.text.trim() === '';
};

const leftAsItWas = (
  file: string,
  current: string | null,
  why: string,
  facts: ActionFacts = {},
): Prepared => ({
  kind: 'refused',
  result: {
    ...failed(`${file} was left as it was: ${why}`),
    facts: { changed: false, ...facts },
    hashes: { [file]: current },
  },
});

/** A byte order mark the file had stays; so does the Unicode form it announced. */
function bytesFor(content: string, before: Uint8Array | null): Uint8Array {
  const decoded = before === null ? null : decodeText(before);
  const encoding = decoded?.kind === 'text' ? decoded.encoding : 'utf8';
  return encodeText(content, encoding === 'latin1' ? 'utf8' : encoding) ?? Buffer.from(content);
}
