/**
 * `agent setup embedded`: installs the engine into the user's data folder with npm.
 * 1. The marker `installed.json` exists only while a checked installation does.
 * 2. While it holds the lock it owns the engine's folder: nobody else marks what it has not checked.
 * 3. No install script runs; the binary package for this machine is named explicitly.
 */
import { pathToFileURL } from 'node:url';
import { misuse, type OptionAdvice, TardigradeError } from '../../lib/errors.ts';
import { join } from '../../lib/files/absolute-paths.ts';
import {
  ensureDirectory,
  fileKindAt,
  replaceFile,
  storageError,
  withStorageErrors,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { Processes, ProcessOutcome } from '../../processes/contract.ts';
import { installFailure } from './install-failure.ts';
import { ENGINE_PACKAGE, engineFolder, entryFile, MARKER } from './installed.ts';

/** Both packages must have the same version. */
export const ENGINE_VERSION = '3.22.1';
const INSTALL_TIMEOUT_MS = 20 * 60_000;
const CHECK_TIMEOUT_MS = 60_000;
/** No install takes this long. */
const LONGEST_MS = INSTALL_TIMEOUT_MS + 5 * CHECK_TIMEOUT_MS;

export interface InstallOptions {
  readonly dataFolder: string;
  /** How to start npm: its program, and the arguments before npm's own; `null`: no npm. */
  readonly npm: { readonly file: string; readonly prefix: readonly string[] } | null;
  readonly nodeExecutable: string;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly fs: FileSystem;
  readonly processes: Pick<Processes, 'run'>;
  /**
   * Takes the lock in this existing folder; throws E_LOCKED while another process holds it. From a process of another
   * machine or container, which cannot be examined, it is taken once that has had it for longer than `longestMs`.
   */
  lock(directory: string, longestMs: number): { release(): void };
  /** The whole environment of npm: PATH with Node on it, the home folder, proxy settings. */
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
  /** The command that leads here again. */
  readonly again: OptionAdvice;
  /** One line for a person, without a line end. */
  onProgress(line: string): void;
}

/** Installs and checks the engine; installing again repairs it. Throws `TardigradeError`. */
export async function installEmbedded(options: InstallOptions): Promise<void> {
  const { npm, platform } = options;
  const binary = binaryPackage(platform, options.arch);
  if (binary === null) {
    throw misuse(
      `there is no engine for ${platform} on ${options.arch}`,
      'use a model server instead, for example Ollama',
    );
  }
  if (npm === null) {
    throw misuse(
      'npm was not found; the engine is installed with it',
      'install Node.js with npm from https://nodejs.org, then try again',
      options.again,
    );
  }
  const folder = engineFolder(options.dataFolder, platform);
  const lock = lockOf(options, folder);
  try {
    await installInto(options, folder, npm, binary);
  } finally {
    lock.release();
  }
}

async function installInto(
  options: InstallOptions,
  folder: string,
  npm: NonNullable<InstallOptions['npm']>,
  binary: string,
): Promise<void> {
  const { fs, platform, onProgress } = options;
  const marker = join(folder, MARKER);
  prepareFolder(fs, folder, marker);

  onProgress(`installing ${ENGINE_PACKAGE} ${ENGINE_VERSION} (about 85 MB) into ${folder}`);
  const install = await run(options, folder, {
    file: npm.file,
    args: [...npm.prefix, ...npmArguments(folder, binary)],
    timeoutMs: INSTALL_TIMEOUT_MS,
    onOutput: fetchCounter(onProgress),
  });
  if (!isGood(install)) throw installFailure(install, folder, options.again);

  onProgress('checking that it loads');
  const script = join(folder, 'check.mjs');
  replaceFile(fs, script, Buffer.from(checkScript(entryFile(folder, platform), platform)));
  const check = await run(options, folder, {
    file: options.nodeExecutable,
    args: [script],
    timeoutMs: CHECK_TIMEOUT_MS,
    onOutput: () => {},
  });
  if (!isGood(check)) {
    throw new TardigradeError(
      'E_PROVIDER',
      `the engine was installed but does not load here: ${check.output.trim().slice(-600)}`,
      'use a model server instead, for example Ollama',
    );
  }
  const installed = `${JSON.stringify({ version: ENGINE_VERSION, binary })}\n`;
  replaceFile(fs, marker, Buffer.from(installed));
  onProgress('the embedded engine is ready: name a model as embedded:FILE.gguf');
}

function run(
  options: InstallOptions,
  folder: string,
  program: {
    readonly file: string;
    readonly args: readonly string[];
    readonly timeoutMs: number;
    onOutput(text: string): void;
  },
): Promise<ProcessOutcome> {
  const { file, args, timeoutMs, onOutput } = program;
  return options.processes.run(
    { file, args, cwd: folder, env: options.env, timeoutMs, maxOutputBytes: 64_000 },
    { signal: options.signal, onOutput },
  );
}

/** The package with the program for this machine; `null` if there is none. */
export function binaryPackage(platform: NodeJS.Platform, arch: string): string | null {
  const known: { readonly [machine: string]: string } = {
    'linux x64': 'linux-x64',
    'linux arm64': 'linux-arm64',
    'linux arm': 'linux-armv7l',
    'linux riscv64': 'linux-riscv64',
    'darwin arm64': 'mac-arm64-metal',
    'darwin x64': 'mac-x64',
    'win32 x64': 'win-x64',
    'win32 arm64': 'win-arm64',
  };
  const name = known[`${platform} ${arch}`];
  return name === undefined ? null : `@node-llama-cpp/${name}`;
}

const npmArguments = (folder: string, binary: string): readonly string[] => [
  'install',
  '--prefix',
  folder,
  '--omit=optional',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--save-exact',
  // npm's lines at this level are the progress that is shown.
  '--loglevel=http',
  `${ENGINE_PACKAGE}@${ENGINE_VERSION}`,
  `${binary}@${ENGINE_VERSION}`,
];

/**
 * Loads the native library, which an import alone does not. It is a file, because the engine first tries the library in
 * a fork, which would inherit `-e`.
 */
function checkScript(entry: string, platform: NodeJS.Platform): string {
  const url = pathToFileURL(entry, { windows: platform === 'win32' }).href;
  return `const engine = await import(${JSON.stringify(url)});
await engine.getLlama({ gpu: false, build: 'never', skipDownload: true, progressLogs: false });
process.exit(0);`;
}

/** Reports how many packages npm fetched, and each failed attempt: the next one may follow a minute later. */
function fetchCounter(onProgress: (line: string) => void): (text: string) => void {
  let fetched = 0;
  let attempts = 0;
  return (text) => {
    const before = Math.floor(fetched / 25);
    for (const [, attempt, code] of text.matchAll(FETCH)) {
      if (attempt === undefined) fetched += 1;
      else if (Number(attempt) > attempts) {
        attempts = Number(attempt);
        onProgress(`attempt ${attempt} to reach the registry failed (${code})`);
      }
    }
    if (Math.floor(fetched / 25) > before) onProgress(`${fetched} packages fetched`);
  };
}

const FETCH = /\bhttp fetch\b(?:.* attempt (\d+) failed with (\w+))?/g;

function lockOf({ fs, lock, again }: InstallOptions, folder: string): { release(): void } {
  try {
    ensureDirectory(fs, folder);
    return lock(folder, LONGEST_MS);
  } catch (error) {
    if (!(error instanceof TardigradeError) || error.code !== 'E_LOCKED')
      throw storageError(error, `preparing ${folder} for the engine`);
    throw new TardigradeError(
      'E_LOCKED',
      'another process is installing the engine',
      'wait for it; if the engine is still not there then, try again',
      { cause: error, ...again },
    );
  }
}

function prepareFolder(fs: FileSystem, folder: string, marker: string): void {
  withStorageErrors(`preparing ${folder} for the engine`, () => {
    if (fileKindAt(fs, marker) !== null) fs.unlink(marker);
    replaceFile(fs, join(folder, 'package.json'), Buffer.from('{ "private": true }\n'));
  });
}

const isGood = (outcome: ProcessOutcome): boolean =>
  outcome.kind === 'exited' && outcome.exitCode === 0;
