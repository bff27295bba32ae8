import { expect, it } from 'vitest';
import { parseBaseUrl } from '../../../src/llm/openai/base-url.ts';

it.each([
  ['http://me:100%@host/v1', 'me:100%'],
  ['http://me:a%40b@host/v1', 'me:a@b'],
])('%s has its password, as it is or percent-encoded', (address, credentials) => {
  expect(parseBaseUrl(address)).toEqual({
    url: 'http://host/v1',
    query: {},
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
  });
});
