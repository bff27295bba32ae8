import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TardigradeError } from '../../../src/lib/errors.ts';
import { type Provider, ProviderError } from '../../../src/llm/provider.ts';
import { keysIn, withoutSecrets } from '../../../src/llm/secrets/scrub.ts';
import {
  scrubbedError,
  scrubbedProvider,
  textScrubber,
} from '../../../src/llm/secrets/scrubbed-provider.ts';
import { NO_USAGE } from '../../../src/schema/model/turn.ts';
import { requestOf } from '../support.ts';

const KEY = 'zz-0123456789abcdefghij';
const scrub = textScrubber([KEY]);
const everything = (value: unknown): string => inspect(value, { depth: 9, showHidden: true });

describe('a sentence', () => {
  it.each([
    [`wrong key ${KEY}!`, 'wrong key [secret removed]!'],
    [`wrong key ${KEY.slice(0, 15)}`, 'wrong key [secret removed]'],
    [`${KEY.slice(0, 15)} … and ${KEY}`, '[secret removed] … and [secret removed]'],
    [`key ${KEY.slice(0, 6)}…`, `key ${KEY.slice(0, 6)}…`],
    ['nothing of that kind', 'nothing of that kind'],
  ])('%s', (before, after) => {
    expect(scrub(before)).toBe(after);
  });

  it('is read once, however often it begins a key', () => {
    const long = 'sk-'.repeat(200_000);
    expect(scrub(`${long} sk-and-0123456789abcdefghij ${long}`)).toBe(
      `${long} [secret removed] ${long}`,
    );
  });

  it('stays whole where a secret is empty', () => {
    expect(textScrubber([''])('ab')).toBe('ab');
  });
});

describe('an error', () => {
  it('without a key stays the very same', () => {
    const error = new ProviderError({ kind: 'timeout' }, 'too late', '');
    expect(scrubbedError(error, scrub)).toBe(error);
  });

  it.each([
    new ProviderError({ kind: 'auth_failed' }, `no ${KEY}`, 'See it.'),
    new TardigradeError('E_USAGE', 'no', `not with ${KEY}`),
    new Error(`Invalid header Bearer ${KEY}`),
    new ProviderError({ kind: 'auth_failed' }, 'no', '', { cause: new Error(`sent ${KEY}`) }),
  ])('keeps its kind and loses the key: %#', (error) => {
    const clean = scrubbedError(error, scrub);
    expect(everything(clean)).not.toContain(KEY);
    expect(clean).toMatchObject({ name: error.name });
    if (error instanceof ProviderError) expect(clean).toMatchObject({ status: error.status });
  });
});

describe('a provider', () => {
  const refuse = () => Promise.reject(new ProviderError({ kind: 'auth_failed' }, KEY, ''));
  const chatty: Provider = {
    name: 'chatty',
    async *stream() {
      yield { type: 'text', text: 'hi' };
      yield { type: 'finished', reason: 'other', rawReason: `because ${KEY}`, usage: NO_USAGE };
    },
    describe: refuse,
    list: refuse,
    loadedWindow: refuse,
    close: async () => {},
  };
  const { signal } = new AbortController();

  it('tells no key, whatever it is asked', async () => {
    const provider = scrubbedProvider(chatty, scrub);
    for (const ask of [
      () => provider.describe('m', signal),
      () => provider.list(signal),
      () => provider.loadedWindow!('m', signal),
    ]) {
      await expect(ask()).rejects.toMatchObject({ message: '[secret removed]' });
    }
    const events = [];
    for await (const event of provider.stream(requestOf(), signal)) events.push(event);
    expect(events).toMatchObject([{ type: 'text' }, { rawReason: 'because [secret removed]' }]);
  });
});

describe('of an environment', () => {
  const env = {
    OPENAI_API_KEY: 'only-letters-here',
    OPENROUTER_API_KEY_2: ' padded-letters ',
    LOCAL_API_KEY: 'none',
    HF_TOKEN: 'letters-only',
    DATABASE_PASSWORD: 'pass-word-0123',
    HF_ENDPOINT: 'https://hub.example',
    PATH: '/bin',
    npm_config__auth_token: 'kept',
  };

  it('the keys are those of every API, and what looks like a secret', () => {
    expect([...keysIn(env)].sort()).toEqual(
      ['only-letters-here', 'padded-letters', 'letters-only', 'pass-word-0123'].sort(),
    );
  });

  it('a program gets nothing that is named like one', () => {
    const harmless = { HF_ENDPOINT: 'https://hub.example', PATH: '/bin' };
    expect(withoutSecrets(env)).toEqual(harmless);
    const isNpm = (name: string) => name.startsWith('npm_');
    expect(withoutSecrets(env, isNpm)).toEqual({ ...harmless, npm_config__auth_token: 'kept' });
  });
});
