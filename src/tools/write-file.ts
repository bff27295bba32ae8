/** Writes a whole file, in one step, keeping what was there before. */
import { z } from 'zod';
import type { FileChange, ToolResult } from '../schema/actions.ts';
import { readBytes, sha256 } from '../workspace/files.ts';
import { decodeText, encodeText } from '../workspace/text-encoding.ts';
import type { Tool } from './contract.ts';
import { changeFacts, prepareReplacement } from './file-change.ts';
import { ok, refused } from './result.ts';
import { locate, missingFolders, notAFile, unreadReason } from './workspace-path.ts';

const Args = z.object({
  path: z.string().describe('relative to the workspace'),
  content: z.string().describe('the whole new content'),
  create_dirs: z.boolean().default(true),
});

export const writeFile: Tool<typeof Args> = {
  name: 'write_file',
  description: 'Create or overwrite a file.',
  class: 'write',
  args: Args,
  prepare: async (args, context) => {
    const place = locate(context, args.path, true);
    if (place.kind === 'no_place') return refused(place.reason);
    if (place.info !== null && place.info.kind !== 'file') {
      return refused(notAFile(context, place));
    }
    const before = place.info === null ? null : readBytes(context.fs, place.absolute);
    const after = bytesFor(args.content, before);
    const current = before === null ? null : sha256(before);
    const unread = unreadReason(context, place.relative, current);
    const losesNothing = before?.length === 0 || current === sha256(after);
    if (unread !== null && !losesNothing) return refused(unread, 'conflict');
    const [folder] = missingFolders(context, place);
    if (folder !== undefined && !args.create_dirs) {
      return refused(`There is no folder ${folder.relative}. Set create_dirs to true to make it.`);
    }
    return prepareReplacement(context, { place, before, after }, (files) => done(args, files));
  },
  done,
};

function done(args: z.infer<typeof Args>, files: readonly FileChange[]): ToolResult {
  const text = `Wrote ${[...args.content].length} chars to ${files[0]?.path ?? args.path}`;
  return ok(text, changeFacts(files));
}

/** A byte order mark the file had stays; so does the Unicode form it announced. */
function bytesFor(content: string, before: Uint8Array | null): Uint8Array {
  const decoded = before === null ? null : decodeText(before);
  const encoding = decoded?.kind === 'text' ? decoded.encoding : 'utf8';
  return encodeText(content, encoding === 'latin1' ? 'utf8' : encoding) ?? Buffer.from(content);
}
