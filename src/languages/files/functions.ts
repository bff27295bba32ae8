/** Pure: the top-level functions of a file, and which of them a failure is about. */

import { languageOf } from '../languages.ts';
import { linesNamedIn } from '../testing/involved-files.ts';

/** Lines from 1, both included. */
export interface FunctionLines {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/**
 * In their order. A function that is defined twice is left out, since nobody could tell which one is meant.
 * The list is empty if part of a string over several lines looks like code.
 */
export function functionsIn(path: string, text: string): readonly FunctionLines[] {
  const { functions } = languageOf(path);
  if (functions === undefined) return [];
  const { begins, longTexts } = functions;
  const found = begunIn(text, begins);
  const certain = begunIn(
    text.replace(longTexts, (long) => long.replace(/\n(?=\S)/g, '\n ')),
    begins,
  );
  if (JSON.stringify(found) !== JSON.stringify(certain)) return [];
  const counts = new Map<string, number>();
  for (const { name } of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  return found.filter(({ name }) => counts.get(name) === 1);
}

function begunIn(text: string, begins: RegExp): readonly FunctionLines[] {
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, at) => {
    const name = begins.exec(line)?.slice(1).find(Boolean);
    return name === undefined ? [] : [{ name, from: at + 1, to: endOf(lines, at) + 1 }];
  });
}

/** The last line that is indented, or closes a bracket, before another one begins. */
function endOf(lines: readonly string[], start: number): number {
  let end = start;
  for (let at = start + 1; at < lines.length && /^(?:\s|[)\]}]|$)/.test(lines[at] ?? ''); at += 1)
    if ((lines[at] ?? '').trim() !== '') end = at;
  return end;
}

/** If a failure names more, its last lines. */
const MOST_LINES = 100;
const WORD = /(?<![\w$.])[\w$]+/g;

/**
 * The function in which a traceback ends, else the first one named; `null`: the failure names no function of the file.
 */
export function functionNamedIn(path: string, text: string, failure: string): FunctionLines | null {
  const all = functionsIn(path, text);
  const lines = linesNamedIn(failure, path).slice(-MOST_LINES);
  const last = lines.findLast((line) => all.some(isAround(line)));
  if (last !== undefined) return all.find(isAround(last)) ?? null;
  const byName = new Map(all.map((one) => [one.name, one]));
  for (const [word] of failure.matchAll(WORD)) {
    const named = byName.get(word);
    if (named !== undefined) return named;
  }
  return null;
}

const isAround =
  (line: number) =>
  ({ from, to }: FunctionLines): boolean =>
    from <= line && line <= to;
