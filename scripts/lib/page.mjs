// The page of `agent serve`: one script, one style, and the document that names both.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'src/page';

/** Texts by path below `dist`, and the files that went in. @param root absolute */
export async function page(root) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { page: join(FOLDER, 'main.tsx'), style: join(FOLDER, 'page.css') },
    outdir: 'dist/page',
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'ascii',
    logLevel: 'warning',
  });
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text;
  const texts = new Map([
    ['page/index.html', readFileSync(join(root, FOLDER, 'index.html'), 'utf8')],
    ['page/page.js', textOf('.js')],
    ['page/page.css', textOf('.css')],
  ]);
  return { texts, inputs: Object.keys(metafile.inputs) };
}
