/**
 * Handles what a command did to existing files, as soon as its outcome is known.
 * 1. A guided driver restores changes that were neither declared nor allowed, and reports it with the place of
 *    what was there instead, because somebody else may have written it. A file that still begins with all that
 *    it held has lost nothing, so it stays as it is.
 * 2. A free driver tells the model and the person, and the verdict takes it into account.
 * 3. If the run was killed during the command, nobody knows who changed a file: it is reported and left alone.
 */

import { listed } from '../../evidence/evidence.ts';
import { lostFilesText, putBackText, toPutBackText } from '../../evidence/lost-files-text.ts';
import { unaskedChangesByName } from '../../evidence/unasked-changes.ts';
import { type Losses, lossesOfCommand, lostPaths } from '../../evidence/users-files.ts';
import { namesFile } from '../../probe/names-file.ts';
import type { FileChange } from '../../schema/actions.ts';
import type { RunState } from '../../schema/state.ts';
import type { ChangeWatch } from '../../tools/execute.ts';
import { contentReader } from '../../workspace/before-images/packs.ts';
import { putBackFiles } from '../../workspace/before-images/put-back.ts';
import { driverIn } from '../driver-view.ts';
import type { RunPorts } from '../run-ports.ts';

export interface GuardPort
  extends Pick<RunPorts, 'context' | 'beforeImages' | 'policy' | 'toolContext' | 'emit'> {
  /** Set in a conversation. */
  readonly spoken?: { saidLast(): string };
}

export const guarding = (run: GuardPort): ChangeWatch => ({
  begin: () => run.beforeImages.begin(),
  end: (id, isAllowed, cmd) => {
    let all: readonly FileChange[] = [];
    const facts = run.beforeImages.end(id, {
      isAllowed,
      seen: (changes) => {
        all = changes;
      },
    });
    return { facts, message: isAllowed ? '' : afterLosses({ id, cmd }, all, run) };
  },
});

/**
 * True if the line names a file that the run wrote: the outputs of such a program are no outputs of the
 * project's build.
 */
const runsOwn = ({ files }: RunState, cmd: string): boolean =>
  Object.entries(files).some(([path, { written }]) => written === true && namesFile(cmd, path));

/** The message to the model about lost files; empty if there are none. */
function afterLosses(
  { id, cmd }: { readonly id: string; readonly cmd: string },
  changes: readonly FileChange[],
  run: GuardPort,
): string {
  const { state } = run.context;
  const goal = run.spoken?.saidLast() ?? state.goal;
  const free = runsOwn(state, cmd)
    ? { ...unaskedChangesByName(run), isOutput: () => false }
    : unaskedChangesByName(run);
  const losses = lossesOfCommand(state, changes, { goal, ...free });
  const lost = new Set(lostPaths(losses));
  if (lost.size === 0) return '';
  const back = driverIn(run).putsBack
    ? putBack(
        id,
        changes.filter(({ path }) => lost.has(path)),
        run,
      )
    : new Map<string, string | null>();
  const those = (isMeant: (path: string) => boolean): Losses => ({
    removed: losses.removed.filter(isMeant),
    changed: losses.changed.filter(isMeant),
  });
  const isBack = (path: string): boolean => back.has(path);
  const left = those((path) => !isBack(path));
  const restored = putBackText(those(isBack));
  const both = (other: string): string => [restored, other].filter(Boolean).join(' ');
  const places = [...back].flatMap(([path, hash]) =>
    hash === null ? [] : `${path}: blobs/${hash}`,
  );
  const kept =
    places.length === 0
      ? ''
      : ` What was there instead is kept in .agent_context: ${listed(places)}.`;
  run.emit({ type: 'notice', level: 'warning', text: `${both(lostFilesText(left))}${kept}` });
  return both(toPutBackText(left));
}

/** The paths that were restored, each with the hash of what had taken its place. */
function putBack(
  id: string,
  lost: readonly FileChange[],
  run: GuardPort,
): ReadonlyMap<string, string | null> {
  const { context, beforeImages, toolContext } = run;
  const { blobs } = context.journal;
  const { kept } = context.state;
  const back = putBackFiles(lost, {
    fs: toolContext.fs,
    workspace: toolContext.workspace,
    read: contentReader(kept === null ? [] : [kept], (hash) => blobs.read(hash)),
    keep: (bytes) => void toolContext.storeBlob(bytes),
  });
  if (back.length > 0) beforeImages.recordBack(id, back);
  return new Map(back.map(({ path, before }) => [path, before]));
}
