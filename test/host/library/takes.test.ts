import { expect, it } from 'vitest';
import * as library from '../../../src/index.ts';

const CALLS = new Map<string, unknown>(Object.entries(library));

const misused = (call: (...given: never[]) => unknown, ...given: readonly unknown[]): unknown => {
  try {
    return call(...(given as never[]));
  } catch (error) {
    return error;
  }
};

it.each([
  ['readMessages', Buffer.from('[]'), 'a text'],
  ['parseRecording', Buffer.from('{}'), 'a text'],
  ['parseOllamaHost', new URL('http://127.0.0.1'), 'a text'],
  ['plainMessages', '[]', 'a list'],
  ['textScrubber', 'sk-1', 'a list'],
  ['openRecordingFile', 'a.json', 'an object'],
  ['recordedProvider', {}, 'a recording'],
  ['scrubbedProvider', undefined, 'an object'],
  ['anthropicProvider', undefined, 'an object'],
  ['ollamaProvider', null, 'an object'],
  ['openAiProvider', null, 'an object'],
] as const)('%s says what it takes, where nobody checked types', (name, given, what) => {
  expect(misused(CALLS.get(name) as never, given)).toMatchObject({
    ...{ code: 'E_USAGE', message: `${name} takes ${what}.` },
  });
});
