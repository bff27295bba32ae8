/** Pure: problems of a text that need no checker of its language. */

const CODE = new Set(
  'py js mjs cjs ts mts cts jsx tsx json css html sh rb go rs java c h cpp toml yaml yml sql'.split(
    ' ',
  ),
);
function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** By its extension: code, markup or settings that a program reads. */
export const isCodeFile = (path: string): boolean => CODE.has(extensionOf(path));

/**
 * Only the first and the last line count; a fence in the middle may belong to a text in the program.
 * @param parses what the language's own checker said; `null` if it was not asked.
 */
export function fenceProblems(
  path: string,
  text: string,
  parses: boolean | null,
): readonly string[] {
  if (!isCodeFile(path)) return [];
  const lines = text.split(/\r?\n/);
  const fences = lines.flatMap((line, index) => (/^\s*```[\w+-]*\s*$/.test(line) ? [index] : []));
  const [first] = fences;
  if (first === undefined) return [];
  const opensFile = lines.slice(0, first).every((line) => line.trim() === '');
  if (!opensFile && parses !== false) return [];
  return [`line ${first + 1}: a \`\`\` mark of an answer is in the file: leave it out`];
}
