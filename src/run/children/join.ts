/**
 * Brings a child's changes into the workspace as one write, or none of them.
 * 1. Each file must be as it was when the child began; changes by others are never overwritten. A file that
 *    already has the child's content was joined before a crash. A link of the child cannot be brought over, so
 *    nothing is.
 * 2. Images of both sides are kept first, so that an undo can restore the earlier content.
 * 3. The child's copy is removed afterwards; its journal stays.
 */

import { childOf } from '../../context-manager/fold/work/children.ts';
import { listed } from '../../evidence/evidence.ts';
import { join } from '../../lib/files/absolute-paths.ts';
import { errorCode } from '../../lib/files/durable-files.ts';
import { interruptibleRunner, isInterrupt } from '../../lib/interruptible.ts';
import { finishDeps } from '../../round/act.ts';
import { carryOutDeps } from '../../round/carry-out.ts';
import type { Child } from '../../schema/state-parts/children.ts';
import { executeCall } from '../../tools/execute.ts';
import type { WantedChange } from '../../tools/files/change-files.ts';
import { locatePath } from '../../tools/files/workspace-path.ts';
import { hashIfReadable, infoOf, readBytes } from '../../workspace/files.ts';
import { isStateFolder } from '../../workspace/path-rules.ts';
import { sweepFolder } from '../../workspace/sweep-folder.ts';
import { childFolder } from './begin.ts';
import type { ParentRun } from './contract.ts';
import { changedMarks, fromText, hashesIn, markOf } from './files.ts';
import { JOIN, joinTool } from './join-tool.ts';

export async function joinChild(parent: ParentRun, subtask: string): Promise<void> {
  const { context } = parent;
  const child = childOf(context.state, subtask);
  if (child === undefined) throw new Error(`There is no child of ${subtask}.`);
  const joined =
    child.status === undefined ? { files: [], why: child.summary } : await written(parent, child);
  if (parent.signal.aborted) return;
  const { files, why } = joined;
  context.record(
    why === '' && child.status !== undefined
      ? {
          type: 'child_joined',
          subtask,
          status: child.status,
          summary: child.summary,
          files: [...files],
        }
      : { type: 'child_joined', subtask, summary: why, files: [] },
  );
  context.sync('end');
  await sweepCopy(parent, child);
}

interface Joined {
  readonly files: readonly string[];
  /** Empty when all of it is there. */
  readonly why: string;
}

async function written(parent: ParentRun, child: Child): Promise<Joined> {
  const { context, toolContext, clock, signal } = parent;
  const { fs } = toolContext;
  const folder = childFolder(parent, child.run);
  const runInterruptibly = interruptibleRunner(clock, signal);
  const { files } = context.read(child.offset, 'child_started');
  const links: string[] = [];
  const copy = { fs, workspace: folder };
  const after = await runInterruptibly(hashesIn(copy, (path) => links.push(path)));
  if (after === null) return { files: [], why: 'its copy of the folder has grown too large' };
  if (links.length > 0) return { files: [], why: linksText(links) };
  const changes = changedMarks(fromText(context.textOf(files)), after);
  const wanted: WantedChange[] = [];
  const moved: string[] = [];
  for (const { path, before, after: made } of changes) {
    const place = locatePath(toolContext, path, true);
    if (place.kind === 'no_place') return { files: [], why: place.reason };
    // The name differs in case, or lies below a link. Taken for the same file, the file would be removed
    // under its first name.
    if (place.relative !== path)
      return { files: [], why: `${path} leads to ${place.relative} in this folder` };
    const hash = hashIfReadable(fs, place.absolute);
    const now = hash === null ? null : markOf(fs, hash, place.info?.mode ?? 0);
    if (now === made) continue;
    // A folder, or anything else that is not a readable file, has no mark either.
    if (now !== before || (now === null && place.info !== null)) {
      moved.push(path);
      continue;
    }
    const at = join(folder, path);
    wanted.push({
      place,
      before: place.info === null ? null : readBytes(fs, place.absolute),
      after: made === null ? null : readBytes(fs, at),
      modeAfter: made === null ? undefined : modeOf(parent, at, place.info?.mode),
    });
  }
  const paths = changes.map(({ path }) => path);
  if (moved.length > 0) {
    const were = moved.length > 1 ? 'are not as they were' : 'is not as it was';
    return { files: [], why: `${listed(moved)} ${were} when it began` };
  }
  const refusal = wanted.length === 0 ? '' : await carriedOut(parent, child.subtask, wanted);
  return { files: paths, why: refusal };
}

const linksText = (links: readonly string[]): string =>
  `${listed(links)} ${links.length > 1 ? 'are links' : 'is a link'}, and links are not brought over`;

/** The executable bit belongs to a file. Other mode bits come from its folder or its writer and are not copied. */
function modeOf(
  { toolContext: { fs } }: ParentRun,
  path: string,
  before: number | undefined,
): number | undefined {
  const runs = (infoOf(fs, path)?.mode ?? 0) & RUNS;
  const isSame = runs === ((before ?? 0) & RUNS);
  if (fs.platform === 'win32' || isSame) return undefined;
  return runs === 0 ? (before ?? 0) & ~RUNS : (before ?? 0o644) | runs;
}

const RUNS = 0o111;

/** @returns why nothing was written; empty: everything was */
async function carriedOut(
  parent: ParentRun,
  subtask: string,
  wanted: readonly WantedChange[],
): Promise<string> {
  const { context, clock } = parent;
  const tools = [...parent.tools, joinTool(wanted)];
  const deps = carryOutDeps(parent);
  const { status, content } = await executeCall(
    { id: '', name: JOIN, args: { subtask } },
    `${subtask}#join`,
    {
      clock,
      ...finishDeps({ ...parent, tools }),
      ...deps,
      tools,
      log: {
        ...deps.log,
        finished: (record) => context.recordAction({ type: 'action_finished', ...record }),
      },
      blocked: null,
      // The policy already judged the child's calls.
      decide: async () => ({ kind: 'allow' }),
    },
  );
  return status === 'ok' ? '' : content;
}

/** A copy that cannot be removed now stays in the state folder; nothing reads it again. */
async function sweepCopy(parent: ParentRun, { run }: Child): Promise<void> {
  const { fs } = parent.toolContext;
  const folder = childFolder(parent, run);
  try {
    const names = fs.readdir(folder).filter((name) => !isStateFolder(name));
    for (const name of names)
      await interruptibleRunner(parent.clock, parent.signal)(sweepFolder(fs, join(folder, name)));
  } catch (error) {
    if (errorCode(error) === '' && !isInterrupt(error)) throw error;
  }
}
