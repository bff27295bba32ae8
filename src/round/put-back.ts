/** Files as they were when the work was at its best: written like any other, with an intent. */
import type { ToolCall } from '../schema/messages.ts';
import type { Step } from '../steps/step.ts';
import { decodeText } from '../workspace/text-encoding.ts';
import type { Run } from './run.ts';

type PutBack = Extract<Step, { do: 'put_back' }>;

/** What was replaced since is in the journal's blobs; what is not, or is no text, stays as it is. */
export function putBack({ files }: PutBack, { context, names }: Pick<Run, 'context' | 'names'>) {
  const { state, journal } = context;
  const n = state.counters.rounds + 1;
  const calls = files.flatMap(({ path, hash }, index): ToolCall[] => {
    if (!journal.blobs.has(hash)) return [];
    const decoded = decodeText(journal.blobs.read(hash));
    // What holds a key cannot be written by way of the journal.
    if (decoded.kind === 'binary' || context.hides(decoded.text)) return [];
    const args = { path, content: decoded.text };
    return [{ id: `planned_${n}_${index}`, name: names.writes_whole_files, args }];
  });
  const subtask = state.active?.id ?? 'none';
  context.record({
    type: 'round_started',
    n,
    subtask,
    origin: 'put_back',
    ...(calls.length > 0 ? { calls } : {}),
  });
}
