/** Replaces an exact piece of a text file; every other byte stays. */
import * as z from 'zod';
import type { Interruptible } from '../../lib/interruptible.ts';
import { isRecord } from '../../lib/json-value.ts';
import type { FileChange, ToolResult } from '../../schema/actions.ts';
import { decodeText, encodeText } from '../../workspace/text-encoding.ts';
import { PATH_ALIASES, splitNames } from '../calls/aliases.ts';
import { zodSchema } from '../calls/args-schema.ts';
import type { Prepared, Tool, ToolContext } from '../contract.ts';
import { changeFacts, inPieces, preparingChanges } from '../files/change-files.ts';
import { closestLines } from '../files/closest-lines.ts';
import { droppedText } from '../files/losses.ts';
import { replacing } from '../files/replace-text.ts';
import { fileToChange, fileTooLarge, isTooLarge, staleReason } from '../files/workspace-path.ts';
import { misfit, ok, refused } from '../result.ts';
import { targetFromArgument } from '../toolset.ts';

const Edit = z.object({
  old_text: z.string(),
  new_text: z.string(),
  replace_all: z.boolean().optional(),
});
type Edit = z.infer<typeof Edit>;

const MAX_EDITS = 100;

const Args = z.object({
  path: z.string().describe('relative to the workspace'),
  old_text: z.string().describe('copied exactly from the file').optional(),
  new_text: z.string().optional(),
  replace_all: z.boolean().optional(),
  edits: z.array(Edit).max(MAX_EDITS).describe('several instead, all or none').optional(),
});
type Args = z.infer<typeof Args>;

const TEXT_ALIASES = {
  old_text: splitNames('old_text old_string old_str old search find'),
  new_text: splitNames('new_text new_string new_str new replace replacement'),
};

export const editFile: Tool<Args> = {
  name: 'edit_file',
  description: 'Replace a piece of a file.',
  args: zodSchema(Args),
  touches: 'files',
  afterCrash: 'compare_files',
  does: 'edits_files',
  constrained: {
    args: { file: 'path', instead_of: 'old_text', write: 'new_text' },
    description: 'Change some lines of a file: instead_of is copied from it.',
  },
  inPlan: { target: 'path', place: 1 },
  aliases: {
    called: splitNames('edit'),
    names: splitNames('strreplace strreplaceeditor replaceinfile applydiff edit updatefile'),
    args: {
      path: PATH_ALIASES,
      ...TEXT_ALIASES,
    },
  },
  replacesPrograms: { sed: 'Use the tool edit_file.' },
  target: targetFromArgument('path', 'file'),
  correctArgs: (args) =>
    Array.isArray(args.edits) ? { ...args, edits: args.edits.map(withEditNames) } : args,
  prepare: (args, context) => inPieces(context, preparing(args, context)),
  done,
};

function* preparing(args: Args, context: ToolContext): Interruptible<Prepared> {
  const edits = editsOf(args);
  if (typeof edits === 'string') return refused(edits);
  const found = fileToChange(context, args.path, ' write_file makes a new file.');
  if (typeof found === 'string') return refused(found);
  const { place, before } = found;
  yield;
  const stale = staleReason(context, place.relative, before);
  const lost = edits.map((edit) => unaskedLoss(context, place.relative, edit)).find(isSaid);
  if (lost) return refused(lost);
  // Text that occurs exactly once proves that the model saw it, so the file need not be read again, even if it
  // was never read or has changed since.
  const sure = stale === null ? edits : edits.map((edit) => ({ ...edit, replace_all: false }));
  const edited = yield* editedBytes(place.relative, before, sure);
  if (typeof edited === 'string' && stale !== null) return refused(stale, 'conflict');
  if (typeof edited === 'string') return misfit(place.relative, edited);
  const wanted = [{ place, before, after: edited }];
  return yield* preparingChanges(context, wanted, (files) => done(args, files), true);
}

/**
 * The refusal of a loss in a passage. A model that may not insist was asked for a passage of an existing
 * file, whose content must be preserved.
 */
function unaskedLoss(
  context: ToolContext,
  file: string,
  { old_text: before, new_text: after }: Edit,
): string | null {
  const original = context.originalOf(file);
  const drops =
    original === null || original.mayInsist ? null : droppedText(file, before, after, context);
  return drops === null
    ? null
    : `${file} was left as it was: the new text drops ${drops}. Write it with all that was there.`;
}

function done({ path, edits = [], replace_all }: Args, files: readonly FileChange[]): ToolResult {
  const what =
    edits.length > 0
      ? `${edits.length} piece${edits.length === 1 ? '' : 's'} of text`
      : replace_all === true
        ? 'every occurrence of old_text'
        : 'old_text';
  return ok(`Replaced ${what} in ${files[0]?.path ?? path}`, changeFacts(files));
}

const isSaid = (words: string | null): words is string => words !== null;

/** The edits, one or several; a message if the call contains neither. */
function editsOf({ edits = [], old_text, new_text, replace_all }: Args): readonly Edit[] | string {
  if (edits.length > 0)
    return old_text === undefined && new_text === undefined
      ? edits
      : 'Give old_text and new_text, or edits, not both.';
  if (old_text === undefined || new_text === undefined)
    return `${old_text === undefined ? 'old_text' : 'new_text'} is missing.`;
  return [{ old_text, new_text, ...(replace_all === undefined ? {} : { replace_all }) }];
}

/** Corrects what models write for the arguments of one edit. */
function withEditNames(edit: unknown): unknown {
  if (!isRecord(edit)) return edit;
  const named = Object.entries(edit).map(([name, value]) => {
    const plain = name.toLowerCase().replaceAll('_', '');
    const known = Object.entries(TEXT_ALIASES).find(([, all]) =>
      all.some((alias) => alias.replaceAll('_', '') === plain),
    );
    return [known?.[0] ?? name, value];
  });
  return Object.fromEntries(named);
}

/** The new bytes after all edits in sequence, or a message why none is applied. */
function* editedBytes(
  file: string,
  before: Uint8Array,
  edits: readonly Edit[],
): Interruptible<Uint8Array | string> {
  const decoded = decodeText(before);
  if (decoded.kind === 'binary') return `${file} is a binary file; it cannot be edited as text.`;
  let { text } = decoded;
  for (const [index, edit] of edits.entries()) {
    yield;
    const edited = yield* editedText(file, text, edit);
    if (typeof edited === 'string') return numbered(edited, index, edits.length);
    text = edited.text;
  }
  yield;
  return (
    encodeText(text, decoded.encoding) ??
    `${file} is stored as Latin-1, which has no byte for a character of new_text.`
  );
}

const numbered = (fault: string, index: number, count: number): string =>
  count === 1 ? fault : `Edit ${index + 1} of ${count}: ${fault}\nNone of them was made.`;

function* editedText(
  file: string,
  text: string,
  edit: Edit,
): Interruptible<{ readonly text: string } | string> {
  if (edit.old_text === '') return 'old_text is empty; write_file writes a whole file.';
  if (edit.old_text === edit.new_text) return 'old_text and new_text are the same.';
  const replaced = yield* replacing(text, edit.old_text, edit.new_text, {
    all: edit.replace_all ?? false,
    isTooLong: isTooLarge,
  });
  switch (replaced.kind) {
    case 'too_long':
      return `With new_text in ${replaced.count} places, ${fileTooLarge(file, replaced.length)}`;
    case 'missing':
      return textNotFound(file, text, edit);
    case 'ambiguous': {
      const lines = replaced.lines.join(', ');
      return (
        `old_text stands ${replaced.count} times in ${file} (lines ${lines}). ` +
        'Give more of the lines around it, or set replace_all to true.'
      );
    }
    case 'replaced':
      return replaced;
  }
}

function textNotFound(file: string, text: string, args: Edit): string {
  if (args.new_text.trim() !== '' && text.includes(args.new_text))
    return `old_text is not in ${file}, but new_text is: the change seems to be made already.`;
  const closest = closestLines(text, args.old_text);
  if (closest === null)
    return `old_text is not in ${file}. Read it with read_file, or write it whole with write_file.`;
  const why = closest.onlySpaceDiffers ? 'Only white space differs' : 'The closest lines';
  return (
    `old_text is not in ${file}. ${why}, from line ${closest.line}:\n${closest.text}\n` +
    'Copy old_text exactly from there, or write the whole file with write_file.'
  );
}
