// Each of our modules in a bundle is evaluated when something of it is first used: a start uses a part of them, and
// the others cost neither their evaluation nor their compiling.
//
// 1. A module becomes CommonJS in which `a.x`, where `a` is imported, asks for `a` there and then. Ours import each
//    other in no circle, and do nothing but define while they are evaluated.
// 2. A package is one such module, bundled with the names alone that ours use of it.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { build, transformSync } from 'esbuild';
import { englishOnly, interpreted, startsNothing } from './packages.mjs';

const PACKAGES = [englishOnly, interpreted, startsNothing];

/** What esbuild puts before the code of a module. */
const HELPER = /^var __\w+ = [\s\S]*?;\n(?![\s}])/gm;
const EXPORTS =
  /^var \w+_exports = \{\};\n__export\(\w+, \{\n([\s\S]*?)\n\}\);\nmodule\.exports = __toCommonJS\(\w+\);\n/m;
const EXPORT = /^ {2}(\w+): \(\) => ([\w.]+),?$/gm;
const IMPORT = /^var (\w+) = (?:__toESM\()?require\("([^"]+)"\)\)?;\n/gm;
const UNKNOWN = /\b(?:import_\w+|__(?:export|reExport|toESM|toCommonJS))\b/;

function asCommonJs(path) {
  const { code } = transformSync(readFileSync(path, 'utf8'), {
    ...{ loader: 'ts', format: 'cjs', platform: 'node', target: 'node20' },
    // Who asks for it is not made lazy.
    define: { 'import.meta': 'undefined' },
    logLevel: 'warning',
  });
  return code.replaceAll(HELPER, '');
}

function exportsOf(code) {
  const [, list = ''] = EXPORTS.exec(code) ?? [];
  return [...list.matchAll(EXPORT)].map(([, name, value]) => ({ name, value }));
}

const known = new Map();
const lazyModule = (path) => {
  const file = resolve(path);
  if (!known.has(file)) known.set(file, lazyText(file));
  return known.get(file);
};

/** Throws where it cannot be said so. */
export function lazyText(path) {
  const code = asCommonJs(path);
  let text = code.replace(EXPORTS, '').replaceAll(IMPORT, '');
  const head = [];
  for (const { name, value } of exportsOf(code)) {
    // What stands in another module is asked for when somebody asks for it here.
    if (value.includes('.'))
      text += `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => ${value} });\n`;
    else text += `exports.${name} = ${value};\n`;
  }
  for (const [, name, specifier] of code.matchAll(IMPORT)) {
    const asked = `require(${JSON.stringify(specifier)})`;
    if (!name.startsWith('import_')) {
      // All of a package under one name.
      head.push(`const ${name} = ${asked};`);
      continue;
    }
    const kept = `$${head.length}`;
    head.push(`let ${kept};`);
    // Of CommonJS, and of a text, the default is the module itself.
    const isDefault = isBuiltin(specifier) || !/\.ts$|^[\w@]/.test(specifier);
    const used = new RegExp(
      `\\b${name}${isDefault ? '(?:\\.default\\b|(?=\\.))' : '(?=\\.)'}`,
      'g',
    );
    text = text.replaceAll(used, () => `(${kept} ??= ${asked})`);
  }
  const unknown = UNKNOWN.exec(text);
  if (unknown !== null) throw new Error(`build: ${path}: ${unknown[0]} cannot be made lazy`);
  return [...head, text].join('\n');
}

/** What stands in the place of zod, which it loads when it is needed; only it sees the package. */
export const ZOD_LATER = resolve('src/lib/schemas/later.ts');
export const isZod = (name, importer) =>
  name === 'zod' && dirname(resolve(importer)) !== dirname(ZOD_LATER);

/** Texts of the module at `path` and of all that it leads to, but for what is `elsewhere` as it is written. */
function reached(path, elsewhere, found = new Map()) {
  if (found.has(path)) return found;
  const text = lazyModule(path);
  found.set(path, text);
  for (const [, other] of text.matchAll(/\b(?:require|import)\("(\.[^"]+\.ts)"\)/g)) {
    if (!elsewhere.has(other)) reached(resolve(dirname(path), other), elsewhere, found);
  }
  return found;
}

/** Which names of the package `name` are used in `texts`; all of a package that is only taken as a whole. */
async function usedOf(name, texts) {
  const given = new Set(Object.keys(await import(name)));
  const asked = `require\\("${name}"\\)`;
  let isTaken = false;
  const used = texts.flatMap((text) => {
    const [, whole] = new RegExp(`^const (\\w+) = ${asked};$`, 'm').exec(text) ?? [];
    isTaken ||= whole !== undefined;
    const uses = whole === undefined ? `${asked}\\)\\.(\\w+)` : `\\b${whole}\\.(\\w+)`;
    return [...text.matchAll(new RegExp(uses, 'g'))].map(([, one]) => one);
  });
  const names = [...new Set(used)].filter((one) => given.has(one));
  return (names.length === 0 && isTaken ? [...given] : names).sort();
}

/** A package as one module, with the names alone that `texts` use of it; `null`: with all that it has. */
export async function packageText(name, texts, settings, inputs) {
  const isName = (key) => /^[a-z]\w*$/i.test(key) && key !== 'default';
  const names =
    texts === null ? Object.keys(await import(name)).filter(isName) : await usedOf(name, texts);
  if (name === 'zod') checkStandIn(names);
  const { outputFiles, metafile } = await build({
    ...settings,
    ...{ format: 'cjs', splitting: false, outdir: undefined, plugins: PACKAGES },
    stdin: { contents: reExported(names, name), resolveDir: resolve('.') },
  });
  for (const input of Object.keys(metafile.inputs)) inputs.add(input);
  return outputFiles[0].text;
}

function checkStandIn(used) {
  const given = new Set(exportsOf(asCommonJs(ZOD_LATER)).map(({ name }) => name));
  const missing = used.filter((name) => !given.has(name));
  if (missing.length > 0) throw new Error(`build: ${ZOD_LATER} has no ${missing.join(', ')}`);
}

const reExported = (names, path) =>
  names.length === 0
    ? `import ${JSON.stringify(path)};`
    : `export { ${names.join(', ')} } from ${JSON.stringify(path)};`;

/**
 * @param entries where the bundle begins
 * @param elsewhere modules, as an import writes them, that are in no part of it
 * @param settings how packages are bundled
 * @param inputs is given each file of a package that is taken in
 */
export function lazyModules({ entries, elsewhere, settings, inputs }) {
  const found = new Map();
  for (const entry of entries) reached(resolve(entry), elsewhere, found);
  const texts = [...reached(ZOD_LATER, elsewhere, found).values()];
  const made = new Map();
  return {
    name: 'lazy-modules',
    setup(api) {
      api.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        const isApart = kind === 'entry-point' || kind === 'dynamic-import';
        const file = relative('.', resolve(resolveDir, path)).replaceAll('\\', '/');
        return { path: file, namespace: isApart ? 'apart' : 'ours' };
      });
      // The bundler knows no names of what is CommonJS.
      api.onLoad({ filter: /.*/, namespace: 'apart' }, ({ path }) => ({
        contents: reExported(
          exportsOf(asCommonJs(path)).map(({ name }) => name),
          resolve(path),
        ),
        resolveDir: dirname(resolve(path)),
      }));
      api.onLoad({ filter: /.*/, namespace: 'ours' }, ({ path }) => {
        const contents = readFileSync(path, 'utf8');
        const resolveDir = dirname(resolve(path));
        // Only an ES module has an address.
        if (contents.includes('import.meta')) return { contents, loader: 'ts', resolveDir };
        return { contents: lazyModule(path), resolveDir };
      });
      api.onResolve({ filter: /^[\w@]/ }, ({ kind, path, resolveDir, namespace, importer }) => {
        if (kind !== 'require-call' || isBuiltin(path) || namespace !== 'ours') return null;
        if (isZod(path, importer)) return { path: relative('.', ZOD_LATER), namespace: 'ours' };
        return { path, namespace: 'package', pluginData: { resolveDir } };
      });
      api.onLoad({ filter: /.*/, namespace: 'package' }, async ({ path, pluginData }) => {
        if (!made.has(path)) made.set(path, packageText(path, texts, settings, inputs));
        return { contents: await made.get(path), ...pluginData };
      });
    },
  };
}
