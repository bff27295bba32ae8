/**
 * An answer that was to be a whole file and holds only functions that the file has: small models give back
 * what they changed. These functions take the places of the old ones, and what was left out stays.
 */
import { type FunctionLines, functionsIn } from '../../languages/files/functions.ts';
import { languageOf } from '../../languages/languages.ts';
import { own } from '../../lib/own.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { ReadingView } from '../driver.ts';
import { plain } from './passage-edit.ts';

/** The write with the whole content; the write as it is where the answer is no such one. */
export function withRestOfFile(
  call: ToolCall,
  { world, state }: Pick<ReadingView, 'world' | 'state'>,
): ToolCall {
  const { path, content } = call.args;
  if (typeof path !== 'string' || typeof content !== 'string') return call;
  // What is left out of a file with faults may be the fault.
  if ((own(state.files, path)?.problems.length ?? 0) > 0) return call;
  const text = world.readText(path);
  const whole =
    text === null ? null : spliced(path, plain(text.replace(/^\uFEFF/, '')), plain(content));
  return whole === null ? call : { ...call, args: { ...call.args, content: whole } };
}

/** `null` where the answer leaves no definition out, or brings anything but functions that are there. */
export function spliced(path: string, before: string, answer: string): string | null {
  const defined = (text: string): readonly string[] => languageOf(path).definedNames?.(text) ?? [];
  const kept = new Set(defined(answer));
  if (defined(before).every((name) => kept.has(name))) return null;
  const old = new Map(functionsIn(path, before).map((one) => [one.name, one]));
  const given = functionsIn(path, answer);
  if (given.length === 0 || !given.every(({ name }) => old.has(name))) return null;
  const [lines, answered] = [before.split('\n'), answer.split('\n')];
  const known = new Set(['', ...lines.map((line) => line.trim())]);
  const isOutside = (at: number): boolean => given.every(({ from, to }) => at < from || at > to);
  if (answered.some((line, at) => isOutside(at + 1) && !known.has(line.trim()))) return null;
  const places = given
    .map((one) => {
      const place = old.get(one.name) as FunctionLines;
      const [head = '', ...body] = answered.slice(one.from - 1, one.to);
      return { place, lines: [withStart(lines[place.from - 1] ?? '', head), ...body] };
    })
    .sort((one, other) => other.place.from - one.place.from);
  return places
    .reduce(
      (all, { place, lines: its }) =>
        all.toSpliced(place.from - 1, place.to - place.from + 1, ...its),
      lines,
    )
    .join('\n');
}

/** What stood before the function, `export` above all, is not left out on purpose. */
const withStart = (old: string, head: string): string => (old.endsWith(head) ? old : head);
