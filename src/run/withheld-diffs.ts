/** What a run withholds, as data. */
import type { ContextManager } from '../context-manager/context-manager.ts';
import { storageError } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { isWithheld, type Withheld } from '../schema/journal/swap.ts';
import { differencesOfSet, type FileDifference } from '../undo/differences.ts';
import { swapDeps } from '../undo/open-run.ts';
import { type Patch, patchOf } from '../undo/patch.ts';
import { setOf } from '../undo/swap.ts';
import type { RunResult } from './result.ts';

/** Adds what is withheld to the result, if anything is. */
export async function withWithheld(
  result: RunResult,
  place: {
    readonly context: ContextManager;
    readonly fs: FileSystem;
    readonly workspace: string;
  },
): Promise<RunResult> {
  if (!isWithheld(result.state)) return result;
  const deps = swapDeps(place.context, place);
  try {
    const withheld = await withheldDiffs(differencesOfSet(setOf(deps), deps));
    return withheld.files.length === 0 ? result : { ...result, withheld };
  } catch (error) {
    // A result without its changes would say that nothing is withheld.
    throw storageError(error, 'reading what is withheld');
  }
}

export async function withheldDiffs(differences: Iterable<FileDifference>): Promise<Withheld> {
  const files: Withheld['files'][number][] = [];
  for (const difference of differences) {
    const patch = await patchOf(difference);
    files.push({ path: patch.path, change: patch.kind, diff: diffText(patch) });
  }
  return { files };
}

/** Longer diffs of one file are kept only in the blobs. */
const MAX_LINES = 20_000;

function diffText({ path, kind, hunks }: Patch): string {
  if (hunks.length === 0) return '';
  const lines = hunks.flatMap(({ head, lines: all }) => [head, ...all]);
  const heads = [
    kind === 'new' ? '--- /dev/null' : `--- a/${path}`,
    kind === 'removed' ? '+++ /dev/null' : `+++ b/${path}`,
  ];
  return `${[...heads, ...lines.slice(0, MAX_LINES)].join('\n')}\n`;
}
