import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { downloadReporter } from '../../../src/host/providers/download-reporter.ts';
import { acquireLock } from '../../../src/journal/lock/lock.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { TardigradeError } from '../../../src/lib/errors.ts';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { systemIdentity } from '../../../src/lib/process-identity.ts';
import {
  type DownloadOptions,
  downloadedModel,
  downloadModel,
} from '../../../src/llm/embedded/download.ts';
import { type HubFile, modelPath, parseHubName } from '../../../src/llm/embedded/hub-file.ts';
import { ProviderError } from '../../../src/llm/provider.ts';
import { type FakeHub, startFakeHub } from './fake-hub.ts';

const MODEL = parseHubName('hf:some/repo/model-q4.gguf')!;
const ggufOf = (length: number, fill: number): Buffer =>
  Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(length - 4, fill)]);

let hub: FakeHub;
let dataFolder: string;
beforeEach(async () => {
  hub = await startFakeHub(ggufOf(300_000, 7));
  dataFolder = join(mkdtempSync(join(tmpdir(), 'tardigrade-download-')), 'data');
});
afterEach(async () => {
  await hub.close();
  rmSync(dirname(dataFolder), { recursive: true, force: true });
});

const identity = systemIdentity({
  platform: process.platform,
  clock: { now: () => 0 } as Clock,
  startTime: () => '1',
});

interface Download {
  readonly lines: string[];
  readonly pauses: number[];
  readonly abort: AbortController;
  readonly done: Promise<string>;
}

/** Pauses pass at once, silence never does. */
function download(more: Partial<DownloadOptions> = {}, token = ''): Download {
  const lines: string[] = [];
  const pauses: number[] = [];
  const abort = new AbortController();
  let now = 0;
  const done = downloadModel({
    hub: MODEL,
    dataFolder,
    access: { endpoint: hub.url, token },
    fs: nodeFileSystem,
    clock: {
      monotonic: () => now,
      sleep: async (ms, signal) => {
        if (ms === 60_000) return await new Promise(() => {});
        signal?.throwIfAborted();
        pauses.push(ms);
        now += ms;
      },
    },
    lock: (directory) =>
      acquireLock({ fs: nodeFileSystem, directory, identity, clock: { now: () => 0 } }),
    freeBytes: () => 1e12,
    signal: abort.signal,
    onProgress: downloadReporter(
      { report: ({ text }) => lines.push(text), everyMs: 0 },
      { monotonic: () => 0 },
    ),
    ...more,
  });
  done.catch(() => {});
  return { lines, pauses, abort, done };
}

const pathOf = (file: HubFile): string => modelPath(file, dataFolder, process.platform);
const contentOf = (file: HubFile): Buffer => readFileSync(pathOf(file));
const storageRanges = () =>
  hub.asked
    .filter(({ server, method }) => server === 'storage' && method === 'GET')
    .map(({ range }) => range);

async function errorOf(promise: Promise<unknown>): Promise<TardigradeError | ProviderError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof TardigradeError || error instanceof ProviderError) return error;
  throw new Error(`expected one of our errors, got ${String(error)}`);
}

/** Leaves a part behind as a killed process does. */
async function leavePart(bytes: number): Promise<void> {
  const first = download({
    onProgress: (progress) => {
      if (String(progress).includes('going on in')) first.abort.abort();
    },
  });
  hub.cuts.push(bytes);
  await errorOf(first.done);
  expect(readFileSync(`${pathOf(MODEL)}.part`).length).toBe(bytes);
}

describe('a download', () => {
  test('follows the redirect to the storage, checks the file and leaves nothing beside it', async () => {
    const { lines, done } = download();
    expect(await done).toBe(pathOf(MODEL));
    expect(contentOf(MODEL).equals(hub.content)).toBe(true);
    expect(readdirSync(dirname(pathOf(MODEL)))).toEqual(['model-q4.gguf']);
    expect(lines[0]).toBe('model-q4.gguf: 0 % of 1 MB');
    expect(lines.at(-1)).toBe('model-q4.gguf: checking its SHA-256');
    expect(downloadedModel(nodeFileSystem, dataFolder, MODEL)).toBe(pathOf(MODEL));
  });

  test('of a file that is there asks nobody', async () => {
    await download().done;
    hub.asked.length = 0;
    await download().done;
    expect(hub.asked).toEqual([]);
  });

  test('goes on by itself where a connection was cut', async () => {
    hub.cuts.push(100_000, 50_000);
    const { lines, done } = download();
    await done;
    expect(storageRanges()).toEqual([null, 'bytes=100000-', 'bytes=150000-']);
    expect(contentOf(MODEL).equals(hub.content)).toBe(true);
    expect(lines.filter((line) => line.includes('going on in 1 s'))).toHaveLength(2);
  });

  test('goes on where an earlier process stopped', async () => {
    await leavePart(120_000);
    await download().done;
    expect(storageRanges().at(-1)).toBe('bytes=120000-');
    expect(contentOf(MODEL).equals(hub.content)).toBe(true);
  });

  test('begins anew where the server does not know ranges', async () => {
    await leavePart(120_000);
    hub.ignoresRange = true;
    await download().done;
    expect(storageRanges().at(-1)).toBe('bytes=120000-');
    expect(contentOf(MODEL).equals(hub.content)).toBe(true);
  });

  test('never mixes two versions of a file', async () => {
    await leavePart(120_000);
    hub.content = ggufOf(300_000, 9);
    await download().done;
    expect(storageRanges().at(-1)).toBe(null);
    expect(contentOf(MODEL).equals(hub.content)).toBe(true);
  });

  test('whose early bytes have suffered throws them away and begins once more', async () => {
    await leavePart(120_000);
    writeFileSync(`${pathOf(MODEL)}.part`, Buffer.alloc(120_000));
    const { lines, done } = download();
    await done;
    expect(lines.some((line) => line.includes('once more from its start'))).toBe(true);
    expect(contentOf(MODEL).equals(hub.content)).toBe(true);
  });

  test('whose bytes are not the promised ones gives nothing to use', async () => {
    hub.etag = 'f'.repeat(64);
    const error = await errorOf(download().done);
    expect(error.message).toContain('its SHA-256 is another; it was thrown away');
    expect(readdirSync(dirname(pathOf(MODEL)))).toEqual([]);
  });

  test('from a mirror without an etag of its own is checked as far as possible', async () => {
    hub.namesNoEtag = true;
    const { lines, done } = download();
    await done;
    expect(lines.at(-1)).toContain('the server names no SHA-256');
    rmSync(pathOf(MODEL));
    hub.content = Buffer.from('<html>Please log in</html>');
    expect((await errorOf(download().done)).message).toContain('it is not a GGUF file');
  });

  test('finds a repository that was renamed', async () => {
    hub.isRenamed = true;
    await download().done;
    expect(contentOf(MODEL).equals(hub.content)).toBe(true);
  });

  test('ends where a mirror sends it to what is no address', async () => {
    hub.refusals.push({ status: 302, location: 'http://[' });
    const error = await errorOf(download().done);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error.message).toContain('is no address');
  });

  test('brings every part of a model that was split', async () => {
    const split = parseHubName('hf:some/repo/big-00001-of-00003.gguf')!;
    expect(await download({ hub: split }).done).toBe(pathOf(split));
    const names = ['big-00001-of-00003.gguf', 'big-00002-of-00003.gguf', 'big-00003-of-00003.gguf'];
    expect(readdirSync(dirname(pathOf(split))).sort()).toEqual(names);
    rmSync(pathOf({ ...split, file: names[1]! }));
    expect(downloadedModel(nodeFileSystem, dataFolder, split)).toBe(null);
  });

  test('of a split model ends with its first part, whichever was named', async () => {
    const named = parseHubName('hf:some/repo/big-00002-of-00002.gguf')!;
    const first = pathOf({ ...named, file: 'big-00001-of-00002.gguf' });
    expect(await download({ hub: named }).done).toBe(first);
    expect(downloadedModel(nodeFileSystem, dataFolder, named)).toBe(first);
  });

  test('takes a name of no parts for a file', async () => {
    const odd = parseHubName('hf:some/repo/big-00001-of-00000.gguf')!;
    expect(downloadedModel(nodeFileSystem, dataFolder, odd)).toBe(null);
    expect(await download({ hub: odd }).done).toBe(pathOf(odd));
    expect(contentOf(odd).equals(hub.content)).toBe(true);
  });

  test('says its token to the hub alone', async () => {
    await download({}, 'hf_secret').done;
    const said = hub.asked.map(({ server, authorization }) => [server, authorization]);
    expect(said).toEqual([
      ['hub', 'Bearer hf_secret'],
      ['storage', null],
    ]);
  });
});

describe('two at once', () => {
  test('download once, and both have the file', async () => {
    const clock = {
      monotonic: () => 0,
      sleep: async (ms: number) => {
        await new Promise((resolve) => (ms === 60_000 ? undefined : setImmediate(resolve)));
      },
    };
    const both = [download({ clock }), download({ clock })];
    await Promise.all(both.map(({ done }) => done));
    expect(storageRanges()).toHaveLength(1);
    expect(both.flatMap(({ lines }) => lines)).toContain(
      'another process is downloading model-q4.gguf: waiting for it',
    );
  });

  test.skipIf(process.platform === 'win32')(
    'the second takes over from one in another container, once nothing has moved',
    async () => {
      let now = 0;
      const clock = {
        monotonic: () => now,
        sleep: async (ms: number) => {
          if (ms === 60_000) return await new Promise<void>(() => {});
          now += ms;
        },
      };
      const folder = join(dataFolder, 'lock');
      mkdirSync(folder, { recursive: true });
      const lockAs =
        (self: typeof identity): DownloadOptions['lock'] =>
        (_directory, longestMs) =>
          acquireLock(
            { fs: nodeFileSystem, directory: folder, identity: self, clock: { now: () => now } },
            { longestMs },
          );
      const elsewhere = { ...identity, host: 'another', boot: 'another' };
      lockAs(elsewhere)(folder);
      expect(await download({ clock, lock: lockAs(identity) }).done).toBe(pathOf(MODEL));
      expect(now).toBeGreaterThan(10 * 60_000);
    },
  );

  test('the second does not wait for ever for one that is stuck', async () => {
    const lock = () => {
      throw new TardigradeError('E_LOCKED', 'taken', '');
    };
    const error = await errorOf(download({ lock }).done);
    expect(error).toMatchObject({ code: 'E_LOCKED' });
    expect(error.message).toContain('without a new byte');
  });
});

describe('what cannot be downloaded', () => {
  test.each([
    [{ status: 404, code: 'EntryNotFound' }, '', 'has no file model-q4.gguf', 'GGUF files'],
    [{ status: 401, code: 'RepoNotFound' }, '', 'knows no repository some/repo', 'needs HF_TOKEN'],
    [{ status: 401 }, 'hf_secret', 'knows no repository', 'HF_TOKEN is valid'],
    [{ status: 403, code: 'GatedRepo' }, '', 'accepted its terms', 'set HF_TOKEN'],
    [{ status: 403, code: 'GatedRepo' }, 'hf_secret', 'accepted its terms', 'account of HF_TOKEN'],
  ])('%j is said with what to do', async (refusal, token, message, hint) => {
    hub.refusals.push(refusal);
    const error = await errorOf(download({}, token).done);
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
    expect(`${error.message} ${error.hint}`).not.toContain('hf_secret');
  });

  test('a busy server is asked again, later when it says when', async () => {
    hub.refusals.push({ status: 503 }, { status: 429, retryAfter: '20' });
    const { pauses, done } = download();
    await done;
    expect(pauses).toEqual([1000, 20_000]);
  });

  test('a server that never recovers is given up', async () => {
    for (let index = 0; index < 20; index += 1) hub.refusals.push({ status: 500 });
    const error = await errorOf(download().done);
    expect(error.message).toContain('broke off too often');
    expect(hub.refusals).toHaveLength(12);
  });

  test('without a network one line says so, at once', async () => {
    const gone = await startFakeHub(Buffer.from('GGUF'));
    await gone.close();
    const { lines, done } = download({ access: { endpoint: gone.url, token: '' } });
    const error = await errorOf(done);
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)$/);
    expect(error.hint).toContain('HF_ENDPOINT');
    expect(lines).toEqual([]);
  });

  test('a disk without room is found before the first byte', async () => {
    const error = await errorOf(download({ freeBytes: () => 1_000_000 }).done);
    expect(error).toMatchObject({ code: 'E_DISK_FULL' });
    expect(error.message).toContain('68 MB are still to download');
    expect(storageRanges()).toEqual([]);
  });

  test('stopped by the user, it keeps what is there and says so', async () => {
    const stopping = download({
      onProgress: (progress) => {
        if (typeof progress !== 'string') stopping.abort.abort();
      },
    });
    const error = await errorOf(stopping.done);
    expect(error).toMatchObject({ status: { kind: 'aborted' } });
    expect(error.hint).toContain('is kept');
    expect(existsSync(`${pathOf(MODEL)}.part`)).toBe(true);
  });
});

describe('names', () => {
  test.each([
    ['hf:Qwen/Some-GGUF/q4.gguf', { owner: 'Qwen', repository: 'Some-GGUF', file: 'q4.gguf' }],
    ['hf:a/b/folder/x.GGUF', { owner: 'a', repository: 'b', file: 'folder/x.GGUF' }],
    ['hf:a/b', null],
    ['hf:a/b/c.bin', null],
    ['hf:a/../c.gguf', null],
    ['hf:a/b/../../c.gguf', null],
    ['hf:a/b/nul.gguf', null],
    ['hf:a/b/.gguf', null],
    ['hf:a\\b/c/d.gguf', null],
    ['qwen2.5-coder-9b', null],
  ])('%s is %j', (name, file) => {
    expect(parseHubName(name)).toEqual(file);
  });

  test('the short names are files of the repositories of Qwen', () => {
    expect(parseHubName('qwen2.5-coder-1.5b')).toEqual({
      owner: 'Qwen',
      repository: 'Qwen2.5-Coder-1.5B-Instruct-GGUF',
      file: 'qwen2.5-coder-1.5b-instruct-q4_k_m.gguf',
    });
  });
});
