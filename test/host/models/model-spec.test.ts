import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { modelForRun, parseModel } from '../../../src/host/models/model-spec.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { runState } from '../../cli/support.ts';

test.each([
  ['small:1b', { provider: 'ollama', model: 'small:1b' }],
  ['ollama/small:1b', { provider: 'ollama', model: 'small:1b' }],
  ['hf.co/some/model:Q4', { provider: 'ollama', model: 'hf.co/some/model:Q4' }],
  ['ollama/hf.co/some/model:Q4', { provider: 'ollama', model: 'hf.co/some/model:Q4' }],
  ['somebody/model', { provider: 'ollama', model: 'somebody/model' }],
  ['gpt-oss:20b', { provider: 'ollama', model: 'gpt-oss:20b' }],
  ['gpt-oss', { provider: 'ollama', model: 'gpt-oss' }],
  ['gpt-4:latest', { provider: 'ollama', model: 'gpt-4:latest' }],
  ['orca-mini', { provider: 'ollama', model: 'orca-mini' }],
  ['anthropic', { provider: 'anthropic', model: 'claude-sonnet-5-5' }],
  ['openai', { provider: 'openai', model: 'gpt-5-mini' }],
  ['ollama', { provider: 'ollama', model: null }],
  ['claude-sonnet-5-5', { provider: 'anthropic', model: 'claude-sonnet-5-5' }],
  ['gpt-5.4-mini', { provider: 'openai', model: 'gpt-5.4-mini' }],
  ['gpt-4o', { provider: 'openai', model: 'gpt-4o' }],
  ['o3', { provider: 'openai', model: 'o3' }],
  ['o4-mini', { provider: 'openai', model: 'o4-mini' }],
  ['anthropic/claude-x', { provider: 'anthropic', model: 'claude-x' }],
  ['openai/gpt-oss-20b', { provider: 'openai', model: 'gpt-oss-20b' }],
  ['openai/openai/gpt-oss-20b', { provider: 'openai', model: 'openai/gpt-oss-20b' }],
  ['openai:gpt-5', { provider: 'openai', model: 'gpt-5' }],
  ['anthropic:claude-x', { provider: 'anthropic', model: 'claude-x' }],
  ['ollama:qwen3:8b', { provider: 'ollama', model: 'qwen3:8b' }],
  ['openrouter/qwen/qwen3-coder:free', { provider: 'openrouter', model: 'qwen/qwen3-coder:free' }],
  ['embedded/m.gguf', { provider: 'embedded', model: resolve('/home/me', 'm.gguf') }],
  ['embedded:qwen2.5-coder-1.5b', { provider: 'embedded', model: 'qwen2.5-coder-1.5b' }],
  ['embedded:hf:a/b/c.gguf', { provider: 'embedded', model: 'hf:a/b/c.gguf' }],
  ['embedded:m.gguf', { provider: 'embedded', model: resolve('/home/me', 'm.gguf') }],
  ['recorded:turns.json', { provider: 'recorded', model: resolve('/home/me', 'turns.json') }],
])('%s names %j', (text, choice) => {
  expect(parseModel(text, '/home/me')).toEqual(choice);
});

test.each(['', ' ', 'ollama/', 'anthropic/ ', 'embedded:', 'recorded:', 'embedded:hf:a/b'])(
  '%j is refused',
  (text) => {
    expect(() => parseModel(text, '/')).toThrow(expect.objectContaining({ code: 'E_USAGE' }));
  },
);

const settings = (provider: string, model: string): RunState['settings'] =>
  ({ provider, model }) as RunState['settings'];

test('an unfinished run goes on with its own model unless another is named', () => {
  const current = runState({ settings: settings('ollama', 'small:1b') });
  const own = { provider: 'ollama', model: 'small:1b' };
  expect(modelForRun(null, null, current, '/')).toEqual(own);
  expect(modelForRun(null, ` ${current.goal}\n`, current, '/')).toEqual(own);
  expect(modelForRun('other', null, current, '/').model).toBe('other');
});

test('another goal, a finished run and a recording leave the choice to the provider', () => {
  const open = { provider: 'ollama', model: null };
  const current = runState({ settings: settings('ollama', 'small:1b') });
  expect(modelForRun(null, 'Another goal', current, '/')).toEqual(open);
  const ended = { ...current, ended: { ending: 'failed', detail: '' } } as RunState;
  expect(modelForRun(null, null, ended, '/')).toEqual(open);
  const recorded = runState({ settings: settings('recorded', 'demo') });
  expect(modelForRun(null, null, recorded, '/')).toEqual(open);
  expect(modelForRun(null, 'Goal', null, '/')).toEqual(open);
});

test('with the address of a server a name means a model of that server', () => {
  const url = 'http://127.0.0.1:8080/v1';
  for (const name of ['Qwen/Qwen2.5-7B', 'claude-x', 'gpt-oss:20b']) {
    expect(parseModel(name, '/', url)).toEqual({ provider: 'openai', model: name });
  }
  expect(modelForRun(null, 'Goal', null, '/', url)).toEqual({ provider: 'openai', model: null });
  expect(parseModel('openai', '/', url)).toEqual({ provider: 'openai', model: null });
  expect(parseModel('anthropic/claude-x', '/', url).provider).toBe('anthropic');
  expect(parseModel('openai:gpt-5', '/', url)).toEqual({ provider: 'openai', model: 'gpt-5' });
});

test('the address of a server does not apply to what has no such address', () => {
  const url = 'http://127.0.0.1:8080/v1';
  for (const name of ['ollama/small:1b', 'embedded:m.gguf', 'recorded:turns.json']) {
    expect(() => modelForRun(name, null, null, '/', url), name).toThrow(
      /A base URL does not apply/,
    );
  }
});

test('a run on a hosted model goes on with it', () => {
  const current = runState({ settings: settings('anthropic', 'claude-x') });
  expect(modelForRun(null, null, current, '/')).toEqual({
    provider: 'anthropic',
    model: 'claude-x',
  });
});
