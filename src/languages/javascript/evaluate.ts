/** A call with what is said of it, as a command for node. Pure. */
import type { DescribedCall } from '../language.ts';

/**
 * What a CommonJS module exports is under `default` too, where the names of its exports cannot be
 * told. Between single quotes, in which no character means anything else: the code has none.
 */
export function evaluation(file: string, { name, args, gives }: DescribedCall): string {
  const code = [
    'import { isDeepStrictEqual as same } from "node:util"',
    `const m = await import(${literal(`./${file}`)})`,
    `const v = await (m.${name} ?? m.default.${name})(${args.map(literal).join(', ')})`,
    'console.log("gives", JSON.stringify(v))',
    `process.exit(same(v, ${literal(gives)}) ? 0 : 1)`,
  ];
  return `node --input-type=module -e '${code.join('; ')}'`;
}

const literal = (value: unknown): string => JSON.stringify(value).replaceAll("'", '\\u0027');
