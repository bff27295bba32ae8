/** Applies a patch of one or several files as one change: completely or not at all. */
import * as z from 'zod';
import type { Interruptible } from '../../lib/interruptible.ts';
import type { FileChange, ToolResult } from '../../schema/actions.ts';
import { decodeText, encodeText } from '../../workspace/text-encoding.ts';
import { splitNames } from '../calls/aliases.ts';
import { type CallArgs, zodSchema } from '../calls/args-schema.ts';
import type { CallTarget, Prepared, Reach, Tool, ToolContext } from '../contract.ts';
import {
  changeFacts,
  inPieces,
  preparingChanges,
  type WantedChange,
} from '../files/change-files.ts';
import { closestLines } from '../files/closest-lines.ts';
import { planRemoval } from '../files/removal.ts';
import {
  fileToChange,
  fileTooLarge,
  isTooLarge,
  type LocatedPath,
  locatePath,
  staleReason,
} from '../files/workspace-path.ts';
import {
  type FilePatch,
  type ParsedPatch,
  type PatchHunk,
  patchLines,
} from '../patch/file-patch.ts';
import { eachStandsOnce, type Fitted, fittingHunks, newText } from '../patch/fit-hunks.ts';
import { isMarked, parseMarked } from '../patch/parse-marked.ts';
import { parseUnified } from '../patch/parse-unified.ts';
import { misfit, ok, type Refused, refused } from '../result.ts';

const MAX_FILES = 100;

const Args = z.object({
  patch: z.string().describe('a unified diff, of one file or several'),
});
type Args = z.infer<typeof Args>;

export const applyPatch: Tool<Args> = {
  name: 'apply_patch',
  description: 'Change, make, delete or move files by a patch, all or none.',
  args: zodSchema(Args),
  touches: 'files',
  afterCrash: 'compare_files',
  needs: { calls: true, room: true },
  does: 'edits_files',
  aliases: {
    names: splitNames('patch applydiff gitapply'),
    args: { patch: splitNames('diff input') },
  },
  target: (args): CallTarget => ({ kind: 'file', text: pathsIn(args).join(', ') }),
  // A failed patch shows the file's text.
  reaches: (args) => [
    ...pathsIn(args).flatMap((path): Reach[] => [
      { does: 'read', path },
      { does: 'edit', path },
    ]),
    ...filesIn(args).flatMap(({ kind, path }): Reach[] =>
      kind === 'delete' ? [{ does: 'remove', path }] : [],
    ),
  ],
  prepare: async ({ patch }, context) => {
    const parsed = parse(patch);
    if (parsed.kind === 'fault') return refused(parsed.fault);
    if (parsed.files.length === 0)
      return refused('The patch names no file: lines with --- and +++ begin each.');
    if (parsed.files.length > MAX_FILES)
      return refused(`The patch is about more than ${MAX_FILES} files. Use several.`);
    return inPieces(context, preparing({ patch }, parsed.files, context));
  },
  done,
};

function* preparing(
  args: Args,
  files: readonly FilePatch[],
  context: ToolContext,
): Interruptible<Prepared> {
  const planned = yield* planFiles(files, context);
  if ('kind' in planned) return planned;
  return yield* preparingChanges(context, planned.wanted, (changes) => done(args, changes));
}

function parse(patch: string): ParsedPatch {
  const lines = patchLines(patch);
  return isMarked(lines) ? parseMarked(lines) : parseUnified(lines);
}

const pathsIn = (args: CallArgs): readonly string[] =>
  filesIn(args).flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]));

function filesIn({ patch }: CallArgs): readonly FilePatch[] {
  const parsed = typeof patch === 'string' ? parse(patch) : null;
  return parsed?.kind === 'files' ? parsed.files : [];
}

type Planned = { readonly wanted: readonly WantedChange[] } | Refused;

const NOTHING_CHANGED = 'Nothing was changed.';

const no = (reason: string, status: 'error' | 'conflict' = 'error'): Refused =>
  refused(`${reason}\n${NOTHING_CHANGED}`, status);

/** Several pieces for a long file; none of them changes anything. */
function* planFiles(files: readonly FilePatch[], context: ToolContext): Interruptible<Planned> {
  const wanted: WantedChange[] = [];
  for (const file of files) {
    const planned = yield* planFile(file, context);
    if ('kind' in planned) return planned;
    wanted.push(...planned.wanted);
    yield;
  }
  return { wanted };
}

function* planFile(file: FilePatch, context: ToolContext): Interruptible<Planned> {
  switch (file.kind) {
    case 'add':
      return planAddition(file, context);
    case 'delete':
      return yield* planDeletion(file, context);
    case 'update':
      return yield* planUpdate(file, context);
  }
}

function planAddition({ path, hunks, isExecutable }: FilePatch, context: ToolContext): Planned {
  const place = locatePath(context, path, true);
  if (place.kind === 'no_place') return no(place.reason);
  if (place.info !== null)
    return no(
      `${place.relative} is there already, and the patch would make it anew. Change it instead.`,
    );
  const text = newText(hunks);
  if (typeof text !== 'string')
    return no(
      `Line ${text.line} of the new file ${place.relative} does not begin with +: ${text.text.slice(0, 80)}`,
    );
  const after = Buffer.from(text);
  const modeAfter = isExecutable === true ? 0o755 : undefined;
  return { wanted: [{ place, before: null, after, modeAfter }] };
}

function* planDeletion({ path, hunks }: FilePatch, context: ToolContext): Interruptible<Planned> {
  const removal = planRemoval(context, path);
  if ('status' in removal) return no(removal.reason, removal.status);
  if (removal.before === null) return no(`${removal.place.relative} is a folder, not a file.`);
  const decoded = decodeText(removal.before);
  if (hunks.length > 0 && decoded.kind === 'text') {
    const fitted = yield* fittingHunks(decoded.text, hunks);
    if (fitted.kind === 'misfit') return doesNotFit(removal.place, decoded.text, fitted);
    if (fitted.text.trim() !== '')
      return no(`${removal.place.relative} holds more than the patch deletes.`);
  }
  return { wanted: [removal] };
}

function* planUpdate(
  { path, to, hunks, isExecutable }: FilePatch,
  context: ToolContext,
): Interruptible<Planned> {
  const found = fileToChange(context, path);
  if (typeof found === 'string') return no(found);
  const { place, before, mode } = found;
  yield;
  const stale = staleReason(context, place.relative, before);
  if (stale !== null && !standOnce(before, hunks)) return no(stale, 'conflict');
  const after = hunks.length === 0 ? before : yield* patchedBytes(place, before, hunks);
  if ('kind' in after) return after;
  if (to === undefined && isExecutable === undefined && Buffer.compare(before, after) === 0)
    return no(`The patch changes nothing in ${place.relative}.`);
  const wantedMode = isExecutable === undefined ? undefined : executable(mode, isExecutable);
  if (to === undefined) return { wanted: [{ place, before, after, modeAfter: wantedMode }] };
  const target = locatePath(context, to, true);
  if (target.kind === 'no_place') return no(target.reason);
  if (target.info !== null)
    return no(`${target.relative} exists already; nothing is replaced by a move.`);
  const removal = planRemoval(context, path);
  if ('status' in removal) return no(removal.reason, removal.status);
  const modeAfter = wantedMode ?? mode;
  return {
    wanted: [{ place: target, before: null, after, modeAfter, from: place.relative }, removal],
  };
}

/** Lines that occur exactly once prove that the model saw them, whatever else in the file has changed since. */
function standOnce(bytes: Uint8Array, hunks: readonly PatchHunk[]): boolean {
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' && hunks.length > 0 && eachStandsOnce(decoded.text, hunks);
}

/** The mode of an executable file: all who may read it may execute it. Otherwise nobody may. */
const executable = (mode: number, may: boolean): number =>
  may ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;

function* patchedBytes(
  place: LocatedPath,
  before: Uint8Array,
  hunks: readonly PatchHunk[],
): Interruptible<Uint8Array | Refused> {
  const decoded = decodeText(before);
  if (decoded.kind === 'binary')
    return no(`${place.relative} is a binary file; it cannot be edited as text.`);
  const fitted = yield* fittingHunks(decoded.text, hunks);
  if (fitted.kind === 'misfit') return doesNotFit(place, decoded.text, fitted);
  if (isTooLarge(fitted.text.length)) return no(fileTooLarge(place.relative, fitted.text.length));
  return (
    encodeText(fitted.text, decoded.encoding) ??
    no(`${place.relative} is stored as Latin-1, which has no byte for a character of the patch.`)
  );
}

function doesNotFit(
  { relative }: LocatedPath,
  text: string,
  { hunk, wanted, isAmbiguous }: Extract<Fitted, { kind: 'misfit' }>,
): Refused {
  const where = `Hunk ${hunk} does not fit ${relative}`;
  if (isAmbiguous) {
    const words = `${where}: its lines stand there more than once. Give more of the lines around it.`;
    return misfit(relative, `${words}\n${NOTHING_CHANGED}`);
  }
  const closest = closestLines(text, wanted);
  const near =
    closest === null
      ? 'Read the file with read_file.'
      : `${closest.onlySpaceDiffers ? 'Only white space differs' : 'The closest lines'}, from line ${closest.line}:\n${closest.text}`;
  return misfit(relative, `${where}. ${near}\n${NOTHING_CHANGED}`);
}

function done(_: Args, files: readonly FileChange[]): ToolResult {
  const moved = new Set(files.flatMap(({ from }) => (from === undefined ? [] : [from])));
  const lines = files.flatMap(({ path, before, after, from }) => {
    if (from !== undefined) return [`Moved ${from} to ${path}`];
    if (after === null) return moved.has(path) ? [] : [`Deleted ${path}`];
    return [before === null ? `Made ${path}` : `Changed ${path}`];
  });
  return ok(lines.join('\n'), changeFacts(files));
}
