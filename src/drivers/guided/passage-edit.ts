/**
 * The answer to a question that showed only some lines of a file, or asked for one function of it: it replaces exactly
 * these lines, or that function.
 */
import { functionsIn } from '../../languages/files/functions.ts';
import { withoutEndingLines } from '../../lib/text/shortened.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { Decoded } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import type { ShownFile } from '../../schema/state-parts/shown-file.ts';
import { sha256 } from '../../workspace/files.ts';
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
  if (text === null || !isUnchangedSince(text, part, state)) return invalid(`${path} changed`);
  const whole = plain(text.replace(/^\uFEFF/, ''));
  const change =
    part.name === undefined
      ? { old_text: linesOf(whole, part), new_text: withoutEndingLines(plain(content)) }
      : functionChange(path, { name: part.name, whole, answer: plain(content) });
  if (change === null) return invalid(`the answer does not define ${part.name}`);
  // An unchanged function is given up like an unchanged file.
  if (part.name === undefined && withoutEndingLines(change.old_text) === change.new_text)
    return invalid('the lines are the same as before: something must change');
  const edit = { id: call.id, name: names.edits_files, args: { path, ...change } };
  return { kind: 'calls', calls: [edit], recovered: false };
}

type Part = Pick<ShownFile, 'path' | 'hash' | 'name'> & {
  readonly from: number;
  readonly to: number;
};

/** Lines as a model writes them. */
export const plain = (text: string): string => text.replaceAll('\r\n', '\n');

const linesOf = (text: string, { from, to }: Pick<Part, 'from' | 'to'>): string =>
  text
    .split('\n')
    .slice(from - 1, to)
    .join('\n');

/** Unchanged since the question was asked, or since an earlier answer to it. */
function isUnchangedSince(text: string, { path, hash, name }: Part, { files }: RunState): boolean {
  const now = sha256(Buffer.from(text));
  return now === hash || (name !== undefined && now === files[path]?.hash);
}

/** Whatever else the answer contains: nothing else was asked for. */
function functionChange(
  path: string,
  {
    name,
    whole,
    answer,
  }: { readonly name: string; readonly whole: string; readonly answer: string },
): { readonly old_text: string; readonly new_text: string } | null {
  const [old_text, new_text] = [whole, answer].map((text) => {
    const found = functionsIn(path, text).find((one) => one.name === name);
    return found && linesOf(text, found);
  });
  return old_text === undefined || new_text === undefined ? null : { old_text, new_text };
}

/** What the last content question showed of the file, if that was not all of it. */
function shownPart({ conversation }: RunState, path: unknown): Part | null {
  const question = conversation.findLast(({ cause }) => cause === 'content_question');
  const shown = question?.shows?.find((one) => one.path === path);
  if (shown?.from === undefined || shown.to === undefined) return null;
  return { ...shown, from: shown.from, to: shown.to };
}

const invalid = (error: string): Decoded => ({ kind: 'invalid', error });
