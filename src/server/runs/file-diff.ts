import { onlyByCommand } from '../../run/stream/changed-files.ts';
import type { RunState } from '../../schema/state.ts';
import type { FileDifference } from '../../undo/differences.ts';
import { patchOf } from '../../undo/patch.ts';
import type { FileDiff } from '../api/run-schemas.ts';

/** @param isWhole true to include the patch */
export async function fileDiffOf(
  one: FileDifference,
  state: RunState | null,
  isWhole: boolean,
): Promise<FileDiff> {
  const { kind, lines, problem, isChangedSince, hunks } = await patchOf(one, isWhole);
  return {
    path: one.path,
    status: kind === 'new' ? 'added' : kind,
    added: lines?.added ?? 0,
    removed: lines?.removed ?? 0,
    isBinary: lines === null && problem !== '',
    isByCommand: state !== null && onlyByCommand(state, one.path),
    isChangedSince,
    problem,
    ...(isWhole && { patch: hunks.flatMap(({ head, lines }) => [head, ...lines]).join('\n') }),
  };
}
