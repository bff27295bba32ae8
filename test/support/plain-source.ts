/**
 * The sources and the tests as plain JavaScript, for a run of all tests: Node loads them by itself, where else each of
 * a few thousand files goes through the test runner's own loader, in every worker anew.
 *
 * Owns folders below `.cache/tests`, each named by what it was made from and made once, so that a run beside
 * another one, or a source that is changed meanwhile, takes nothing away from under it.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin as Step, version } from 'esbuild';
import type { Plugin } from 'vite';

const FOLDER = '.cache/tests';
const FOLDERS = ['src', 'test', 'bench', 'eval', 'scripts'];
/** Files that tests read, and no tests. */
const GIVEN = /(?:^|[\\/])test[\\/]fixtures[\\/]/;
/** What the runner leaves to Node. */
export const PLAIN_SOURCE = new RegExp(`/\\.cache/tests/\\w+/(?:${FOLDERS.join('|')})/`);
const MADE = 'made.json';
/** Behind it stands a number. */
const MAPS = 'maps-';
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Every file stays one of its own, and asks for the others by the names they have there; what is none of them stays. */
const apart: Step = {
  name: 'apart',
  setup(api) {
    api.onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, resolveDir }) => {
      if (kind === 'entry-point' || path.endsWith('.py')) return null;
      return path.endsWith('.ts')
        ? { path: path.replace(/\.ts$/, '.mjs'), external: true }
        : { path: pathToFileURL(resolve(resolveDir, path)).href, external: true };
    });
  },
};

/** A test finds the files that were beside it where it was written. */
const PLACE = { 'import.meta.url': 'writtenUrl', 'import.meta.dirname': 'writtenFolder' };

const PLACED = /\bwritten(?:Url|Folder)\b/;

const placeOf = (file: string): string =>
  `const writtenUrl = ${JSON.stringify(pathToFileURL(file).href)}, writtenFolder = ${JSON.stringify(dirname(file))}; `;

/** What plain files were made from. */
interface Made {
  /** What decides what is made of each. */
  readonly by: string;
  /** The hash of each file, by its path from the root. */
  readonly sums: { readonly [path: string]: string };
}

/** @param root of the project. The folder that holds the plain `src`. */
async function makePlain(root: string, define: Record<string, string>): Promise<string> {
  const now = madeFrom(root, define);
  const all = join(root, FOLDER);
  const folder = join(all, sumOf(JSON.stringify(now)).slice(0, 16));
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const changed = Object.keys(now.sums).filter((path) => path.endsWith('.ts'));
  const left = linkSame(all, unfinished, now, changed);
  const isSource = (path: string): boolean => path.startsWith('src/');
  const others = left.filter((path) => !isSource(path));
  const maps = await Promise.all([
    writePlain(root, unfinished, left.filter(isSource), define),
    writePlain(root, unfinished, others, { ...define, ...PLACE }),
  ]);
  const number = mapsIn(unfinished).length;
  writeFileSync(join(unfinished, `${MAPS}${number}`), JSON.stringify(Object.assign({}, ...maps)));
  writeFileSync(join(unfinished, MADE), JSON.stringify(now));
  // One was changed while they were read.
  if (JSON.stringify(madeFrom(root, define)) !== JSON.stringify(now)) {
    rmSync(unfinished, { recursive: true, force: true });
    return makePlain(root, define);
  }
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another run was first.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  removeOld(all, folder);
  return folder;
}

const sumOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

function madeFrom(root: string, define: Record<string, string>): Made {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.d)\.ts$|\.py$/.test(entry.name))
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/'))
      .filter((file) => !GIVEN.test(file)),
  ).sort();
  const sums = Object.fromEntries(
    files.map((file) => [file, sumOf(readFileSync(join(root, file)))]),
  );
  // Each stands in the file that imports it.
  const texts = files.filter((file) => file.endsWith('.py')).map((file) => sums[file]);
  const made = [makePlain, writePlain, placeOf].map(String);
  return { by: sumOf(JSON.stringify([version, made, define, texts])), sums };
}

/** Most files are as they were in an earlier run. Returns the others. */
function linkSame(all: string, to: string, now: Made, paths: readonly string[]): readonly string[] {
  const names = readdirSync(all).filter((name) => existsSync(join(all, name, MADE)));
  const times = new Map(names.map((name) => [name, statSync(join(all, name)).mtimeMs]));
  for (const name of names.sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0))) {
    const from = join(all, name);
    const before: Made = JSON.parse(readFileSync(join(from, MADE), 'utf8'));
    if (before.by !== now.by) continue;
    const same = paths.filter((path) => before.sums[path] === now.sums[path]);
    for (const path of same) {
      const plain = path.replace(/\.ts$/, '.mjs');
      mkdirSync(dirname(join(to, plain)), { recursive: true });
      linkSync(join(from, plain), join(to, plain));
    }
    for (const file of mapsIn(from)) linkSync(join(from, file), join(to, file));
    return paths.filter((path) => before.sums[path] !== now.sums[path]);
  }
  return paths;
}

/** The files of maps, oldest first: the last that has one of a file holds. */
const mapsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith(MAPS))
    .sort((a, b) => Number(a.slice(MAPS.length)) - Number(b.slice(MAPS.length)));

/** Returns the maps, by the path of their plain file: files of their own would take as long as all else. */
async function writePlain(
  root: string,
  to: string,
  paths: readonly string[],
  define: Record<string, string>,
): Promise<{ readonly [path: string]: string }> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [...paths],
    outbase: root,
    outdir: to,
    bundle: true,
    packages: 'external',
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    treeShaking: false,
    sourcemap: 'external',
    sourcesContent: false,
    outExtension: { '.js': '.mjs' },
    loader: { '.py': 'text' },
    define,
    plugins: [apart],
    logLevel: 'warning',
  });
  const maps: { [path: string]: string } = {};
  for (const { path, text } of outputFiles) {
    const plain = relative(to, path).replaceAll(sep, '/');
    if (plain.endsWith('.map')) {
      maps[plain.slice(0, -'.map'.length)] = text;
      continue;
    }
    const from = join(root, plain.replace(/\.mjs$/, '.ts'));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, PLACED.test(text) ? placeOf(from) + text : text);
  }
  return maps;
}

function removeOld(all: string, newest: string): void {
  for (const name of readdirSync(all)) {
    const folder = join(all, name);
    if (folder !== newest && Date.now() - statSync(folder).mtimeMs > KEPT_MS)
      rmSync(folder, { recursive: true, force: true });
  }
}

/** The runner gets the plain ones. */
export function plainSource(root: string, define: Record<string, string>): Plugin {
  const own = FOLDERS.map((folder) => join(root, folder) + sep);
  let made: Promise<string> | null = null;
  return {
    name: 'plain-source',
    enforce: 'pre',
    resolveId: {
      filter: { id: /(?<!\.d)\.ts$/ },
      async handler(id, importer) {
        const file = importer === undefined ? resolve(id) : resolve(dirname(importer), id);
        if (!own.some((folder) => file.startsWith(folder)) || GIVEN.test(file)) return null;
        made ??= makePlain(root, define);
        return join(await made, relative(root, file)).replace(/\.ts$/, '.mjs');
      },
    },
  };
}

/**
 * Makes a line of a stack name the file and the line that were written. Node can do so itself
 * (`--enable-source-maps`), and then reads the map of every file it loads: a fourteenth of all tests' time.
 */
export function nameAsWritten(frame: { file: string; line: number; column: number }): void {
  const [start] = PLAIN_SOURCE.exec(frame.file) ?? [];
  if (start === undefined) return;
  const folder = dirname(frame.file.slice(0, frame.file.indexOf(start) + start.length - 1));
  const plain = relative(folder, frame.file).replaceAll(sep, '/');
  for (const file of [...mapsIn(folder)].reverse()) {
    const text: string | undefined = JSON.parse(readFileSync(join(folder, file), 'utf8'))[plain];
    if (text === undefined) continue;
    const written = new SourceMap(JSON.parse(text)).findEntry(frame.line - 1, frame.column - 1);
    if (!('originalSource' in written)) return;
    frame.file = resolve(dirname(frame.file), written.originalSource);
    frame.line = written.originalLine + 1;
    frame.column = written.originalColumn + 1;
    return;
  }
}
