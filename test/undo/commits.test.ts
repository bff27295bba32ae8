/** Commits are told apart by the words of a command, and named as git names them. */
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/schema/records.ts';
import { commitIn, isCommit } from '../../src/undo/commits.ts';
import { planUndo } from '../../src/undo/plan.ts';

describe('a commit', () => {
  it.each(['git commit -m "a b"', '/usr/bin/git -C . -c a.b=c commit -a', 'git --no-pager commit'])(
    'is made by %s',
    (cmd) => expect(isCommit(cmd)).toBe(true),
  );
  it.each(['git status', 'git log commit', 'echo git commit', 'git -C commit status', '"'])(
    'is not made by %s',
    (cmd) => expect(isCommit(cmd)).toBe(false),
  );

  it('has the name that git gives it', () => {
    expect(commitIn('exit code 0\n[main 0d53dd7] Validate\n 4 files changed')).toBe('0d53dd7');
    expect(commitIn('exit code 0\n[main (root-commit) 0d53dd712] First')).toBe('0d53dd712');
    expect(commitIn('exit code 0\nnothing to commit')).toBeNull();
  });

  it('is named where an undo tells of the command', () => {
    const id = '1.1#1#0';
    const cmd = 'git commit -m it';
    const intent = { type: 'action_intended', id, class: 'command', args: { cmd }, files: [] };
    const done = { type: 'action_finished', id, status: 'ok', result: '[main 0d53dd7] it' };
    const records = [intent, done] as unknown as readonly JournalRecord[];
    expect(planUndo(records).commands).toEqual([`${cmd} (commit 0d53dd7)`]);
  });
});
