/** What a person sees of an edit at the moment it is made. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatFolder, lastOf, left, ready, write } from './talking.ts';

const LONG = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');

test('twelve lines of it, and where the rest is', async () => {
  const talking = await ready((request) =>
    lastOf(request).startsWith('write') ? write('a.txt', `${LONG}\n`) : 'Done.',
  );
  talking.say('write it');
  await talking.sees('… 28 more lines: /diff');
  await talking.sees('Done.');
  expect(talking.all()).toContain('✓ write a.txt · +40\n');
  expect(talking.all()).toContain('  +line 11\n');
  expect(talking.all()).not.toContain('  +line 12\n');
  await left(talking);
});

test('of a file that may hold keys no line', async () => {
  const folder = chatFolder();
  writeFileSync(join(folder, '.env'), 'A=old\n');
  const talking = await ready(
    (request) => (lastOf(request).startsWith('write') ? write('.env', 'A=very-secret\n') : 'Done.'),
    { folder, argv: ['chat', '--allow', 'write_file'] },
  );
  talking.say('write it');
  await talking.sees('Done.');
  expect(talking.all()).not.toContain('very-secret');
  await left(talking);
});
