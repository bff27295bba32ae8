import type { SourceFile } from './source-file.ts';
import { everyNode, lineOf } from './source-file.ts';

/** A twin: `x.ts` beside the folder `x/`, so that nobody knows which of them opens the room. */
export function twins(files: readonly SourceFile[]): string[] {
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)));
  return files
    .filter(({ path }) => folders.has(path.replace(/\.ts$/, '')))
    .map(({ path }) => `${path} stands beside a folder of its name`);
}

const foldersOf = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
};

/** Where a file may say the name of a provider: in its own folder, in the table, in `exceptions`. */
export function providersByName(
  files: readonly SourceFile[],
  providers: readonly string[],
  exceptions: readonly string[],
): string[] {
  return files
    .filter(({ path }) => !exceptions.includes(path))
    .flatMap((file) =>
      namesIn(file, new Set(providers))
        .filter(({ name }) => !file.path.startsWith(`src/llm/${name}/`))
        .map(({ name, line }) => `${file.path}:${line} knows ${name} by name`),
    );
}

/** String literals, keys of objects and plain templates that are a name as a whole. */
function namesIn(file: SourceFile, names: ReadonlySet<string>) {
  return everyNode(file.program).flatMap((node) => {
    const text = node.type === 'TemplateElement' ? rawOf(node.value) : node.value;
    if (node.type !== 'Literal' && node.type !== 'TemplateElement') return [];
    if (typeof text !== 'string' || !names.has(text)) return [];
    return [{ name: text, line: lineOf(file, node.start) }];
  });
}

const rawOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'raw' in value ? value.raw : undefined;
