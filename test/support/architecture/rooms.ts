import type { SourceFile } from './source-file.ts';

/** The rooms, the top one first: an import goes down this list, or stays inside a room. */
const ROOMS = [
  'bin',
  'index',
  'compat',
  'cli',
  'fleet',
  'page',
  'server',
  'host',
  'sessions',
  'agent',
  'live',
  'run',
  'undo',
  'round',
  'drivers',
  'steps',
  'evidence',
  'context-manager',
  'decompose',
  'probe',
  'policy',
  'tools',
  'languages',
  'prompts',
  'llm',
  'workspace',
  'processes',
  'journal',
  'options',
  'shown',
  'schema',
  'lib',
];

/** `src/llm/ollama/wire.ts` stands in the room `llm`, `src/agent.ts` in `agent`. */
export function roomOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '');
}

const isAllowed = (from: string, to: string): boolean => ROOMS.indexOf(from) <= ROOMS.indexOf(to);

/** A file in no known room, and every import that goes up. */
export function importsGoingUp(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file.path);
    if (!ROOMS.includes(room)) return [`${file.path} stands in no known room`];
    return file.imports
      .filter((path) => path.startsWith('src/') && ROOMS.includes(roomOf(path)))
      .filter((path) => !isAllowed(room, roomOf(path)))
      .map((path) => `${file.path} imports ${path}: ${room} may not know ${roomOf(path)}`);
  });
}

/** Every import cycle, types included, named once by its files in order. */
export function importCycles(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) {
      cycles.push([...trail.slice(start), path].join(' -> '));
      return;
    }
    if (finished.has(path)) return;
    for (const next of byPath.get(path)?.imports ?? []) {
      if (byPath.has(next)) visit(next, [...trail, path]);
    }
    finished.add(path);
  };
  for (const { path } of files) visit(path, []);
  return cycles;
}

/** Packages and modules that only these places may import. */
const RESERVED: readonly { readonly name: RegExp; readonly where: RegExp }[] = [
  {
    name: /^(undici|ollama|openai|@anthropic-ai\/.+|node-llama-cpp)$/,
    where: /^src\/llm\/[^/]+\//,
  },
  {
    name: /^node:(http|https|http2)$/,
    where: /^src\/(llm\/[^/]+|server|tools\/web|fleet\/[^/]+)\//,
  },
  { name: /^(execa|(node:)?child_process)$/, where: /^src\/(processes|cli)\// },
  { name: /^commander$/, where: /^src\/(cli\/|bin\.ts)/ },
  { name: /^(node:)?(process|console)$/, where: /^src\/(cli\/|bin\.ts)/ },
  {
    name: /^(node:)?fs(\/promises)?$/,
    where: /^src\/(lib|processes|cli|llm\/[^/]+)\/|^src\/bin\.ts/,
  },
];

export function importsOutOfPlace(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    file.imports.flatMap((name) =>
      RESERVED.filter((rule) => rule.name.test(name) && !rule.where.test(file.path)).map(
        () => `${file.path} imports ${name}, which is reserved to others`,
      ),
    ),
  );
}

/** Named, zod comes into the bundle with all it has; as a namespace only with what is used of it. */
export function importsOfAllZod(files: readonly SourceFile[]): string[] {
  const named = /import \{[^}]*\bz\b[^}]*\} from 'zod'/;
  const whole = /[(,]\s*z\s*[,)]|\} = z;/;
  return files.flatMap(({ path, text }) => [
    ...(named.test(text) ? [`${path} imports all of zod`] : []),
    ...(text.includes("import * as z from 'zod'") && whole.test(text)
      ? [`${path} hands all of zod on`]
      : []),
  ]);
}
