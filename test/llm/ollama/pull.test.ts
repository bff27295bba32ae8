// Downloads from a fake server, which keeps what it has as a real one does.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DownloadProgress } from '../../../src/llm/models/download-progress.ts';
import { pullModel } from '../../../src/llm/ollama/pull.ts';
import { ProviderError } from '../../../src/llm/provider.ts';
import {
  type FakeOllama,
  type FakeOllamaOptions,
  startFakeOllama,
} from '../../support/fake-ollama.ts';
import { InstantClock } from '../support.ts';

const MODEL = 'qwen2.5-coder:0.5b';
const SIZE = 400_000_000;

const open: FakeOllama[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const server of open.splice(0)) await server.close();
});

async function serve(options: FakeOllamaOptions = {}): Promise<FakeOllama> {
  const server = await startFakeOllama({ library: { [MODEL]: SIZE }, ...options });
  open.push(server);
  return server;
}

function pull(host: string, model = MODEL, signal = new AbortController().signal) {
  const heard: DownloadProgress[] = [];
  const clock = new InstantClock();
  let onHeard = (_: DownloadProgress): void => undefined;
  const done = pullModel({
    host,
    model,
    signal,
    clock,
    onProgress: (progress) => {
      heard.push(progress);
      onHeard(progress);
    },
  });
  const on = (listener: (progress: DownloadProgress) => void): void => {
    onHeard = listener;
  };
  return { heard, clock, done, on };
}

const failure = (done: Promise<void>): Promise<ProviderError> =>
  done.then(
    () => expect.unreachable('the download succeeded'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ProviderError);
      return error as ProviderError;
    },
  );

const percents = (heard: readonly DownloadProgress[]): number[] =>
  heard.flatMap((one) =>
    typeof one === 'string' ? [] : [Math.round((100 * one.done) / one.total)],
  );

describe('a download', () => {
  it('tells each step once and the bytes as they come, and the server has the model', async () => {
    const server = await serve();
    const { heard, done } = pull(server.url);
    await done;
    expect(percents(heard)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(heard.filter((one) => typeof one === 'string')).toEqual([
      `${MODEL}: pulling manifest`,
      `${MODEL}: verifying sha256 digest`,
      `${MODEL}: writing manifest`,
      `${MODEL}: success`,
    ]);
    const show = await fetch(`${server.url}/api/show`, {
      method: 'POST',
      body: JSON.stringify({ model: MODEL }),
    });
    expect(show.status).toBe(200);
    expect(server.pulls).toMatchObject([{ name: MODEL, stream: true }]);
  });

  it.each([
    ['a connection that is cut', 'cut' as const],
    ['an error of its network', { error: 'max retries exceeded: unexpected EOF' }],
  ])('goes on by itself after %s, from where it was', async (_, fate) => {
    const server = await serve({ pullTrouble: (n) => (n === 1 ? { at: SIZE / 2, fate } : null) });
    const { heard, clock, done } = pull(server.url);
    await done;
    expect(percents(heard)).toEqual([0, 10, 20, 30, 40, 50, 50, 60, 70, 80, 90, 100]);
    expect(heard.filter((one) => String(one).endsWith('Continuing in 3 s'))).toHaveLength(1);
    expect(clock.slept).toEqual([3000]);
  });

  it('ends where another attempt brings nothing new, and the next command goes on', async () => {
    const server = await serve({
      pullTrouble: (n) => (n < 3 ? { at: SIZE / 2, fate: 'cut' } : null),
    });
    const first = pull(server.url);
    const { status } = await failure(first.done);
    expect(status).toEqual({ kind: 'network_error', retryable: true });
    expect(server.pulls).toHaveLength(2);
    const second = pull(server.url);
    await second.done;
    expect(percents(second.heard)[0]).toBe(50);
  });

  it('stops when it is aborted, closes the connection, and the next one goes on', async () => {
    const never = new Promise(() => undefined);
    const server = await serve({
      pullTrouble: (n) => (n === 1 ? { at: SIZE / 4, fate: never } : null),
    });
    const stop = new AbortController();
    const stopped = pull(server.url, MODEL, stop.signal);
    stopped.on((progress) => {
      if (typeof progress !== 'string' && progress.done >= SIZE / 4) stop.abort();
    });
    expect((await failure(stopped.done)).status).toEqual({ kind: 'aborted' });
    const again = pull(server.url);
    await again.done;
    expect(percents(again.heard)[0]).toBe(30);
  });

  it('before it began sends nothing where it is aborted', async () => {
    const server = await serve();
    const { status } = await failure(pull(server.url, MODEL, AbortSignal.abort()).done);
    expect(status).toEqual({ kind: 'aborted' });
    expect(server.requests).toEqual([]);
  });
});

describe('a download that cannot be', () => {
  it('names a model that the library does not have', async () => {
    const server = await serve();
    const error = await failure(pull(server.url, 'no-such-model').done);
    expect(error.message).toBe("Ollama's library has no model no-such-model.");
    expect(error.hint).toContain('https://ollama.com/library');
    expect(server.pulls).toHaveLength(1);
  });

  it.each([
    [
      'pull model manifest: Get "https://registry.ollama.ai/v2/x": dial tcp: lookup registry.ollama.ai: no such host',
      { kind: 'network_error', retryable: true },
      /cannot reach its library.*no such host/,
    ],
    [
      'write /root/.ollama/models/blobs/x: no space left on device',
      { kind: 'model_error', retryable: false },
      /no space left on device/,
    ],
    [
      'pull model manifest: 412: \n\nThe model you are attempting to pull requires a newer version of Ollama.',
      { kind: 'model_error', retryable: false },
      /requires a newer version of Ollama/,
    ],
  ])('says so: %s', async (error, status, says) => {
    const server = await serve({ pullTrouble: () => ({ at: 0, fate: { error } }) });
    const failed = await failure(pull(server.url).done);
    expect(failed.status).toEqual(status);
    expect(failed.message).toMatch(says);
  });

  it.each([
    ['another server', { status: 404, body: '<html></html>' }, /is not Ollama/],
    [
      'a name that is none',
      { status: 400, body: '{"error":"invalid model name"}' },
      /invalid model/,
    ],
    ['words of no Ollama', { status: 200, body: 'hello\n' }, /not JSON/],
    ['an end without a success', { status: 200, body: '{"status":"x"}\n' }, /without saying/],
  ])('says so: %s', async (_, answer, says) => {
    const printed = (['log', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));
    const server = await serve({ routes: { 'POST /api/pull': answer } });
    expect((await failure(pull(server.url).done)).message).toMatch(says);
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  it('says that nobody listens, and what to start', async () => {
    const server = await serve();
    await server.close();
    const error = await failure(pull(server.url).done);
    expect(error.message).toContain(`Ollama does not answer at ${server.url} (ECONNREFUSED)`);
    expect(error.hint).toContain('ollama serve');
  });
});
