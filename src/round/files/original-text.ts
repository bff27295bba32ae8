/** The text of a file as it was before the run: what stood there then is nobody's fault now. */
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

/** @param id of the action that is writing; `null`: there was no file, or what it held is not kept */
export function originalText({ context }: OriginalPort, id: string, path: string): string | null {
  const { state, journal } = context;
  const hash = originalOf(state, path, state.intents[id]?.files);
  if (hash === null || !journal.blobs.has(hash)) return null;
  return Buffer.from(journal.blobs.read(hash)).toString('utf8');
}
