/**
 * The entry of the single executable, a file with Node inside. It is built as CommonJS.
 *
 * 1. `--version` is answered before anything else is read.
 * 2. The program is one asset, together with the code that the same Node compiled from it. Assets that must be files
 *    are unpacked into one folder per build, and compared before use.
 * 3. Child processes of the program are this file with a first word of our own that no person would type.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import sea from 'node:sea';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import { sha256 } from '../../lib/sha256.ts';
import { VERSION } from '../../lib/version.ts';
import type { SingleProgram } from '../../run/machine.ts';
import type { startProgram } from '../start.ts';
import { compileCacheFolder } from './load-program.ts';

const OWN: SingleProgram = {
  file: process.execPath,
  evaluate: 'tardigrade:evaluate',
  engine: 'tardigrade:engine',
};
const ENGINE_FILE = 'embedded-child.cjs';
const argv = process.argv.slice(2);
const requireOther = createRequire(process.execPath);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') process.exitCode = 8;
  });
  process.stdout.write(`${VERSION}\n`);
} else if (argv[0] === OWN.evaluate) {
  // Like `node -e`: the next word is the code, and the rest are its arguments.
  process.argv = [process.execPath, ...argv.slice(2)];
  new Function('require', argv[1] ?? '')(requireOther);
} else if (argv[0] === OWN.engine) {
  const file = path.join(unpacked([ENGINE_FILE]), ENGINE_FILE);
  process.argv = [process.execPath, file, ...argv.slice(1)];
  requireOther(file);
} else {
  void run();
}

async function run(): Promise<void> {
  const folder = folderToRead();
  if (folder === null) {
    process.exitCode = 8;
    return;
  }
  const entry = pathToFileURL(path.join(folder, 'entry')).href;
  process.exitCode = await compiled().start(argv, VERSION, entry, () => {}, OWN);
}

/** The folder with the program's files, which only some commands read. `null` if it cannot be created. */
function folderToRead(): string | null {
  if (!['demo', 'serve', 'worker'].some((name) => argv.includes(name)))
    return path.dirname(process.execPath);
  try {
    return unpacked(sea.getAsset('files', 'utf8').split('\n'));
  } catch (error) {
    const { message } = error as Error;
    const next = 'Make room there, or make it writable';
    process.stderr.write(
      `Error: a file of the program cannot be unpacked: ${message}\n  Next: ${next}.\n`,
    );
    return null;
  }
}

function compiled(): { readonly start: typeof startProgram } {
  const cachedData = Buffer.from(sea.getRawAsset('program.compiled') as ArrayBuffer);
  const source = Buffer.from(sea.getRawAsset('program.cjs') as ArrayBuffer).toString('latin1');
  const script = new Script(source, {
    filename: 'tardigrade.cjs',
    ...(cachedData.length === 0 ? {} : { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return script.runInThisContext()(requireOther);
}

/** A folder that holds exactly these assets. */
function unpacked(names: readonly string[]): string {
  const { platform, env } = process;
  const caches = compileCacheFolder({ platform, env, home: homedir() });
  const build = sea.getAsset('build', 'utf8');
  const folder = path.join(path.dirname(caches ?? process.execPath), `single-${VERSION}-${build}`);
  for (const name of names) {
    const bytes = Buffer.from(sea.getRawAsset(name) as ArrayBuffer);
    const file = path.join(folder, name);
    if (sha256(bytes) !== sha256(readOrNothing(file))) replace(file, bytes);
  }
  return folder;
}

function readOrNothing(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    return new Uint8Array();
  }
}

function replace(file: string, bytes: Uint8Array): void {
  const temporary = `${file}.${process.pid}`;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(temporary, bytes, { mode: 0o600 });
  renameSync(temporary, file);
}
