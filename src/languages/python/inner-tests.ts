/** Pure: examples in the documentation of Python code, which doctest and pytest run. */
import type { LineRange } from '../language.ts';

/** An example begins with a prompt. Its output ends with an empty line, or with the text. */
export function innerTests(_path: string, text: string): readonly LineRange[] {
  const found: LineRange[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    if (!/^\s*>>> /.test(lines[at] ?? '')) continue;
    const from = at;
    while (at < lines.length && !/^\s*(?:$|.*(?:"""|''')\s*$)/.test(lines[at] ?? '')) at += 1;
    found.push({ from, to: at });
  }
  return found;
}
