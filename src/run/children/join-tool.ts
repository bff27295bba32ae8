/** Applies a child's changes as one write by the engine. No model is offered this tool. */

import * as z from 'zod';
import type { FileChange, ToolResult } from '../../schema/actions.ts';
import { type CallArgs, zodSchema } from '../../tools/calls/args-schema.ts';
import type { Prepared, Tool, ToolContext } from '../../tools/contract.ts';
import {
  changeFacts,
  inPieces,
  preparingChanges,
  type WantedChange,
} from '../../tools/files/change-files.ts';
import { ok, refused } from '../../tools/result.ts';

const JoinArgs = z.object({ subtask: z.string() });

export const JOIN = 'join_child';

const done = (args: CallArgs, files: readonly FileChange[]): ToolResult =>
  ok(`Joined ${args.subtask}: ${files.map(({ path }) => path).join(', ')}`, changeFacts(files));

const prepared = (
  wanted: readonly WantedChange[],
  args: CallArgs,
  context: ToolContext,
): Promise<Prepared> =>
  inPieces(
    context,
    preparingChanges(context, wanted, (files) => done(args, files)),
  );

/**
 * @param wanted the changes to make; left out after a crash hid the outcome: the stored images say what is left
 * to do
 */
export const joinTool = (wanted: readonly WantedChange[] | null = null): Tool => ({
  name: JOIN,
  description: '',
  args: zodSchema(JoinArgs),
  touches: 'files',
  afterCrash: 'compare_files',
  target: ({ subtask }) => ({ kind: 'other', text: String(subtask) }),
  prepare: async (args, context) =>
    wanted === null
      ? refused('What the subtask changed is read anew.')
      : prepared(wanted, args, context),
  done,
});
