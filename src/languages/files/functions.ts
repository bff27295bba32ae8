/** Pure: the top-level functions of a file. */

import { languageOf } from '../languages.ts';

/** Lines from 1, both included. */
export interface FunctionLines {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The functions in their order. A function that is defined twice is left out, since it would be unclear which
 * one is meant. The list is empty if part of a string over several lines looks like code.
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
