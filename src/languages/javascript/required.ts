/** What an ES module by its ending takes for granted of CommonJS: node has none of it there. Pure. */

const MAX_SAID = 5;
const REQUIRED =
  /^[ \t]*(?:const|let|var)\s+(\w+|\{[^}]*\})\s*=\s*require\(\s*(['"][^'"\n]+['"])\s*\)\s*;?[ \t]*$/gm;
const OTHERS: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [/(?<![\w$.])require\s*\(/, 'a .mjs file has no require: write an import at the top'],
  [
    /(?<![\w$.])module\.exports\b/,
    'a .mjs file has no module.exports: write export before what others use',
  ],
  [
    /(?<![\w$.])__dirname\b/,
    'a .mjs file has no __dirname: name files as seen from where it is run',
  ],
];

/** @param code without its comments */
export function commonJsProblems(path: string, code: string): readonly string[] {
  if (!path.endsWith('.mjs') || /\bcreateRequire\b/.test(code)) return [];
  const lineAt = (index: number): number => code.slice(0, index).split('\n').length;
  const required = [...code.matchAll(REQUIRED)].slice(0, MAX_SAID).map((match) => {
    const [whole, names = '', from = ''] = match;
    const taken = names.replaceAll(/\s*:\s*/g, ' as ');
    const line = lineAt(match.index + whole.search(/\S/));
    return `line ${line}: a .mjs file has no require: write import ${taken} from ${from};`;
  });
  const rest = code.replace(REQUIRED, (line) => line.replaceAll(/[^\n]/g, ' '));
  const others = OTHERS.flatMap(([pattern, problem]) => {
    const found = pattern.exec(rest);
    return found ? [`line ${lineAt(found.index)}: ${problem}`] : [];
  });
  return [...required, ...others];
}
