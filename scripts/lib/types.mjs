// Type declarations of the public entries. The package has no dependencies, so the declarations of a
// bundled package that ours mention are copied beside them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, resolve } from 'node:path';

const require = createRequire(import.meta.url);
const SPECIFIER = /((?:\bfrom|\bimport)\s*\(?\s*)(['"])([^'"\n]+)\2/g;
const slashes = (path) => path.replaceAll('\\', '/');

/** Runs tsc over `entries`; returns declaration texts by path, relative to `src`. */
function emitDeclarations(root, entries) {
  const folder = mkdtempSync(join(tmpdir(), 'tardigrade-types-'));
  try {
    const project = join(folder, 'tsconfig.json');
    writeFileSync(
      project,
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: {
          noEmit: false,
          declaration: true,
          emitDeclarationOnly: true,
          noCheck: true,
          rootDir: join(root, 'src'),
          outDir: join(folder, 'out'),
          typeRoots: [join(root, 'node_modules/@types')],
        },
        include: [],
        files: entries.map((entry) => join(root, entry)),
      }),
    );
    const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', project], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const out = join(folder, 'out');
    const names = readdirSync(out, { recursive: true }).filter((name) => name.endsWith('.d.ts'));
    return new Map(names.map((name) => [slashes(name), readFileSync(join(out, name), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** File of the declarations that `specifier` names, seen from `file` or from the project. */
function declarationFile(root, specifier) {
  const [scopeOrName, second] = specifier.split('/');
  const name = specifier.startsWith('@') ? `${scopeOrName}/${second}` : scopeOrName;
  const folder = join(root, 'node_modules', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const inside = `.${specifier.slice(name.length)}`;
  const entry = manifest.exports?.[inside]?.import ?? manifest.exports?.[inside];
  const types =
    entry?.types ??
    (typeof entry === 'string' ? entry.replace(/\.m?js$/, '.d.ts') : manifest.types);
  if (!types) throw new Error(`no type declarations found for ${specifier}`);
  const file = types.endsWith('.ts') ? types : `${types}.d.ts`;
  return { name, file: join(folder, file), folder };
}

/** Copies a package's declaration file, and what it imports, to `vendor/<name>/…`. */
function copyVendored(files, folder, name, file) {
  const target = posix.join('vendor', name, slashes(relative(folder, file)));
  if (files.has(target)) return target;
  const text = readFileSync(file, 'utf8');
  files.set(target, text);
  for (const [, , , specifier] of text.matchAll(SPECIFIER)) {
    if (!specifier.startsWith('.')) continue;
    const named = specifier.replace(/\.(m|c)?js$/, '.d.$1ts');
    const next = resolve(dirname(file), /\.[mc]?ts$/.test(named) ? named : `${named}.d.ts`);
    copyVendored(files, folder, name, next);
  }
  return target;
}

/** Without what no declaration leads to from an entry: only the program's inside names it. */
function reachable(all, entries) {
  const found = new Map();
  const add = (path) => {
    const text = all.get(path);
    if (text === undefined || found.has(path)) return;
    found.set(path, text);
    for (const [, , , specifier] of text.matchAll(SPECIFIER)) {
      if (!specifier.startsWith('.')) continue;
      const target = posix.join(posix.dirname(path), specifier);
      add(target.replace(/(?<!\.d)\.ts$/, '.d.ts'));
    }
  };
  for (const entry of entries) add(entry.replace(/^src\/(.*)\.ts$/, '$1.d.ts'));
  return found;
}

/** Declaration texts by path below `dist/types`, complete in themselves. */
export function declarations(root, entries) {
  const own = reachable(emitDeclarations(root, entries), entries);
  const files = new Map();
  for (const [path, text] of own) {
    const rewritten = text.replaceAll(SPECIFIER, (whole, before, quote, specifier) => {
      if (specifier.startsWith('node:')) return whole;
      if (specifier.startsWith('.')) {
        return `${before}${quote}${specifier.replace(/(?<!\.d)\.ts$/, '.js')}${quote}`;
      }
      const { name, file, folder } = declarationFile(root, specifier);
      const target = copyVendored(files, folder, name, file);
      const from = posix.relative(posix.dirname(path), target).replace(/\.d\.(m|c)?ts$/, '.$1js');
      return `${before}${quote}${from.startsWith('.') ? from : `./${from}`}${quote}`;
    });
    files.set(path, rewritten);
  }
  return files;
}
