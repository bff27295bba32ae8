/**
 * Tries code that the run wrote in a copy before it runs in the workspace, if the brief says that files must
 * stay: a program that opens its input for writing empties it at once. To limit the cost, this happens only
 * when such files exist, and only for commands that involve what the run wrote.
 */
import { involvedFiles } from '../../languages/testing/involved-files.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { orNull } from '../../lib/or-null.ts';
import { changedInputText } from '../../prompts/remarks.ts';
import type { ToolResult } from '../../schema/actions.ts';
import { SCRATCH_ID } from '../../schema/evidence.ts';
import type { Proof } from '../../schema/plan.ts';
import { goalOf } from '../../schema/state-parts/goal-of.ts';
import { workingFolder } from '../../tools/commands/read-command.ts';
import type { CommandRequest } from '../../tools/contract.ts';
import type { Decide } from '../../tools/decision.ts';
import { infoOf, readBytes } from '../../workspace/files.ts';
import { filesThatMustStay } from '../users-files.ts';
import { type CopyPort, copyFor, removeLeftovers, runInCopy } from './in-copy.ts';

const MAX_FILES = 2_000;
/** Seconds. A longer command has made its changes by then, or takes too long to run twice. */
const MAX_SEC = 60;
/** Seconds. A background command would otherwise use the full limit. */
const BACKGROUND_SEC = 10;

interface RehearsalPort extends CopyPort {
  readonly world: {
    readText(path: string): string | null;
    /** Names of at most `count` files, sorted. */
    files(count: number): readonly string[];
  };
}

/**
 * Returns `null` when the command may run. Without an answer it may: its changes are kept and can be undone.
 * @param id of the command that may follow
 * @param decide the policy for calls in the copy
 */
export async function rehearse(
  { cmd, stdin, timeout_sec = MAX_SEC, cwd, background }: CommandRequest,
  id: string,
  run: RehearsalPort,
  decide: Decide,
): Promise<ToolResult | null> {
  const { state } = run.context;
  if (goalOf(state) === '') return null;
  const files = run.world.files(MAX_FILES);
  const staying = filesThatMustStay(state, files);
  if (staying.length === 0 || !runsOwnCode({ cmd, cwd }, files, run)) return null;
  const copied = await copyFor(run, new Map());
  if (copied.kind !== 'copied') return null;
  // Installed packages, caches and links are not copied, so nothing is seen of them there.
  const given = staying.filter((path) => isInCopy(path, run));
  if (given.length === 0) {
    await removeLeftovers(run);
    return null;
  }
  const command: Proof = { cmd, ...(stdin === undefined ? {} : { stdin }) };
  const ran = await runInCopy(run, command, {
    id: `${SCRATCH_ID}${id}`,
    seconds: background ? BACKGROUND_SEC : Math.min(timeout_sec, MAX_SEC),
    cwd,
    scratch: { what: 'rehearsal', about: cmd, tree: copied.tree },
    decide,
  });
  const changed = given.filter((path) => isOtherInCopy(path, run));
  await removeLeftovers(run);
  if (ran?.result == null || changed.length === 0) return null;
  const { output = '', facts } = ran.result;
  return {
    status: 'error',
    output,
    content: `${changedInputText(cmd, changed)}\n${output.trimEnd() || '(it printed nothing)'}`,
    facts: { ...facts, changed: false, overwrites: changed },
  };
}

function runsOwnCode(
  { cmd, cwd }: Pick<CommandRequest, 'cmd' | 'cwd'>,
  files: readonly string[],
  { context, world }: RehearsalPort,
): boolean {
  const known = context.state.files;
  const folder = workingFolder(cwd);
  const from = folder === undefined ? '' : `${folder}/`;
  const below = files.flatMap((path) => (path.startsWith(from) ? [path.slice(from.length)] : []));
  const readText = (path: string): string | null => world.readText(from + path);
  return involvedFiles({ cmd, output: '' }, { files: below, readText }).some(
    ({ path }) => known[from + path]?.written === true,
  );
}

const isInCopy = (path: string, { toolContext: { fs }, scratch }: RehearsalPort): boolean =>
  infoOf(fs, pathsOf(fs.platform).join(scratch.folder, path)) !== null;

function isOtherInCopy(path: string, { toolContext, scratch }: RehearsalPort): boolean {
  const { fs, workspace } = toolContext;
  const { join } = pathsOf(fs.platform);
  const before = orNull(() => readBytes(fs, join(workspace, path)));
  const after = orNull(() => readBytes(fs, join(scratch.folder, path)));
  return before !== null && (after === null || !before.equals(after));
}
