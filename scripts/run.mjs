// node scripts/run.mjs FILE.ts args…: bundles a TypeScript file (packages stay outside) and runs it
// in this very process, so that stdio, signals and the exit code are its own.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [script, ...args] = process.argv.slice(2);
if (!script || !existsSync(script)) {
  console.error(
    script ? `run: no such file: ${script}` : 'usage: node scripts/run.mjs FILE.ts [args…]',
  );
  process.exit(2);
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { outputFiles } = buildSync({
  entryPoints: [resolve(script)],
  outdir: join(root, 'node_modules/.cache/tardigrade'),
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
  loader: { '.py': 'text' },
  define: { TARDIGRADE_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
});
const code = outputFiles[0].text;
const hash = createHash('sha256').update(code).digest('hex').slice(0, 12);
const bundled = join(
  root,
  'node_modules/.cache/tardigrade',
  `${basename(script, '.ts')}-${hash}.mjs`,
);
if (!existsSync(bundled)) {
  mkdirSync(dirname(bundled), { recursive: true });
  writeFileSync(`${bundled}.${process.pid}`, code);
  renameSync(`${bundled}.${process.pid}`, bundled);
}

process.setSourceMapsEnabled(true);
process.argv = [process.execPath, bundled, ...args];
await import(pathToFileURL(bundled).href);
