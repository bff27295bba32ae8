// Builds dist/: bundles without runtime dependencies, its types, and the licences in it.
// Files are replaced one by one and only when they changed, so a running `agent` is not disturbed.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { asAscii } from './lib/ascii.mjs';
import { asCommonJs } from './lib/common-js.mjs';
import { inOneFile } from './lib/one-library.mjs';
import { together } from './lib/one-piece.mjs';
import { licenceText, packageFolders } from './lib/third-party.mjs';
import { declarations } from './lib/types.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const ENTRIES = {
  bin: 'src/bin.ts',
  // In a folder of its own: what `bin` loads, piece by piece.
  'program/start': 'src/cli/start.ts',
  index: 'src/index.ts',
  'embedded-child': 'src/llm/embedded/child.ts',
  'program/mcp': 'src/tools/mcp/connect.ts',
};
const SHEBANG = '#!/usr/bin/env node\n';

// We show zod's messages to nobody in 50 languages: they are half of its size.
const englishOnly = {
  name: 'zod-english-only',
  setup(api) {
    api.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

// zod compiles a function for every schema that it meets. Most of ours check one value in a run,
// so that the compiling costs more than it saves.
const interpreted = {
  name: 'zod-interpreted',
  setup(api) {
    api.onLoad({ filter: /zod[\\/]v4[\\/]core[\\/]core\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const made = text.replace(
        '__zod_globalConfig = {}',
        '__zod_globalConfig = { jitless: true }',
      );
      if (made === text) throw new Error('build: zod keeps its settings elsewhere now');
      // Not the settings that another copy of zod in the same process looks at.
      return { contents: made.replaceAll('__zod_globalConfig', '__tardigrade_zod') };
    });
  },
};

// A CommonJS package that is imported lazily would come as nothing but its `default`: the names
// that Node itself finds in it are spelled out.
const lazyNames = {
  name: 'lazy-names',
  setup(api) {
    api.onResolve({ filter: /^[\w@]/ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import' || isBuiltin(path)) return;
      if (path === 'node-llama-cpp') return;
      return { path, namespace: 'lazy-names', pluginData: { resolveDir } };
    });
    api.onLoad({ filter: /.*/, namespace: 'lazy-names' }, async ({ path, pluginData }) => {
      const { resolveDir } = pluginData;
      const names = Object.keys(await import(path)).filter((name) => /^[a-z]\w*$/i.test(name));
      return {
        contents: `export { ${names.join(', ')} } from ${JSON.stringify(path)};`,
        resolveDir,
      };
    });
  },
};

// What few starts need stands in a bundle of its own: what it shares with the program would else be
// cut out of that into files which every start has to find and open.
const APART = {
  '../../tools/mcp/connect.ts': 'mcp',
};
/** Pieces of the program find each other by their names as esbuild writes them. */
const apart = (entry) => ({
  name: 'apart',
  setup(api) {
    api.onResolve({ filter: /^(?:\.\.?\/)+[\w/-]+\.ts$/ }, ({ kind, path }) => {
      const name = kind === 'dynamic-import' ? APART[path] : undefined;
      if (name === undefined) return null;
      return { path: isProgram(entry) ? `./${name}.js` : `./program/${name}.cjs`, external: true };
    });
  },
});

process.chdir(root);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.entries(ENTRIES).filter(([name, file]) => {
  if (existsSync(file)) return true;
  console.error(`build: ${file} is not there, so dist/${name} is not built`);
  return false;
});

const isProgram = (name) => name.startsWith('program/');
const settings = {
  outdir: dist,
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
  external: ['node-llama-cpp'],
  // What packages would say on a terminal that is not theirs; nothing of ours says anything so.
  drop: ['console'],
  define: { TARDIGRADE_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};
const formOf = (name) => {
  if (name === 'bin') return { format: 'cjs', splitting: false, outExtension: { '.js': '.cjs' } };
  if (isProgram(name)) return { chunkNames: 'program/[name]-[hash]' };
  if (name === 'index') return { chunkNames: 'chunks/[name]-[hash]' };
  return { banner: { js: BANNER } };
};
// CommonJS packages in the bundle call require() for Node's own modules.
const BANNER =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

// Each by itself: what one of them shares with another would cut both into more files.
const bundles = await Promise.all(
  entries.map(([name, file]) =>
    build({
      ...settings,
      plugins: [englishOnly, interpreted, lazyNames, apart(name)],
      entryPoints: { [name]: file },
      ...formOf(name),
    }),
  ),
);

const files = new Map();
const pieces = new Map();
const library = new Map();
for (const output of bundles.flatMap(({ outputFiles }) => outputFiles)) {
  const path = relative(dist, output.path).replaceAll('\\', '/');
  const needsShebang = path === 'bin.cjs' && !output.text.startsWith('#!');
  if (isProgram(path)) pieces.set(`./${basename(path, '.js')}.cjs`, asCommonJs(path, output.text));
  else if (path === 'index.js' || path.startsWith('chunks/')) library.set(path, output.text);
  else files.set(path, needsShebang ? SHEBANG + output.text : output.text);
}
for (const [id, text] of together(pieces, './start.cjs', /^\.\/dispatch-/)) {
  files.set(`program/${basename(id)}`, text);
}
for (const [path, text] of await inOneFile(library, { ...settings, outdir: undefined })) {
  files.set(path, path === 'index.js' ? text : `${BANNER}\n${text}`);
}
// What the entry was called once: scripts and links of people name it.
files.set('bin.js', `${SHEBANG}import './bin.cjs';\n`);
// What `agent demo` plays back lies beside the program.
const recordings = readdirSync('src/cli/demo').filter((name) => name.endsWith('.json'));
for (const name of recordings) {
  files.set(`demo/${name}`, readFileSync(join('src/cli/demo', name), 'utf8'));
}
// What editors read of a settings file.
files.set('config.schema.json', readFileSync('src/host/config/config.schema.json', 'utf8'));
// What readers of `--json` in other languages read of its events.
files.set('events.schema.json', readFileSync('src/schema/events.schema.json', 'utf8'));
const inputs = bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs));
files.set('LICENSES.txt', licenceText(packageFolders(inputs)));
if (existsSync(ENTRIES.index)) {
  for (const [path, text] of declarations(root, ENTRIES.index)) files.set(`types/${path}`, text);
  files.set('index.d.ts', "export * from './types/index.js';\n");
}

for (const [path, text] of files) {
  replaceFile(join(dist, path), /\.c?js$/.test(path) ? asAscii(path, text) : text);
}
for (const name of ['bin.cjs', 'bin.js']) chmodSync(join(dist, name), 0o755);
// When it was built, also where nothing of it changed: who finds sources newer than that builds again.
utimesSync(join(dist, 'bin.cjs'), new Date(), new Date());
removeStale(dist);

function replaceFile(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}`);
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

/** Files of an earlier build; those of a build beside this one begin with a dot. */
function removeStale(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeStale(path);
    else if (
      !entry.name.startsWith('.') &&
      !files.has(relative(dist, path).replaceAll('\\', '/'))
    ) {
      rmSync(path, { force: true });
    }
  }
}
