/** Where the server listens, of what was typed and what the environment says. */
import { describe, expect, it } from 'vitest';
import { hostAndPort } from '../../../src/cli/serve/address.ts';

describe('the address', () => {
  it.each([
    ['is port 5000 of this machine where nothing is said', {}, '127.0.0.1', 5000, []],
    [
      'is the first of the environment',
      { urls: 'http://localhost:7000' },
      ...(['127.0.0.1', 7000, []] as const),
    ],
    [
      'has port 5000 where the environment names none',
      { urls: 'http://127.0.0.2' },
      ...(['127.0.0.2', 5000, []] as const),
    ],
    [
      'has the port of the environment, also one that is usual for its protocol',
      { urls: 'http://127.0.0.1:80/' },
      ...(['127.0.0.1', 80, []] as const),
    ],
    [
      'is told beside the others of the environment, which a proxy may have',
      { urls: 'http://127.0.0.1:5000; https://box.example/' },
      ...(['127.0.0.1', 5000, ['https://box.example']] as const),
    ],
    [
      'is the typed one before that of the environment',
      { host: '::1', port: 8080, urls: 'http://127.0.0.1:7000' },
      ...(['::1', 8080, []] as const),
    ],
  ])('%s', (_, asked, host, port, others) => {
    expect(hostAndPort(asked)).toEqual({ host, port, others });
  });
});

it.each([
  ['another machine', { host: '0.0.0.0' }, 'listens only on this machine'],
  ['another machine in the environment', { urls: 'http://box.example:5000' }, 'box.example'],
  ['what is no address', { urls: 'five thousand' }, 'holds "five"'],
  ['another protocol', { urls: 'ftp://127.0.0.1' }, 'holds "ftp://127.0.0.1"'],
])('%s is refused', (_, asked, why) => {
  expect(() => hostAndPort(asked)).toThrow(why);
});
