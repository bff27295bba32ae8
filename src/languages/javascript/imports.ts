/** Pure: the files of the workspace that a JavaScript file imports by path. */

const LOCAL_IMPORT =
  /^[ \t]*(?:import\s+(?:[^'"();]*?\sfrom\s+)?|export\s+[^'"();]*?\sfrom\s+|(?:const|let|var)\s+[^=;]+=\s*require\(\s*)['"](\.{1,2}\/[^'"]+)['"]/gm;

const ENDINGS = ['', '.js', '.cjs', '.json', '/index.js', '.ts', '.tsx', '/index.ts', '/index.tsx'];

export const imports = (path: string, text: string): readonly string[] =>
  [...text.matchAll(LOCAL_IMPORT)].flatMap(([, wanted = '']) => {
    const target = resolveFrom(path, wanted);
    if (target === null) return [];
    // An import in TypeScript names the compiled file of a source.
    const source = target.replace(/\.([cm]?)js$/, '.$1ts');
    return [...ENDINGS.map((ending) => target + ending), ...(source === target ? [] : [source])];
  });

/** Relative to the workspace with `/`; `null` outside it. */
function resolveFrom(path: string, wanted: string): string | null {
  const parts = path.split('/').slice(0, -1);
  for (const part of wanted.split('/')) {
    if (part === '..' && parts.length === 0) return null;
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
