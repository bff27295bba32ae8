import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireLock } from '../../../src/journal/lock/lock.ts';
import { TardigradeError } from '../../../src/lib/errors.ts';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import {
  binaryPackage,
  type InstallOptions,
  installEmbedded,
} from '../../../src/llm/embedded/install.ts';
import {
  engineFolder,
  entryFile,
  isEmbeddedInstalled,
  userDataFolder,
} from '../../../src/llm/embedded/installed.ts';
import type { ProcessOutcome, ProcessRequest } from '../../../src/processes/contract.ts';

let dataFolder: string;
beforeEach(() => {
  dataFolder = join(mkdtempSync(join(tmpdir(), 'tardigrade-setup-')), 'data');
});
afterEach(() => rmSync(dirname(dataFolder), { recursive: true, force: true }));

const outcome = (exitCode: number, output = ''): ProcessOutcome => ({
  kind: 'exited',
  exitCode,
  signal: null,
  output,
  truncatedBytes: 0,
  durationMs: 1,
});

const AGAIN = { command: ['setup', 'embedded'], option: 'model', optionValue: 'small' } as const;

/** npm and node as they answer here: the first call installs, the second checks. */
function install(
  answers: readonly Partial<ProcessOutcome>[],
  more: Partial<InstallOptions> = {},
): { requests: ProcessRequest[]; lines: string[]; done: Promise<void> } {
  const requests: ProcessRequest[] = [];
  const lines: string[] = [];
  const done = installEmbedded({
    dataFolder,
    npm: { file: '/bin/npm', prefix: [] },
    nodeExecutable: process.execPath,
    platform: process.platform,
    arch: 'x64',
    fs: nodeFileSystem,
    env: { PATH: '/bin' },
    signal: new AbortController().signal,
    lock: () => ({ release: () => {} }),
    again: AGAIN,
    onProgress: (line) => lines.push(line),
    processes: {
      run: async (request, hooks) => {
        const answer = { ...outcome(0), ...answers[requests.length] };
        requests.push(request);
        hooks.onOutput('npm http fetch GET 200 x\n'.repeat(60));
        for (const attempt of [1, 1, 2])
          hooks.onOutput(
            `npm http fetch GET http://x/y attempt ${attempt} failed with ECONNRESET\n`,
          );
        if (requests.length === 1 && answer.exitCode === 0) {
          const entry = entryFile(engineFolder(dataFolder, process.platform), process.platform);
          mkdirSync(dirname(entry), { recursive: true });
          writeFileSync(entry, '');
        }
        return answer;
      },
    },
    ...more,
  });
  return { requests, lines, done };
}

const errorOf = async (promise: Promise<void>): Promise<TardigradeError> => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TardigradeError);
  return error as TardigradeError;
};

test('two at once: the second touches nothing, and the first marks what it has checked', async () => {
  let holders = 0;
  const lock = () => {
    if (holders > 0) throw new TardigradeError('E_LOCKED', 'Another agent works here.', '');
    holders += 1;
    const release = () => {
      holders -= 1;
    };
    return { release };
  };
  const first = install([{}, {}], { lock });
  const second = install([{}, {}], { lock });
  expect(await errorOf(second.done)).toMatchObject({ code: 'E_LOCKED', command: AGAIN.command });
  expect(second.requests).toEqual([]);
  await first.done;
  expect(isEmbeddedInstalled(nodeFileSystem, dataFolder)).toBe(true);
  await install([{}, {}], { lock }).done;
});

test.skipIf(process.platform === 'win32')(
  'an install that was killed in another container does not block this one for ever',
  async () => {
    let now = 0;
    const lockOn =
      (host: string): InstallOptions['lock'] =>
      (directory, longestMs) => {
        const identity = { host, boot: host, pidNamespace: '', pid: 1, startTimeOf: () => 'a' };
        const ports = { fs: nodeFileSystem, directory, identity, clock: { now: () => now } };
        return acquireLock(ports, { longestMs });
      };
    const killed = install([{}, {}], {
      lock: (...asked) => ({ ...lockOn('one')(...asked), release: () => {} }),
    });
    await killed.done;
    const lock = lockOn('two');
    expect(await errorOf(install([{}, {}], { lock }).done)).toMatchObject({ code: 'E_LOCKED' });
    now = 30 * 60_000;
    await install([{}, {}], { lock }).done;
  },
);

test('only the engine and the one binary for this machine are fetched, and no script runs', async () => {
  const { requests, lines, done } = install([{}, {}]);
  await done;
  expect(requests[0]!.args).toEqual(
    expect.arrayContaining(['--omit=optional', '--ignore-scripts', 'node-llama-cpp@3.22.1']),
  );
  expect(requests[0]!.args.at(-1)).toBe(`${binaryPackage(process.platform, 'x64')}@3.22.1`);
  expect(readFileSync(requests[1]!.args[0]!, 'utf8')).toContain('getLlama');
  expect(lines).toContain('60 packages fetched');
  expect(lines.filter((line) => line.includes('ECONNRESET'))).toEqual([
    'attempt 1 to reach the registry failed (ECONNRESET)',
    'attempt 2 to reach the registry failed (ECONNRESET)',
  ]);
  expect(isEmbeddedInstalled(nodeFileSystem, dataFolder)).toBe(true);
});

test('on Windows npm is a script for node', async () => {
  const npm = { file: 'C:\\node\\node.exe', prefix: ['C:\\node\\npm-cli.js'] };
  const { requests, done } = install([{}, {}], { npm });
  await done;
  expect([requests[0]!.file, requests[0]!.args[0], requests[0]!.args[1]]).toEqual([
    'C:\\node\\node.exe',
    'C:\\node\\npm-cli.js',
    'install',
  ]);
});

test.each([
  ['npm error code ENOTFOUND\nnpm error network', 'E_PROVIDER', 'cannot reach its registry'],
  ['npm error code SELF_SIGNED_CERT_IN_CHAIN', 'E_PROVIDER', 'certificate'],
  ['npm ERR! code ENOSPC', 'E_DISK_FULL', 'is full'],
  ['npm error code EACCES', 'E_IO', 'may not write'],
  ['npm error code E404\nnpm error 404 no such package', 'E_PROVIDER', '404 no such package'],
])(
  'npm failing with %j is a clear error and leaves no half installation',
  async (output, code, text) => {
    const error = await errorOf(install([{ exitCode: 1, output }]).done);
    expect(error).toMatchObject({ code });
    expect(error.message).toContain(text);
    // A model that was asked for is asked for again.
    expect(error).toMatchObject(AGAIN);
    expect(isEmbeddedInstalled(nodeFileSystem, dataFolder)).toBe(false);
  },
);

test('an engine that does not load here is not called installed, also when one was before', async () => {
  await install([{}, {}]).done;
  const error = await errorOf(install([{}, { exitCode: 1, output: 'GLIBC_2.32 not found' }]).done);
  expect(error.message).toContain('GLIBC_2.32');
  expect(isEmbeddedInstalled(nodeFileSystem, dataFolder)).toBe(false);
});

test('without npm, and on a machine without a binary, nothing is touched', async () => {
  expect((await errorOf(install([], { npm: null }).done)).hint).toContain('nodejs.org');
  expect((await errorOf(install([], { arch: 's390x' }).done)).message).toContain('s390x');
  expect(existsSync(dataFolder)).toBe(false);
});

test.each([
  [{ LOCALAPPDATA: 'C:\\L' }, 'win32', 'C:\\Users\\u', 'C:\\L\\tardigrade-agent'],
  [{}, 'win32', 'C:\\Users\\u', 'C:\\Users\\u\\AppData\\Local\\tardigrade-agent'],
  [{ XDG_DATA_HOME: '/x' }, 'linux', '/home/u', '/x/tardigrade-agent'],
  [{ XDG_DATA_HOME: 'relative' }, 'linux', '/home/u', '/home/u/.local/share/tardigrade-agent'],
  [{}, 'darwin', '/Users/u', '/Users/u/Library/Application Support/tardigrade-agent'],
] as const)('with %j on %s the data folder of %s is %s', (env, platform, home, expected) => {
  expect(userDataFolder(env, platform, home)).toBe(expected);
});
