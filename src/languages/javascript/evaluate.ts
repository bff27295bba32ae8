/** Pure: a described call as a command for node. */
import type { DescribedCall } from '../language.ts';

/**
 * The exports of a CommonJS module are also under `default`, in case node cannot detect their names. Single quotes, in
 * which no character has another meaning: the code contains none.
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
