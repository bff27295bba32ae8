/** What is typed that is no message: commands of the person's own, and such as come from files. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shellLineIn } from '../../../src/cli/chat/take-typed.ts';
import { chatFolder, lastOf, left, ready } from './talking.ts';

it('is a command where it is one line behind an exclamation mark', () => {
  expect(shellLineIn('!git status')).toBe('git status');
  expect(shellLineIn(' ! ls -la ')).toBe('ls -la');
  for (const text of ['!', '! ', 'wow!', '!a\nb', '']) expect(shellLineIn(text), text).toBeNull();
});

it('a command runs under the rules, is shown, and the model sees it with the next message', async () => {
  const folder = chatFolder();
  writeFileSync(join(folder, 'a.txt'), 'a line of a.txt\n');
  const talking = await ready(
    (request) => ({ text: `seen ${request.messages.length}: ${lastOf(request)}` }),
    { folder },
  );
  talking.say('!cat a.txt');
  await talking.sees('a line of a.txt');
  talking.say('!git push origin main');
  await talking.sees(/git push/);
  talking.say('!rm a.txt');
  await talking.sees('> !rm a.txt');
  talking.say('and now?');
  await talking.sees(/seen \d+: and now\?/);
  const told =
    talking.model.requests[0]?.messages.map(({ role, content }) => `${role}: ${content}`) ?? [];
  expect(talking.model.requests).toHaveLength(1);
  expect(told.slice(1, 3)).toEqual([
    'user: !cat a.txt',
    expect.stringMatching(/^user: Result of run_cmd:\n[\s\S]*a line of a\.txt/),
  ]);
  expect(told[3]).toBe('user: !git push origin main');
  expect(told[4]).toMatch(/not allowed|denied|git push/i);
  talking.say('/undo');
  await talking.sees('put back: a.txt');
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a line of a.txt\n');
  expect(await left(talking)).toBe(0);
});

it('a command of a file is offered, sends its text, and a broken file is named', async () => {
  const folder = chatFolder();
  const commands = join(folder, '.agents', 'commands');
  mkdirSync(commands, { recursive: true });
  writeFileSync(
    join(commands, 'review.md'),
    '---\ndescription: Look it over\n---\nReview $ARGUMENTS with care.',
  );
  writeFileSync(join(commands, 'broken.md'), '---\n');
  const talking = await ready((request) => ({ text: `got ${lastOf(request)}` }), {
    folder,
    terminal: { ask: async () => 'y' },
  });
  await talking.sees('.agents/commands/broken.md is left out');
  talking.type('/rev');
  await talking.sees('Look it over (of this folder)');
  talking.type('iew a.txt\r');
  await talking.sees('got Review a.txt with care.');
  talking.say('/reviews');
  await talking.sees('Did you mean /review?');
  expect(await left(talking)).toBe(0);
});
