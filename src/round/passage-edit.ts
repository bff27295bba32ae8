/** The answer to a question that showed only some lines of a file: it replaces these, no more. */
import { withoutEndingLines } from '../lib/shortened.ts';
import type { ToolCall } from '../schema/messages.ts';
import type { Decoded } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { sha256 } from '../workspace/files.ts';
import type { Run } from './run.ts';

export type PassagePort = Pick<Run, 'context' | 'world' | 'names'>;

/** @param call the write of the answer; `null`: the question showed the file whole, or not at all. */
export function asPassage(call: ToolCall, { context, world, names }: PassagePort): Decoded | null {
  const { path, content } = call.args;
  const part = partShown(context.state, path);
  if (!part || typeof path !== 'string' || typeof content !== 'string') return null;
  const text = world.readText(path);
  if (text === null || sha256(Buffer.from(text)) !== part.hash) return invalid(`${path} changed`);
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  const old_text = lines.slice(part.from - 1, part.to).join('\n');
  const new_text = withoutEndingLines(content.replaceAll('\r\n', '\n'));
  if (withoutEndingLines(old_text) === new_text)
    return invalid('the lines are the same as before: something must change');
  const edit = { id: call.id, name: names.edits_files, args: { path, old_text, new_text } };
  return { kind: 'calls', calls: [edit], recovered: false };
}

/** What the last question for a content showed of the file, where that was not all of it. */
function partShown(
  { conversation }: RunState,
  path: unknown,
): { readonly hash: string; readonly from: number; readonly to: number } | null {
  const question = conversation.findLast(({ cause }) => cause === 'content_question');
  const shown = question?.shows?.find((one) => one.path === path);
  if (shown?.from === undefined || shown.to === undefined) return null;
  return { hash: shown.hash, from: shown.from, to: shown.to };
}

const invalid = (error: string): Decoded => ({ kind: 'invalid', error });
