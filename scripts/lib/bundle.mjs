// One bundle of ours: its settings, and what is in it lazily.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { lazyModules } from './lazy-modules.mjs';
import { englishOnly, interpreted, lazyNames } from './packages.mjs';
import { programOf as filesOf } from './program.mjs';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
export const isProgram = (name) => name.startsWith('program/');
const root = fileURLToPath(new URL('../../', import.meta.url));
/** What the tools' arguments are as JSON Schema: a start would make it of them anew. */
const parameters = execFileSync(
  process.execPath,
  [join(root, 'scripts/run.mjs'), join(root, 'scripts/tool-parameters.ts')],
  { encoding: 'utf8' },
);
export const settings = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Identifiers stay as they are: stack traces in agent.log name our functions.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  legalComments: 'none',
  // What runs in another language is bundled as its text.
  loader: { '.py': 'text' },
  // Its other form asks for its parts at run time, in a way that no bundler sees.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  external: ['node-llama-cpp', '@temporalio/workflow'],
  // What packages would say on a terminal that is not theirs; nothing of ours says anything so.
  drop: ['console'],
  define: {
    TARDIGRADE_VERSION: JSON.stringify(version),
    TARDIGRADE_PARAMETERS: JSON.stringify(parameters),
  },
  logLevel: 'warning',
};
const formOf = (name) => {
  if (name === 'bin') return { format: 'cjs', splitting: false, outExtension: { '.js': '.cjs' } };
  if (isProgram(name)) return { format: 'cjs', splitting: false, outExtension: { '.js': '.cjs' } };
  if (name === 'client') return { splitting: false, platform: 'neutral' };
  if (name === 'server-client') return { splitting: false, outExtension: { '.js': '.mjs' } };
  if (name === 'index') return { chunkNames: 'chunks/[name]-[hash]' };
  return { banner: { js: BANNER } };
};
// CommonJS packages in the bundle call require() for Node's own modules.
export const BANNER =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

// What few starts need stands in a bundle of its own: what it shares with the program would else be
// cut out of that into files which every start has to find and open.
const APART = {
  '../../tools/mcp/connect.ts': 'mcp',
  '../../server/acp/wire.ts': 'acp',
  '../../server/mcp/wire.ts': 'mcp-server',
};
const apart = {
  name: 'apart',
  setup(api) {
    api.onResolve({ filter: /^(?:\.\.?\/)+[\w/-]+\.ts$/ }, ({ kind, path }) => {
      const name = kind === 'dynamic-import' ? APART[path] : undefined;
      return name === undefined ? null : { path: `./program/${name}.cjs`, external: true };
    });
  },
};

/** The library's second door, in one bundle with the first: what both use is shipped and evaluated once. */
export const COMPAT = 'src/compat.ts';

/** Texts by path below `dist`, and the files that went in. Each bundle by itself: what one shares with another would cut both into more files. */
export async function bundled(name, file) {
  const insidePackages = new Set();
  const doors = { [name]: file, ...(name === 'index' ? { compat: COMPAT } : {}) };
  const lazily = () =>
    lazyModules({
      entries: Object.values(doors),
      elsewhere: new Set(Object.keys(APART)),
      settings,
      inputs: insidePackages,
    });
  const { outputFiles, metafile } = await build({
    ...settings,
    plugins: [
      apart,
      ...(name === 'index' ? [lazily()] : []),
      ...[englishOnly, interpreted, lazyNames],
    ],
    entryPoints: doors,
    ...formOf(name),
  });
  const texts = outputFiles.map(({ path, text }) => [
    relative(settings.outdir, path).replaceAll('\\', '/'),
    text,
  ]);
  return { texts: new Map(texts), inputs: [...insidePackages, ...Object.keys(metafile.inputs)] };
}

/** Texts of the program by path below `dist`, and the files of packages that went in. @param entry of its first file */
export async function programOf(entry, firstOf) {
  const elsewhere = new Map(Object.entries(APART).map(([path, name]) => [path, `./${name}.cjs`]));
  const { texts, inputs } = await filesOf({
    entry,
    also: 'src/cli/dispatch.ts',
    elsewhere,
    settings,
    ...(firstOf === undefined ? {} : { firstOf }),
  });
  return {
    texts: new Map([...texts].map(([name, text]) => [`program/${name}`, text])),
    inputs: [...inputs],
  };
}
