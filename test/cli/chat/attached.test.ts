/** Files that go with a message, and thoughts that are shown. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles, withoutAttachments } from '../../../src/cli/chat/attached.ts';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { chatFolder, lastOf, left, ready } from './talking.ts';

test('a file behind @ goes with the message; the person sees and edits the words alone', async () => {
  const folder = chatFolder();
  writeFileSync(join(folder, 'hello.txt'), 'good day\n');
  const talking = await ready((request) => `got ${lastOf(request).length}`, { folder });
  talking.say('what says @hello.txt, and who is @nobody?');
  await talking.sees('Attached: hello.txt');
  await talking.sees('got ');
  await left(talking);
  const sent = lastOf(talking.model.requests[0] ?? { messages: [] });
  expect(sent).toBe(
    'what says @hello.txt, and who is @nobody?\n\n<file path="hello.txt">\ngood day\n</file>',
  );
  const again = await ready(() => '', { folder, argv: ['chat', '--session', '1'] });
  await again.sees('> what says @hello.txt, and who is @nobody?\n');
  again.type('\u001b[A');
  await again.sees('> what says @hello.txt, and who is @nobody?▌');
  again.type('\u0015');
  await left(again);
});

test.each([
  ['what may hold keys', '.env', 'A=1\n', 'it may hold keys'],
  ['what is no text', 'a.bin', '\u0000\u0001', 'it is not text'],
  ['what is in Latin-1', 'old.txt', Buffer.from([0x64, 0xe9, 0x6a, 0xe0]), 'not text in UTF-8'],
  ['what makes the message too long', 'big.txt', 'x'.repeat(99_990), 'more than 100,000 char'],
  ['what is long', 'long.txt', 'x'.repeat(300_000), 'it has 300,000 bytes'],
])('%s does not go, and that is said', (_, name, content, why) => {
  const folder = chatFolder();
  writeFileSync(join(folder, name), content);
  const notes: string[] = [];
  const screen = { note: (text: string) => notes.push(text) };
  const at = { invocation: { workspace: folder } } as never;
  const sent = withFiles(`see @${name}`, at, screen, true);
  expect(sent).toEqual({ text: `see @${name}`, images: [] });
  expect(notes.join()).toContain(why);
});

test.each(['open', 'stat'] as const)('what cannot be read does not go (%s)', (does) => {
  const folder = chatFolder();
  writeFileSync(join(folder, 'closed.txt'), 'not for you\n');
  const refuse = (path: string): never => {
    throw Object.assign(new Error(`EACCES: ${path}`), { code: 'EACCES' });
  };
  const notes: string[] = [];
  const screen = { note: (text: string) => notes.push(text) };
  const at = { invocation: { workspace: folder } } as never;
  const sent = withFiles('@closed.txt', at, screen, true, { ...nodeFileSystem, [does]: refuse });
  expect(sent).toEqual({ text: '@closed.txt', images: [] });
  expect(notes).toEqual(['Not attached: closed.txt, it cannot be read (EACCES)']);
});

test('nothing outside of the folder, no folder, and no address of mail', () => {
  const folder = chatFolder();
  mkdirSync(join(folder, 'src'));
  const message = 'ask me@example.com about @../secret @/etc/passwd @src';
  const screen = { note: () => expect.fail('nothing is attached') };
  const sent = withFiles(message, { invocation: { workspace: folder } } as never, screen, true);
  expect(sent.text).toBe(message);
  expect(withoutAttachments(message)).toBe(message);
});

test('an image goes as it is, by its bytes and not by its name, to a model that takes any', () => {
  const folder = chatFolder();
  const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from('the rest')]);
  writeFileSync(join(folder, 'shot.txt'), png);
  writeFileSync(join(folder, 'fake.png'), 'plain text');
  writeFileSync(join(folder, 'huge.png'), Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]));
  const send = (seesImages: boolean) => {
    const notes: string[] = [];
    const screen = { note: (text: string) => notes.push(text) };
    const at = { invocation: { workspace: folder } } as never;
    const sent = withFiles('see @shot.txt @fake.png @huge.png', at, screen, seesImages);
    return { ...sent, notes };
  };
  const sent = send(true);
  expect(sent.images.map((image) => Buffer.from(image))).toEqual([png]);
  expect(sent.text).toContain('<file path="fake.png">\nplain text');
  expect(sent.notes).toEqual([
    ...['Attached: shot.txt', 'Attached: fake.png'],
    'Not attached: huge.png, it has more than 5 MB',
  ]);
  expect(send(false).notes[0]).toBe('Not attached: shot.txt, the model takes no images');
});

test('a long name full of dots ends nothing, and marks at its end are no part of it', () => {
  const folder = chatFolder();
  writeFileSync(join(folder, 'a.txt'), 'A');
  const notes: string[] = [];
  const screen = { note: (text: string) => notes.push(text) };
  const message = `@x${'.'.repeat(90_000)}a see @a.txt?!) @.`;
  withFiles(message, { invocation: { workspace: folder } } as never, screen, true);
  expect(notes).toEqual(['Attached: a.txt']);
});
