/** Writes a whole file atomically and keeps its earlier content. */
import * as z from 'zod';
import { contentOf } from '../../languages/languages.ts';
import type { FileChange, ToolResult } from '../../schema/actions.ts';
import { PATH_ALIASES, splitNames } from '../calls/aliases.ts';
import { type CallArgs, zodSchema } from '../calls/args-schema.ts';
import type { Tool } from '../contract.ts';
import { changeFacts, inPieces, preparingChanges } from '../files/change-files.ts';
import { leftAsTheyWere, planWhole, wroteText } from '../files/whole-file.ts';
import { ok } from '../result.ts';
import { targetFromArgument } from '../toolset.ts';

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
  afterCrash: 'compare_files',
  does: 'writes_whole_files',
  constrained: {
    args: { file: 'path' },
    description: 'Make a file, or write it anew: its whole content is asked for next.',
  },
  inPlan: { target: 'path', place: 0 },
  aliases: {
    called: splitNames('fswrite write'),
    names: splitNames('createfile savefile writetofile newfile write'),
    args: { path: PATH_ALIASES, content: splitNames('contents file_content text code body') },
  },
  replacesPrograms: {
    mkdir: 'write_file makes the folders a file needs.',
    md: 'write_file makes the folders a file needs.',
    touch: 'Use the tool write_file.',
    echo: 'Use the tool write_file to make a file; to show text, answer with it.',
  },
  target: targetFromArgument('path', 'file'),
  correctArgs: withTextOfValue,
  prepare: async (args, context) => {
    const planned = planWhole(args, context);
    if (planned.kind === 'left') return leftAsTheyWere([planned]);
    return inPieces(
      context,
      preparingChanges(context, [planned], (files) => done(args, files), true),
    );
  },
  done,
};

/** Some models send the content of a data file as a value instead of text. */
export function withTextOfValue(args: CallArgs): CallArgs {
  const { path, content } = args;
  if (typeof content !== 'object' || content === null) return args;
  const text = typeof path === 'string' ? contentOf(path, content) : null;
  return text === null ? args : { ...args, content: text };
}

function done(args: z.infer<typeof Args>, files: readonly FileChange[]): ToolResult {
  const text = files.map((file) => wroteText(args.content, file)).join('\n');
  return ok(text, changeFacts(files));
}
