/** What a home of runs asks of git before it uses it. */
import { expect, it } from 'vitest';
import { checkRepository, checkVersion } from '../../../src/fleet/home/git.ts';

it.each([
  'git version 2.32.0',
  'git version 2.39.5 (Apple Git-154)',
  'git version 3.0.1.windows.1',
])('%s is new enough', (text) => expect(() => checkVersion(`${text}\n`)).not.toThrow());

it.each(['git version 2.31.8', 'git version 1.99.1', 'no git at all'])('%s is refused', (text) => {
  expect(() => checkVersion(`${text}\n`)).toThrow(`${text} is too old`);
});

it.each([
  'https://me:secret@host/a.git',
  'https://me@host/a.git',
  'ext::sh -c id',
  '-u',
  'gopher://a',
])('%s is no address of a home', (text) =>
  expect(() => checkRepository(text)).toThrow(/address|password/),
);
