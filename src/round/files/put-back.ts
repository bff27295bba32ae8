/** Restores files with ordinary writes, which have intents. */
import type { ToolCall } from '../../schema/model/messages.ts';
import type { Step } from '../../steps/step.ts';
import { decodeText } from '../../workspace/text-encoding.ts';
import type { RunPorts } from '../run-ports.ts';

/**
 * Puts files back, with their earlier contents from the journal's blobs. A file whose content is missing
 * there or is not text stays as it is.
 */
export function putBack(
  { files }: Extract<Step, { do: 'put_back' }>,
  { context, names }: Pick<RunPorts, 'context' | 'names'>,
): void {
  const { state } = context;
  const n = state.counters.rounds + 1;
  const calls: ToolCall[] = [];
  for (const { path, hash } of files) {
    const content = textOf(hash, context);
    if (content === null) continue;
    const id = `planned_${n}_${calls.length}`;
    calls.push({ id, name: names.writes_whole_files, args: { path, content } });
  }
  const subtask = state.active?.id ?? 'none';
  context.record({
    type: 'round_started',
    n,
    subtask,
    origin: 'put_back',
    ...(calls.length > 0 ? { calls } : {}),
  });
}

function textOf(hash: string, context: RunPorts['context']): string | null {
  const { blobs } = context.journal;
  if (!blobs.has(hash)) return null;
  const decoded = decodeText(blobs.read(hash));
  // Text with a secret cannot pass through the journal.
  return decoded.kind === 'binary' || context.hides(decoded.text) ? null : decoded.text;
}
