/** Files as they were when the work was at its best: written like any other, with an intent. */
import { parses } from '../languages/examine-file.ts';
import type { ToolCall } from '../schema/messages.ts';
import type { Step } from '../steps/step.ts';
import { decodeText } from '../workspace/text-encoding.ts';
import type { Run } from './run.ts';

type PutBack = Extract<Step, { do: 'put_back' }>;

/** What was replaced since is in the journal's blobs; what is not, or is no text, stays as it is. */
export async function putBack(
  { files, onlyParsed }: PutBack,
  run: Pick<Run, 'context' | 'names' | 'lookDeps' | 'signal'>,
): Promise<void> {
  const { context, names } = run;
  const { state } = context;
  const n = state.counters.rounds + 1;
  const calls: ToolCall[] = [];
  for (const { path, hash } of files) {
    const content = textOf(hash, context);
    if (content === null || (onlyParsed && !(await parses(path, content, run.lookDeps()))))
      continue;
    const id = `planned_${n}_${calls.length}`;
    calls.push({ id, name: names.writes_whole_files, args: { path, content } });
  }
  // What was looked at while the run was ended says nothing: it is looked at again.
  if (run.signal.aborted) return;
  const subtask = state.active?.id ?? 'none';
  context.record({
    type: 'round_started',
    n,
    subtask,
    origin: 'put_back',
    ...(calls.length > 0 ? { calls } : {}),
  });
}

function textOf(hash: string, context: Run['context']): string | null {
  const { blobs } = context.journal;
  if (!blobs.has(hash)) return null;
  const decoded = decodeText(blobs.read(hash));
  // What holds a key cannot be written by way of the journal.
  return decoded.kind === 'binary' || context.hides(decoded.text) ? null : decoded.text;
}
