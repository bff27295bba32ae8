/** Replaces one line of a file by another, as a model names it: found by its words, with its indentation. */
import { leastOf } from '../lib/least.ts';
import type { ToolCall } from '../schema/model/messages.ts';

/** Where the line is searched. */
export interface LinePort {
  readonly world: { readText(path: string): string | null };
  readonly policy: { mayShow(path: string): boolean };
}

/** If the line is not found, or nothing would change, the call stays as it is: its tool says so. */
export function asLine(call: ToolCall, { world, policy }: LinePort): ToolCall {
  const { path, old_text, new_text } = call.args;
  if (typeof path !== 'string' || typeof old_text !== 'string' || typeof new_text !== 'string')
    return call;
  // Lines around it would appear in the call, which the model sees again.
  if (!policy.mayShow(path)) return call;
  const lines = (world.readText(path) ?? '').replace(/^\uFEFF/, '').split(/\r?\n/);
  const wanted = linesOf(old_text);
  const isAt = (at: number): boolean =>
    wanted.every((line, index) => lines[at + index]?.trim() === line.trim());
  const places = lines.flatMap((_, index) => (isAt(index) ? [index] : []));
  const [at] = places.filter((place) => startsAlike(lines[place], old_text)).concat(places);
  if (wanted.length === 0 || at === undefined) return call;
  const old = lines.slice(at, at + wanted.length);
  const made = indented(linesOf(new_text), old[0] ?? '');
  if (made.join('\n').trim() === old.join('\n').trim()) return call;
  const from = uniqueFrom(lines, at, old.length);
  const before = lines.slice(from, at);
  return {
    ...call,
    args: {
      path,
      old_text: [...before, ...old].join('\n'),
      new_text: [...before, ...made].join('\n'),
    },
  };
}

/** Empty lines around it do not matter. */
const linesOf = (text: string): readonly string[] => {
  const lines = text.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, '').split(/\r?\n/);
  return lines.length === 1 && lines[0]?.trim() === '' ? [] : lines;
};

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';

/** Of equal lines, the one with the indentation as written. */
const startsAlike = (line: string | undefined, asked: string): boolean =>
  indentOf(line ?? '') === indentOf(asked);

/** Models omit the indentation; several lines get that of the first. */
function indented(lines: readonly string[], like: string): readonly string[] {
  const [first = ''] = lines;
  const missing = indentOf(first) === '' ? indentOf(like) : '';
  return lines.map((line) => (line.trim() === '' ? line : missing + line));
}

/** With preceding lines, until the text is unique in the file. */
function uniqueFrom(lines: readonly string[], at: number, count: number): number {
  const whole = lines.join('\n');
  const isUnique = (text: string): boolean => whole.indexOf(text) === whole.lastIndexOf(text);
  const before = leastOf(at, (more) => isUnique(lines.slice(at - more, at + count).join('\n')));
  return at - before;
}
