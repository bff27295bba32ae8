/** Writes several whole files as one change: all or none. */
import * as z from 'zod';
import type { Interruptible } from '../../lib/interruptible.ts';
import { isRecord } from '../../lib/json-value.ts';
import type { FileChange, ToolResult } from '../../schema/actions.ts';
import { splitNames } from '../calls/aliases.ts';
import { type CallArgs, zodSchema } from '../calls/args-schema.ts';
import type { CallTarget, Prepared, Reach, Tool, ToolContext } from '../contract.ts';
import { changeFacts, inPieces, preparingChanges } from '../files/change-files.ts';
import { leftAsTheyWere, type PlannedWhole, planWhole, wroteText } from '../files/whole-file.ts';
import { ok, refused } from '../result.ts';
import { withTextOfValue } from './write-file.ts';

const MAX_FILES = 100;

const Args = z.object({
  files: z
    .array(z.object({ path: z.string(), content: z.string() }))
    .min(1)
    .max(MAX_FILES),
  create_dirs: z.boolean().default(true),
});
type Args = z.infer<typeof Args>;

export const writeFiles: Tool<Args> = {
  name: 'write_files',
  description: 'Write several whole files at once, all or none.',
  args: zodSchema(Args),
  touches: 'files',
  afterCrash: 'compare_files',
  needs: { calls: true, room: true },
  does: 'writes_whole_files',
  aliases: { names: splitNames('multiwrite createfiles savefiles') },
  target: (args): CallTarget => ({ kind: 'file', text: filesIn(args).map(pathIn).join(', ') }),
  reaches: (args) => filesIn(args).map((one): Reach => ({ does: 'edit', path: pathIn(one) })),
  correctArgs: (args) => ({
    ...args,
    ...(Array.isArray(args.files)
      ? { files: args.files.map((one) => (isRecord(one) ? withTextOfValue(one) : one)) }
      : {}),
  }),
  prepare: (args, context) => inPieces(context, preparing(args, context)),
  done,
};

/** One piece per file, or per content that is kept; none of them changes anything. */
function* preparing(args: Args, context: ToolContext): Interruptible<Prepared> {
  const { create_dirs } = args;
  const planned: PlannedWhole[] = [];
  for (const file of args.files) {
    planned.push(planWhole({ ...file, create_dirs }, context));
    yield;
  }
  const left = planned.flatMap((one) => (one.kind === 'left' ? [one] : []));
  if (left.length > 0) return leftAsTheyWere(left);
  const ready = planned.flatMap((one) => (one.kind === 'ready' ? [one] : []));
  const bytes = ready.reduce((sum, { after }) => sum + after.length, 0);
  if (bytes > MAX_BYTES) return refused('These are too many bytes for one call. Use several.');
  return yield* preparingChanges(context, ready, (files) => done(args, files));
}

/** Limits a call, because both the earlier and the new contents are kept. */
const MAX_BYTES = 64 * 1024 * 1024;

const filesIn = ({ files }: CallArgs): readonly CallArgs[] =>
  Array.isArray(files) ? files.filter(isRecord) : [];

const pathIn = ({ path }: CallArgs): string => (typeof path === 'string' ? path : '');

function done({ files: asked }: Args, files: readonly FileChange[]): ToolResult {
  const lines = files.map((file, index) => wroteText(asked[index]?.content ?? '', file));
  return ok(lines.join('\n'), changeFacts(files));
}
