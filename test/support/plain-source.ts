/**
 * The sources as plain JavaScript, for a run of all tests: Node loads them by itself, where else each of a
 * thousand files goes through the test runner's own loader, in every worker anew.
 *
 * Owns folders below `.cache/tests`, each named by what it was made from and made once, so that a run beside
 * another one, or a source that is changed meanwhile, takes nothing away from under it.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
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
import { build, type Plugin as Step, version } from 'esbuild';
import type { Plugin } from 'vite';

const FOLDER = '.cache/tests';
/** What the runner leaves to Node. */
export const PLAIN_SOURCE = /\/\.cache\/tests\/\w+\/src\//;
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Every file stays one of its own, and asks for the others by the names they have there. */
const apart: Step = {
  name: 'apart',
  setup(api) {
    api.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ kind, path }) =>
      kind === 'entry-point' ? null : { path: path.replace(/\.ts$/, '.mjs'), external: true },
    );
  },
};

/** @param root of the project. The folder that holds its `src`. */
async function makePlain(root: string, define: Record<string, string>): Promise<string> {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const all = join(root, FOLDER);
  const name = nameOf(files, define);
  const folder = join(all, name);
  if (existsSync(folder)) return folder;
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts')),
    outbase: root,
    outdir: join(root, FOLDER, 'x'),
    bundle: true,
    packages: 'external',
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    treeShaking: false,
    sourcemap: 'external',
    sourcesContent: false,
    outExtension: { '.js': '.mjs' },
    loader: { '.py': 'text' },
    define,
    plugins: [apart],
    logLevel: 'warning',
  });
  // One was changed while they were read.
  if (nameOf(files, define) !== name) return makePlain(root, define);
  const unfinished = `${folder}.${process.pid}`;
  for (const { path, contents } of outputFiles) {
    const file = join(unfinished, relative(join(all, 'x'), path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
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

/** What decides what is made of them. */
function nameOf(files: readonly string[], define: Record<string, string>): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([version, makePlain.toString(), define]));
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

function removeOld(all: string, newest: string): void {
  for (const name of readdirSync(all)) {
    const folder = join(all, name);
    if (folder !== newest && Date.now() - statSync(folder).mtimeMs > KEPT_MS)
      rmSync(folder, { recursive: true, force: true });
  }
}

/** Tests that import a file below `src/` get the plain one. */
export function plainSource(root: string, define: Record<string, string>): Plugin {
  const source = join(root, 'src') + sep;
  let made: Promise<string> | null = null;
  return {
    name: 'plain-source',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^\.{1,2}\/.*\.ts$/ },
      async handler(id, importer) {
        if (importer === undefined) return null;
        const file = resolve(dirname(importer), id);
        if (!file.startsWith(source)) return null;
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
  if (!PLAIN_SOURCE.test(frame.file) || !existsSync(`${frame.file}.map`)) return;
  const map = new SourceMap(JSON.parse(readFileSync(`${frame.file}.map`, 'utf8')));
  const written = map.findEntry(frame.line - 1, frame.column - 1);
  if (!('originalSource' in written)) return;
  frame.file = resolve(dirname(frame.file), written.originalSource);
  frame.line = written.originalLine + 1;
  frame.column = written.originalColumn + 1;
}
