import { expect, test } from 'vitest';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import type { TouchedPath } from '../../src/policy/command/contract.ts';
import { type PathOptions, pathSubject } from '../../src/policy/paths.ts';
import { parseRule } from '../../src/policy/rules/parse.ts';

const at = (isUsers?: PathOptions['isUsers']): PathOptions => {
  const fs = createMemoryFileSystem({ platform: 'linux' });
  fs.mkdir('/work', 0o700);
  return { fs, workspace: '/work', home: null, isUsers };
};

const OTHER_NAME = 'Write to a file of another name.';
const mine = at(() => true);

test.each<[string, TouchedPath, boolean, string, boolean, PathOptions?]>([
  ['a file with keys', { does: 'read', path: '.env' }, false, 'Go on without it.', false],
  ['a file that instructs', { does: 'edit', path: 'AGENTS.md' }, false, 'Go on without it.', true],
  ['the same, only read', { does: 'read', path: 'AGENTS.md' }, false, '', true],
  [
    'a folder that is too large to see',
    { does: 'read', path: 'x', isUnseen: true },
    true,
    'Name a folder with less in it.',
    false,
  ],
  ["a change of a user's file", { does: 'edit', path: 'a.txt' }, false, OTHER_NAME, true, mine],
  [
    "a user's file removed",
    { does: 'remove', path: 'a.txt' },
    false,
    'Do not remove it.',
    true,
    mine,
  ],
  ["a look at a user's file", { does: 'read', path: 'a.txt' }, false, '', true, mine],
  ['a file of nobody', { does: 'edit', path: 'a.txt' }, false, '', true],
  [
    "a command's change of git's own",
    { does: 'edit', path: '.git/config' },
    true,
    'Work with files of the workspace.',
    false,
  ],
  [
    "a command's change outside",
    { does: 'edit', path: '../a' },
    true,
    'Work with files of the workspace.',
    false,
  ],
])(
  '%s is held with its own hint, and offered for good where that is harmless',
  (_what, touched, isCommand, hint, isOffered, options = at()) => {
    const subject = pathSubject(touched, options, isCommand);
    expect(subject?.base?.instead ?? '').toBe(hint);
    expect(subject?.want.isOffered).toBe(isOffered);
  },
);

test('what a look cannot see is not offered as a rule, and a plain file is', () => {
  const rule = (touched: TouchedPath) => pathSubject(touched, at(), true)?.want.rule;
  expect(rule({ does: 'read', path: 'x', isUnseen: true })).toBeNull();
  expect(rule({ does: 'read', path: 'a\u202eb' })).toBeNull();
  expect(rule({ does: 'read', path: 'a.txt' })).toBe('read(/a.txt)');
});

test.each(['app/[id]/page.tsx', 'a b.txt', 'a*b', 'what?', '#1', '!x'])(
  'the rule that %j is offered allows that file, and no other',
  (path) => {
    const subject = pathSubject({ does: 'edit', path }, at(), true);
    const reading = { words: new Map(), platform: 'linux' } as const;
    const rule = parseRule(subject?.want.rule ?? '', reading);
    expect(subject?.isAllowedBy(rule)).toBe(true);
    const other = path.replace(/[*?]/, 'x').replace('[id]', 'i');
    if (other !== path)
      expect(pathSubject({ does: 'edit', path: other }, at(), true)?.isAllowedBy(rule)).toBe(false);
  },
);

test('what the jail refuses is left to the jail, unless a command would change it', () => {
  expect(pathSubject({ does: 'edit', path: '../a' }, at(), false)).toBeNull();
  expect(pathSubject({ does: 'read', path: '../a' }, at(), true)).toBeNull();
  const outside = pathSubject({ does: 'edit', path: '../a' }, at(), true);
  expect(outside?.base?.effect).toBe('never');
  expect(outside?.needsApprovalBy({} as never) || outside?.isAllowedBy({} as never)).toBe(false);
});
