/**
 * An answer that should be a whole file and contains only functions of it: small models return what they changed. These
 * functions replace the old ones, and everything else stays.
 */
import { type FunctionLines, functionsIn } from '../../languages/files/functions.ts';
import { languageOf } from '../../languages/languages.ts';
import { own } from '../../lib/own.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { ReadingView } from '../driver.ts';
import { withLineFeeds } from './passage-edit.ts';

/** The write with the whole content; unchanged if the answer is no such case. */
export function withRestOfFile(
  call: ToolCall,
  { world, state }: Pick<ReadingView, 'world' | 'state'>,
): ToolCall {
  const { path, content } = call.args;
  if (typeof path !== 'string' || typeof content !== 'string') return call;
  // If the file has faults, the part that was left out may be the fault.
  if ((own(state.files, path)?.problems.length ?? 0) > 0) return call;
  const text = world.readText(path);
  const whole =
    text === null
      ? null
      : spliced(path, withLineFeeds(text.replace(/^\uFEFF/, '')), withLineFeeds(content));
  return whole === null ? call : { ...call, args: { ...call.args, content: whole } };
}

/** `null` if the answer leaves no definition out, or contains anything but functions of the file. */
export function spliced(path: string, before: string, answer: string): string | null {
  const defined = (text: string): readonly string[] => languageOf(path).definedNames?.(text) ?? [];
  const kept = new Set(defined(answer));
  if (defined(before).every((name) => kept.has(name))) return null;
  const old = new Map(functionsIn(path, before).map((one) => [one.name, one]));
  const returned = functionsIn(path, answer);
  if (returned.length === 0 || !returned.every(({ name }) => old.has(name))) return null;
  const [lines, answered] = [before.split('\n'), answer.split('\n')];
  const known = new Set(['', ...lines.map((line) => line.trim())]);
  const isOutside = (at: number): boolean => returned.every(({ from, to }) => at < from || at > to);
  if (answered.some((line, at) => isOutside(at + 1) && !known.has(line.trim()))) return null;
  const places = returned
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

/** Keeps what preceded the function, above all `export`: a model does not leave that out on purpose. */
const withStart = (old: string, head: string): string => (old.endsWith(head) ? old : head);
