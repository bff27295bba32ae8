/** The answer to a question that showed only some lines of a file: it replaces exactly these lines. */

import { sha256 } from '../../lib/sha256.ts';
import { withoutEndingLines } from '../../lib/text/shortened.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { Decoded } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import type { ReadingView } from '../driver.ts';

/** @param call the write of the answer; `null`: the question showed the file whole, or not at all. */
export function asPassage(
  call: ToolCall,
  { state, world, names }: Pick<ReadingView, 'state' | 'world' | 'names'>,
): Decoded | null {
  const { path, content } = call.args;
  const part = shownPart(state, path);
  if (!part || typeof path !== 'string' || typeof content !== 'string') return null;
  const text = world.readText(path);
  if (text === null || sha256(Buffer.from(text)) !== part.hash) return invalid(`${path} changed`);
  const old_text = linesOf(withLineFeeds(text.replace(/^\uFEFF/, '')), part);
  const new_text = withoutEndingLines(withLineFeeds(content));
  if (withoutEndingLines(old_text) === new_text)
    return invalid('the lines are the same as before: something must change');
  const edit = { id: call.id, name: names.edits_files, args: { path, old_text, new_text } };
  return { kind: 'calls', calls: [edit], recovered: false };
}

interface Part {
  readonly hash: string;
  readonly from: number;
  readonly to: number;
}

/** Lines as a model writes them. */
export const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

const linesOf = (text: string, { from, to }: Pick<Part, 'from' | 'to'>): string =>
  text
    .split('\n')
    .slice(from - 1, to)
    .join('\n');

/** What the last content question showed of the file, if that was not all of it. */
function shownPart({ conversation }: RunState, path: unknown): Part | null {
  const question = conversation.findLast(({ cause }) => cause === 'content_question');
  const shown = question?.shows?.find((one) => one.path === path);
  if (shown?.from === undefined || shown.to === undefined) return null;
  return { hash: shown.hash, from: shown.from, to: shown.to };
}

const invalid = (error: string): Decoded => ({ kind: 'invalid', error });
