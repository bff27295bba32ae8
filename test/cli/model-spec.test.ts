import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { chooseModel, parseModel } from '../../src/cli/model-spec.ts';
import type { RunState } from '../../src/schema/state.ts';
import { runState } from './support.ts';

test.each([
  ['small:1b', { provider: 'ollama', model: 'small:1b' }],
  ['ollama/small:1b', { provider: 'ollama', model: 'small:1b' }],
  ['hf.co/some/model:Q4', { provider: 'ollama', model: 'hf.co/some/model:Q4' }],
  ['embedded:m.gguf', { provider: 'embedded', model: resolve('/home/me', 'm.gguf') }],
  ['recorded:turns.json', { provider: 'recorded', model: resolve('/home/me', 'turns.json') }],
])('%s names %j', (text, choice) => {
  expect(parseModel(text, '/home/me')).toEqual(choice);
});

test.each(['', ' ', 'ollama/', 'embedded:', 'recorded:'])('%j is refused', (text) => {
  expect(() => parseModel(text, '/')).toThrow(expect.objectContaining({ code: 'E_USAGE' }));
});

const settings = (provider: string, model: string): RunState['settings'] =>
  ({ provider, model }) as RunState['settings'];

test('an unfinished run goes on with its own model unless another is named', () => {
  const current = runState({ settings: settings('ollama', 'small:1b') });
  const own = { provider: 'ollama', model: 'small:1b' };
  expect(chooseModel(null, null, current, '/')).toEqual(own);
  expect(chooseModel(null, ` ${current.goal}\n`, current, '/')).toEqual(own);
  expect(chooseModel('other', null, current, '/').model).toBe('other');
});

test('another goal, a finished run and a recording leave the choice to the provider', () => {
  const open = { provider: 'ollama', model: null };
  const current = runState({ settings: settings('ollama', 'small:1b') });
  expect(chooseModel(null, 'Another goal', current, '/')).toEqual(open);
  const ended = { ...current, ended: { ending: 'failed', detail: '' } } as RunState;
  expect(chooseModel(null, null, ended, '/')).toEqual(open);
  const recorded = runState({ settings: settings('recorded', 'demo') });
  expect(chooseModel(null, null, recorded, '/')).toEqual(open);
  expect(chooseModel(null, 'Goal', null, '/')).toEqual(open);
});
