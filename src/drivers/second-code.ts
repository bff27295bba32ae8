/** Code that was asked for a second time, out of its answer: read as the content of a file is. Pure. */
import { languageOf } from '../languages/languages.ts';
import { readCodeBlock } from '../llm/tool-modes/code-block.ts';
import { parseObject } from '../llm/tool-modes/json.ts';

/** `null` where there is none. An object of JSON is data, whatever it tells of. */
export function secondCode(reply: string, path: string): string | null {
  const block = readCodeBlock(reply, path);
  if (block.kind === 'none') return null;
  if (/^\s*\{/.test(block.code) && parseObject(block.code) !== null) return null;
  return withoutItself(path, block.code);
}

/** Told by which lines others use it, a small model copies them; what a file imports from itself it has. */
function withoutItself(path: string, code: string): string {
  const { imports } = languageOf(path);
  const isOwn = (line: string): boolean => imports?.(path, line).includes(path) === true;
  return code
    .split('\n')
    .filter((line) => !isOwn(line))
    .join('\n');
}
