/**
 * The sources as plain JavaScript, for a run of all tests: Node loads them by itself, where else each of a
 * thousand files goes through the test runner's own loader, in every worker anew.
 *
 * Owns folders below `.cache/tests`, each named by what is in it, so that a run beside another one, or a
 * source that is changed meanwhile, takes nothing away from under it.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { build, type Plugin as Step } from 'esbuild';
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
  const source = join(root, 'src');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => join(source, name)),
    outbase: root,
    outdir: join(root, FOLDER, 'x'),
    bundle: true,
    packages: 'external',
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    treeShaking: false,
    sourcemap: 'inline',
    sourcesContent: false,
    outExtension: { '.js': '.mjs' },
    loader: { '.py': 'text' },
    define,
    plugins: [apart],
    logLevel: 'warning',
  });
  const hash = createHash('sha256');
  for (const { path, contents } of outputFiles) hash.update(path).update(contents);
  const all = join(root, FOLDER);
  const folder = join(all, hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
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
