/** Replaces an exact piece of a text file; everything else stays byte for byte. */
import * as z from 'zod';
import type { FileChange, ToolResult } from '../schema/actions.ts';
import { sha256 } from '../workspace/files.ts';
import { decodeText, encodeText } from '../workspace/text-encoding.ts';
import { namesOf, PATH_ALIASES } from './aliases.ts';
import { zodSchema } from './args-schema.ts';
import { closestLines } from './closest-lines.ts';
import type { Tool, ToolContext } from './contract.ts';
import { changeFacts, prepareReplacement } from './file-change.ts';
import { lossesOf } from './losses.ts';
import { replaceText } from './replace-text.ts';
import { ok, refused } from './result.ts';
import { targetIn } from './toolset.ts';
import {
  bytesToChange,
  isTooLarge,
  locate,
  missing,
  notAFile,
  tooLarge,
  unreadReason,
} from './workspace-path.ts';

const Args = z.object({
  path: z.string().describe('relative to the workspace'),
  old_text: z.string().describe('copied exactly from the file'),
  new_text: z.string(),
  replace_all: z.boolean().optional(),
});

export const editFile: Tool<z.infer<typeof Args>> = {
  name: 'edit_file',
  description: 'Replace a piece of a file.',
  args: zodSchema(Args),
  touches: 'files',
  settles: 'by_files',
  does: 'edits_files',
  inPlan: { target: 'path' },
  aliases: {
    names: namesOf('strreplace strreplaceeditor replaceinfile applydiff edit updatefile'),
    args: {
      path: PATH_ALIASES,
      old_text: namesOf('old_string old_str old search find'),
      new_text: namesOf('new_string new_str new replace replacement'),
    },
  },
  insteadOf: { sed: 'Use the tool edit_file.' },
  target: targetIn('path', 'file'),
  prepare: async (args, context) => {
    const place = locate(context, args.path, true);
    if (place.kind === 'no_place') return refused(place.reason);
    if (place.info === null) {
      return refused(`${missing(context, place.relative)} write_file makes a new file.`);
    }
    if (place.info.kind !== 'file') return refused(notAFile(context, place));
    const before = bytesToChange(context, place);
    if (typeof before === 'string') return refused(before);
    const current = sha256(before);
    // Text that is found proves that it was seen, so a file never looked at may be edited.
    if (context.lastKnownHash(place.relative) !== undefined) {
      const unread = unreadReason(context, place.relative, current);
      if (unread !== null) return refused(unread, 'conflict');
    }
    const lost = lostUnasked(context, place.relative, args);
    if (lost !== null) return refused(lost);
    const edited = editedBytes(place.relative, before, args);
    if (typeof edited === 'string') return refused(edited);
    return prepareReplacement(context, { place, before, after: edited }, (files) =>
      done(args, files),
    );
  },
  done,
};

/** Who may not insist was asked for a passage of a given file: what was in it stays in it. */
function lostUnasked(
  context: ToolContext,
  file: string,
  { old_text: before, new_text: after }: z.infer<typeof Args>,
): string | null {
  const given = context.given(file);
  const drops = given === null || given.mayInsist ? null : lossesOf(file, before, after);
  return drops === null
    ? null
    : `${file} was left as it was: the new text drops ${drops}. Write it with all that was there.`;
}

function done(args: z.infer<typeof Args>, files: readonly FileChange[]): ToolResult {
  const what = args.replace_all === true ? 'every occurrence of old_text' : 'old_text';
  return ok(`Replaced ${what} in ${files[0]?.path ?? args.path}`, changeFacts(files));
}

/** The new bytes, or in words why there are none. */
function editedBytes(
  file: string,
  before: Uint8Array,
  args: z.infer<typeof Args>,
): Uint8Array | string {
  if (args.old_text === '') return 'old_text is empty; write_file writes a whole file.';
  if (args.old_text === args.new_text) return 'old_text and new_text are the same.';
  const decoded = decodeText(before);
  if (decoded.kind === 'binary') return `${file} is a binary file; it cannot be edited as text.`;
  const replaced = replaceText(decoded.text, args.old_text, args.new_text, {
    all: args.replace_all ?? false,
    isTooLong: isTooLarge,
  });
  switch (replaced.kind) {
    case 'too_long':
      return `With new_text in ${replaced.count} places, ${tooLarge(file, replaced.length)}`;
    case 'missing':
      return notFound(file, decoded.text, args);
    case 'ambiguous': {
      const lines = replaced.lines.join(', ');
      return (
        `old_text stands ${replaced.count} times in ${file} (lines ${lines}). ` +
        'Give more of the lines around it, or set replace_all to true.'
      );
    }
    case 'replaced':
      return (
        encodeText(replaced.text, decoded.encoding) ??
        `${file} is stored as Latin-1, which has no byte for a character of new_text.`
      );
  }
}

function notFound(file: string, text: string, args: z.infer<typeof Args>): string {
  if (args.new_text.trim() !== '' && text.includes(args.new_text)) {
    return `old_text is not in ${file}, but new_text is: the change seems to be made already.`;
  }
  const closest = closestLines(text, args.old_text);
  if (closest === null) {
    return `old_text is not in ${file}. Read it with read_file, or write it whole with write_file.`;
  }
  const why = closest.onlySpaceDiffers ? 'Only white space differs' : 'The closest lines';
  return (
    `old_text is not in ${file}. ${why}, from line ${closest.line}:\n${closest.text}\n` +
    'Copy old_text exactly from there, or write the whole file with write_file.'
  );
}
