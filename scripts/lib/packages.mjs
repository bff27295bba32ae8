// How packages are bundled: what of them nobody here needs stays out.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { buildingLater, cloningLater } from './lazy-zod.mjs';

// We show zod's messages to nobody in 50 languages: they are half of its size.
export const englishOnly = {
  name: 'zod-english-only',
  setup(api) {
    api.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

// zod compiles a function for every schema that it meets. Most of ours check one value in a run,
// so that the compiling costs more than it saves.
export const interpreted = {
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
      return { contents: buildingLater(made.replaceAll('__zod_globalConfig', '__tardigrade_zod')) };
    });
    api.onLoad({ filter: /zod[\\/]v4[\\/]core[\\/]util\.js$/ }, ({ path }) => ({
      contents: cloningLater(readFileSync(path, 'utf8')),
    }));
  },
};

// commander can start programs, which nothing of ours asks of it: what starts them is loaded when it is asked.
export const startsNothing = {
  name: 'commander-starts-nothing',
  setup(api) {
    api.onLoad({ filter: /commander[\\/]lib[\\/]command\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const made = text
        .replace("const childProcess = require('node:child_process');\n", '')
        .replaceAll('childProcess.spawn(', "require('node:child_process').spawn(");
      if (made.includes('childProcess'))
        throw new Error('build: commander starts programs otherwise now');
      return { contents: made };
    });
  },
};

// A CommonJS package that is imported lazily would come as nothing but its `default`: the names
// that Node itself finds in it are spelled out.
export const lazyNames = {
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
