/** The text of a file before the run, whose problems are not the run's fault. */
import { originalOf } from '../../context-manager/fold/files/known-files.ts';
import type { RunState } from '../../schema/state.ts';

interface OriginalPort {
  readonly context: {
    readonly state: Pick<RunState, 'files' | 'commandChanges' | 'intents'>;
    readonly journal: {
      readonly blobs: { has(hash: string): boolean; read(hash: string): Uint8Array };
    };
  };
}

/**
 * @param id of the action that is writing
 * @returns `null` if there was no file or its content was not kept
 */
export function originalText({ context }: OriginalPort, id: string, path: string): string | null {
  const { state, journal } = context;
  const hash = originalOf(state, path, state.intents[id]?.files);
  if (hash === null || !journal.blobs.has(hash)) return null;
  return Buffer.from(journal.blobs.read(hash)).toString('utf8');
}
