/**
 * A copy of the build for the agents that tests start, so that a build beside them takes nothing away from under one.
 *
 * Owns folders below `.cache/built`, each named by what is in it: all tests of one build share one.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';

const FOLDER = '.cache/built';
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The program in it. Throws where nothing is built. */
export function copiedProgram(): string {
  const dist = resolve('dist');
  if (!existsSync(join(dist, 'bin.cjs'))) throw new Error('dist/ is not built: npm run build');
  const all = resolve(FOLDER);
  const folder = join(all, nameOf(dist));
  if (!existsSync(folder)) copy(dist, folder);
  return join(folder, 'dist', 'bin.cjs');
}

/** Names, sizes and times: a build writes every file anew. */
function nameOf(dist: string): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(dist, { recursive: true, encoding: 'utf8' }).sort()) {
    const { mtimeMs, size } = statSync(join(dist, entry));
    hash.update(JSON.stringify([entry, mtimeMs, size]));
  }
  return hash.digest('hex').slice(0, 16);
}

function copy(dist: string, folder: string): void {
  const unfinished = `${folder}.${process.pid}`;
  cpSync(dist, join(unfinished, 'dist'), {
    recursive: true,
    filter: (path) => !/^\.|^types$/.test(basename(path)),
  });
  writeFileSync(join(unfinished, 'package.json'), '{"type":"module"}');
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process was first.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  const all = resolve(FOLDER);
  for (const name of readdirSync(all)) {
    const other = join(all, name);
    const { mtimeMs } = statSync(other, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
    if (other !== folder && Date.now() - mtimeMs > KEPT_MS)
      rmSync(other, { recursive: true, force: true });
  }
}
