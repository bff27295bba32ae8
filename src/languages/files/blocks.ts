/** Pure: blocks of lines in languages with curly brackets. */
import type { LineRange } from '../language.ts';

/** Comments, strings and characters, in which brackets mean nothing; and the brackets themselves. */
const TOKEN =
  /\/\/.*|\/\*[\s\S]*?\*\/|\br(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[^\n]{1,8}?|[^'\\\n])'|[{};]/g;

/**
 * The blocks that begin with a line of this form, in their order.
 * @param isAlone true for a line that counts by itself; `at` is its number, from 0
 */
export function blocksIn(
  text: string,
  begins: RegExp,
  isAlone: (line: string, at: number) => boolean = () => false,
): readonly LineRange[] {
  const lines = text.split('\n');
  const found: LineRange[] = [];
  let offset = 0;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const isBlock = begins.test(line);
    const to = isBlock ? at + linesOfBlock(text.slice(offset)) : at + 1;
    if (isBlock || isAlone(line, at)) found.push({ from: at, to });
    for (; at < to; at += 1) offset += (lines[at] ?? '').length + 1;
  }
  return found;
}

/** How many lines the text has up to the end of its first block, or of a statement before that. */
function linesOfBlock(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if ((token === '}' || token === ';') && depth <= 0)
      return text.slice(0, index).split('\n').length;
  }
  return text.split('\n').length;
}
