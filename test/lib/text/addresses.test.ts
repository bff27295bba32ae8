import { expect, test } from 'vitest';
import {
  addressWithoutCredentials,
  credentialsIn,
  withoutCredentials,
} from '../../../src/lib/text/addresses.ts';

test.each([
  ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1', []],
  ['me:pa%40ss@host:1/v1', 'host:1/v1', ['pa%40ss', 'pa@ss']],
  [
    'https://me:pass@host/v1?api-version=7&code=x',
    'https://host/v1?api-version=7',
    ['pass', 'pass', 'x'],
  ],
  ['https://token@host', 'https://host', ['token', 'token']],
  ['http://host/a@b', 'http://host/a@b', []],
  ['http://host/v1?key=abc#part', 'http://host/v1', ['abc']],
  ['me:%zz@host', 'host', ['%zz', '%zz']],
])('%s is shown as %s', (address, shown, credentials) => {
  expect(addressWithoutCredentials(address)).toBe(shown);
  expect(credentialsIn(address)).toEqual(credentials);
});

test('a sentence loses what stands before the @ of its addresses, and nothing else', () => {
  const text = 'No answer from https://me:pa/ss@h, http://me:pw@host:1/x; write to me@example.org';
  expect(withoutCredentials(text)).toBe(
    'No answer from https://me:pa/ss@h, http://host:1/x; write to me@example.org',
  );
});
