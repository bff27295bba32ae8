/** What /commit says of git does not depend on the language of git, nor on where the repository keeps its hooks. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { chatFolder, left, ready } from './talking.ts';

const gitAt =
  (folder: string) =>
  (...args: string[]): string =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });

function script(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

let made: string | undefined;
afterAll(() => rmSync(made ?? '', { recursive: true, force: true }));

function repository(): { folder: string; git: (...args: string[]) => string } {
  made ??= makeRepository();
  const folder = chatFolder();
  cpSync(made, folder, { recursive: true });
  return { folder, git: gitAt(folder) };
}

/** A repository with one commit, and a hook in its usual place. */
function makeRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tardigrade-commit-'));
  const git = gitAt(folder);
  git('init', '-q', '-b', 'main', '--template=');
  git('config', 'user.email', 'a@b.c');
  git('config', 'user.name', 'A');
  writeFileSync(join(folder, '.gitignore'), '.agent_context/\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
  mkdirSync(join(folder, '.git', 'hooks'));
  script(join(folder, '.git', 'hooks', 'post-commit'), 'true');
  return folder;
}

describe.skipIf(process.platform === 'win32')('/commit', () => {
  test('with nothing to commit is no error in another language', async () => {
    const { folder } = repository();
    const programs = chatFolder();
    const found = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    script(
      join(programs, 'git'),
      `if [ "$1" = commit ]; then ${found} "$@" >/dev/null; code=$?; echo "nichts zu tun"; exit $code; fi
exec ${found} "$@"`,
    );
    const env = { LANG: 'C.UTF-8', PATH: `${programs}:${process.env.PATH}`, HOME: chatFolder() };
    const talking = await ready(() => 'Hello.', { folder, terminal: { env } });
    talking.say('/commit again');
    await talking.sees(/Nothing to commit\.|The commit failed\./);
    expect(talking.all()).toContain('Nothing to commit.');
    await left(talking);
  });

  test.each([
    ['a linked worktree', 'tree', ''],
    ['a subfolder', 'sub', ''],
    ['a repository with a folder of its own for hooks', '', 'own-hooks'],
  ])('names the hooks of %s', async (what, below, hooksPath) => {
    const { folder, git } = repository();
    if (below === 'tree') git('worktree', 'add', '-q', join(folder, below));
    else mkdirSync(join(folder, below), { recursive: true });
    if (hooksPath !== '') {
      mkdirSync(join(folder, hooksPath));
      script(join(folder, hooksPath, 'commit-msg'), 'true');
      git('config', 'core.hooksPath', hooksPath);
    }
    const workspace = join(folder, below);
    writeFileSync(join(workspace, 'a.txt'), `${what}\n`);
    const talking = await ready(() => 'Hello.', { folder: workspace });
    talking.say('/commit it');
    const hook = hooksPath === '' ? 'post-commit' : 'commit-msg';
    await talking.sees(`1 hook of the repository ran: ${hook}`);
    await left(talking);
  });
});
