import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { watchHooks } from '../../src/workspace/git-hooks.ts';
import { makeWorkspace } from '../tools/support.ts';

const BEFORE_USE = 'git runs it by itself: look at it before you use git here.';

describe('hooks of git', () => {
  it('that are new, changed or runnable since are named once; examples and those that stay are not', () => {
    const folder = makeWorkspace();
    folder.write('.git/hooks/commit-msg', 'exit 0\n');
    folder.write('.git/hooks/pre-push.sample', 'exit 0\n');
    const hooks = watchHooks(nodeFileSystem, folder.root);
    expect(hooks.changed()).toBe(null);
    folder.write('.git/hooks/pre-commit', 'exit 1\n');
    folder.write('.git/hooks/pre-push.sample', 'exit 1\n# longer\n');
    expect(hooks.changed()).toBe(
      `.git/hooks/pre-commit is new or was changed meanwhile. ${BEFORE_USE}`,
    );
    expect(hooks.changed()).toBe(null);
    folder.write('.git/hooks/commit-msg', 'exit 0 # longer\n');
    fs.chmodSync(`${folder.root}/.git/hooks/pre-commit`, 0o755);
    expect(hooks.changed()).toContain('.git/hooks/commit-msg');
  });

  it('of a repository above are seen, and a folder in no repository has none', () => {
    const folder = makeWorkspace();
    folder.write('app/a.txt', 'x');
    const none = watchHooks(nodeFileSystem, `${folder.root}/app`);
    folder.write('.git/hooks/post-checkout', 'x');
    expect(none.changed()).toContain('.git/hooks/post-checkout is new');
  });
});
