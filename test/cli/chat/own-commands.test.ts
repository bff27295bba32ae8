import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  expanded,
  isAgreed,
  type OwnCommand,
  ownCommandsIn,
} from '../../../src/cli/chat/own-commands.ts';
import type { CommandContext } from '../../../src/cli/command-context.ts';
import { serverConsents } from '../../../src/host/user/server-consents.ts';
import { userResources } from '../../../src/host/user/user-resources.ts';
import { fakeTerminal } from '../support.ts';

const TAKEN: ReadonlySet<string> = new Set(['help', 'undo']);

function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'own-commands-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [workspace, home] = [join(root, 'ws'), join(root, 'home')];
  const env = {
    ...{ HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data') },
    ...{ APPDATA: join(home, 'config'), LOCALAPPDATA: join(home, 'data'), USERPROFILE: home },
  };
  const terminal = Object.assign(fakeTerminal({ env, cwd: workspace }), { platform: 'linux' });
  const folders = {
    user: join(home, 'config', 'tardigrade-agent', 'commands'),
    project: join(workspace, '.agents', 'commands'),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  const context = { invocation: { workspace }, terminal } as unknown as CommandContext;
  return {
    ...{ root, workspace, terminal, context, folders },
    write: (side: keyof typeof folders, name: string, text: string | Uint8Array) =>
      writeFileSync(join(folders[side], name), text),
    read: () => ownCommandsIn(context, TAKEN),
  };
}

it("are read from files of the user and of the folder, the user's first", () => {
  const { write, read } = place();
  write(
    'user',
    'review.md',
    '---\ndescription: "Look it over"\nargument-hint: [FILE]\nmodel: any\n---\n\nReview $1.\n',
  );
  write('user', 'both.md', 'of the user');
  write('project', 'both.md', 'of the folder');
  write('project', 'fix-all.md', '# Fix all\r\n\r\nFix it.');
  expect(read().faults).toEqual([]);
  expect(read().commands).toMatchObject([
    { name: 'both', side: 'user', text: 'of the user', about: 'of the user', takes: '' },
    { name: 'review', about: 'Look it over', takes: '[FILE]', text: 'Review $1.' },
    {
      name: 'fix-all',
      side: 'project',
      file: '.agents/commands/fix-all.md',
      about: 'Fix all',
      text: '# Fix all\n\nFix it.',
    },
  ]);
});

it('that cannot be used are named with what is wrong, and a link is not followed', () => {
  const { root, folders, write, read } = place();
  write('project', 'open.md', '---\ndescription: x\nno end');
  write('project', 'odd.md', '---\njust words\n---\ntext');
  write('project', 'Bad Name.md', 'text');
  write('project', 'empty.md', '---\ndescription: x\n---\n \n');
  write('project', 'undo.md', 'text');
  write('project', 'long.md', 'x'.repeat(65 * 1024));
  write('project', 'raw.md', Buffer.from([0xff, 0xfe, 0x00]));
  write('project', 'notes.txt', 'no command');
  writeFileSync(join(root, 'secret'), 'secret');
  symlinkSync(join(root, 'secret'), join(folders.project, 'link.md'));
  const { commands, faults } = read();
  expect(commands).toEqual([]);
  expect(faults.map((fault) => fault.replace('.agents/commands/', ''))).toEqual([
    'Bad Name.md is left out: its name must be small letters, digits and hyphens, such as review.md.',
    'empty.md is left out: it has no text to send.',
    'link.md is left out: it is not a regular file.',
    'long.md is left out: it is longer than 64 KB.',
    'odd.md is left out: the line "just words" of its head is not of the form name: value.',
    'open.md is left out: its head begins with --- and has no second line of ---.',
    'raw.md is left out: it is not text in UTF-8.',
    'undo.md is left out: /undo is a command of the program. Give the file another name.',
  ]);
});

it('take what stands behind their name', () => {
  expect(expanded({ text: 'Do $ARGUMENTS, $1 then $2 and $10.' }, 'a  b')).toBe(
    'Do a  b, a then b and $10.',
  );
  expect(expanded({ text: 'Look.' }, 'at this')).toBe('Look.\n\nat this');
  expect(expanded({ text: 'Look at $1.' }, '')).toBe('Look at .');
  expect(expanded({ text: 'cost $5' }, 'one')).toBe('cost ');
});

/** Asks about the only command. */
function asking({ read, terminal, context }: ReturnType<typeof place>) {
  const { fs, dataFolder, own } = userResources(terminal);
  const engine = { commandConsents: serverConsents({ fs, dataFolder, keys: own }, 'commands') };
  const at = { ...context, engine, terminal } as unknown as CommandContext;
  const shown: string[] = [];
  const place = { show: (text: string) => shown.push(text), hold: () => () => {} };
  return { shown, agree: () => isAgreed(read().commands[0] as OwnCommand, at, place) };
}

it('of a folder are shown whole before the question, and nothing in them is hidden', async () => {
  const here = place();
  const { shown, agree } = asking(here);
  const lines = Array.from({ length: 50 }, (_, n) => `line ${n}`);
  here.write('project', 'go.md', [...lines, 'a\u200bb\tc\u001b[8m', ''].join('\n'));
  await agree();
  const text = [...lines.map((line) => `  ${line}`), '  a\\u{200b}b    c\\u{1b}[8m'].join('\n');
  expect(shown.join('')).toContain(`\n${text}\nIt has 51 lines: scroll up to read all of it.`);
});

it('of a folder are asked about once for these very bytes; those of the user are not', async () => {
  const here = place();
  const { write, terminal, folders } = here;
  const asked: string[] = [];
  let answer = 'n';
  terminal.ask = async () => {
    asked.push(answer);
    return answer;
  };
  const { shown, agree } = asking(here);
  write('project', 'go.md', 'go on');
  expect(await agree()).toBe(false);
  answer = 'y';
  expect([await agree(), await agree()]).toEqual([true, true]);
  expect(asked).toEqual(['n', 'y']);
  expect(shown[0]).toBe('.agents/commands/go.md comes with this folder. It says:\n  go on');
  write('project', 'go.md', 'go elsewhere');
  expect(await agree()).toBe(true);
  expect(shown.at(-1)).toContain('and is not what you agreed to before');
  rmSync(join(folders.project, 'go.md'));
  write('user', 'go.md', 'of the user');
  expect(await agree()).toBe(true);
  expect(asked).toEqual(['n', 'y', 'y']);
});
