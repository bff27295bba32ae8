import { describe, expect, test } from 'vitest';
import { meantBy } from '../../src/host/models/near-miss.ts';
import { openModel } from '../../src/host/models/open-model.ts';
import { PROVIDER_NAMES, rowOf } from '../../src/host/providers/providers.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { startFakeOllama } from '../support/fake-ollama.ts';

const hosted = PROVIDER_NAMES.map(rowOf).flatMap((row) => (row.kind === 'hosted' ? [row] : []));

describe('a name that no server here has', () => {
  test.each([
    ['claude', 'anthropic'],
    ['Claude', 'anthropic'],
    ['cluade', 'anthropic'],
    ['antropic', 'anthropic'],
    ['sonnet', 'anthropic/claude-sonnet-5-5'],
    ['opus-4.5', 'anthropic/claude-opus-4-5'],
    ['gpt5', 'openai/gpt-5'],
    ['gpt5-mini', 'openai/gpt-5-mini'],
    ['gpt', 'openai'],
    ['chatgpt', 'openai'],
    ['antropic/claude-opus-5', 'anthropic/claude-opus-5'],
    ['openrouer/qwen/qwen3-coder', 'openrouter/qwen/qwen3-coder'],
  ])('%s may mean %s', (typed, meant) => {
    expect(meantBy(typed, hosted)?.model).toBe(meant);
  });

  test.each(['qwen3:8b', 'llama3.2', 'phi4', 'gpt-oss:20b', 'hf.co/a/b', 'gemma3', 'yi', 'qwq'])(
    '%s means nothing else',
    (typed) => {
      expect(meantBy(typed, hosted)).toBeNull();
    },
  );

  test('is said with what was meant, whether the server is there or not', async () => {
    const server = await startFakeOllama();
    const open = (host: string) =>
      openModel(
        {
          choice: { provider: 'ollama', model: 'claude' },
          ...{ host, baseUrl: null, report: null, signal: new AbortController().signal },
        },
        {
          ...{ env: {}, platform: 'linux', arch: 'x64', cwd: '/', nodePath: null },
          ...{ clock: systemClock, programFolder: '/' },
        },
      );
    const wanted = expect.objectContaining({
      hint: 'Did you mean the one of Anthropic?',
      option: 'model',
      optionValue: 'anthropic',
    });
    await expect(open(server.url)).rejects.toThrow(wanted);
    await expect(open('http://127.0.0.1:9')).rejects.toThrow(wanted);
    await server.close();
  });
});
