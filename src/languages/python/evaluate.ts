/** Pure: a described call as a command for Python. */
import type { DescribedCall } from '../language.ts';
import { moduleOf, owns } from './files.ts';

const MODULE = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/** The module name of a file; `null` if Python's `import` cannot name it. */
export const importable = (file: string): string | null =>
  owns(file) && MODULE.test(moduleOf(file)) ? moduleOf(file) : null;

/** Single quotes, in which no character has another meaning: the code itself contains none. */
export function evaluation(module: string, { name, args, gives }: DescribedCall): string {
  const call = `${name}(${args.map(literal).join(', ')})`;
  const code = `import sys; from ${module} import ${name}; v = ${call}; print("gives", repr(v)); sys.exit(not v == ${literal(gives)})`;
  return `-c '${code}'`;
}

const WORDS = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

function literal(value: unknown): string {
  const word = WORDS.get(value);
  if (word !== undefined) return word;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value ?? {})
      .map(([key, one]) => `${literal(key)}: ${literal(one)}`)
      .join(', ')}}`;
  return JSON.stringify(value).replaceAll("'", '\\u0027');
}
