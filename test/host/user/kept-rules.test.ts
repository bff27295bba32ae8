import { expect, it } from 'vitest';
import { keptRules } from '../../../src/host/user/kept-rules.ts';
import { folderId, knownFolders, noteFolder } from '../../../src/host/user/known-folders.ts';
import { temporaryOf } from '../../../src/lib/files/durable-files.ts';
import { createMemoryFileSystem } from '../../../src/lib/files/memory-file-system.ts';

const world = () => {
  const fs = createMemoryFileSystem({ platform: 'linux' });
  for (const folder of ['/data', '/a', '/b']) fs.mkdir(folder, 0o700);
  let now = 0;
  const clock = { now: () => (now += 1) };
  return { fs, open: () => keptRules({ fs, clock, dataFolder: '/data' }) };
};
const rulesOf = (kept: readonly { readonly rule: string }[]) => kept.map(({ rule }) => rule);

it('keeps each rule with who allowed it, and by folder', () => {
  const { open } = world();
  open().save('/a', ['run_cmd(make *)', 'edit(/x)'], { by: 'person', door: 'page', run: 'r1' });
  open().save('/b', ['run_cmd(make *)'], {});
  expect(open().of('/a')).toMatchObject([
    { folder: '/a', rule: 'run_cmd(make *)', at: 1, by: 'person', door: 'page', run: 'r1' },
    { rule: 'edit(/x)', at: 2 },
  ]);
  expect(open().all()).toHaveLength(3);
});

it('two processes that allow and take back at once never undo each other', () => {
  const { open } = world();
  const [one, other] = [open(), open()];
  one.save('/a', ['run_cmd(make *)', 'run_cmd(npm ci)'], {});
  expect(other.of('/a')).toHaveLength(2);
  expect(other.forget('/a', 'run_cmd(make *)')).toBe(true);
  one.save('/a', ['run_cmd(git push *)'], {});
  expect(rulesOf(other.of('/a'))).toEqual(['run_cmd(npm ci)', 'run_cmd(git push *)']);
  expect(one.forget('/a', 'run_cmd(make *)')).toBe(false);
  expect(one.forget('/b', 'run_cmd(npm ci)')).toBe(false);
});

it('a file that cannot be read, or is of another folder, allows nothing', () => {
  const { fs, open } = world();
  open().save('/a', ['run_cmd(make *)'], {});
  const [{ file } = { file: '' }] = open().of('/a');
  for (const text of ['{', '{"folder":"/b","rule":"run_cmd(rm *)","at":1}']) {
    const fd = fs.open(file, 'w');
    fs.write(fd, Buffer.from(text), 0);
    fs.close(fd);
    expect(open().of('/a')).toEqual([]);
  }
});

it('a temporary file that a kill left allows nothing and names no folder', () => {
  const { fs, open } = world();
  const place = { fs, dataFolder: '/data' };
  open().save('/a', ['run_cmd(make *)'], {});
  noteFolder(place, '/a');
  for (const file of [open().of('/a')[0]?.file ?? '', `/data/folders/${folderId('/a')}.json`])
    fs.rename(file, temporaryOf(file));
  expect([open().of('/a'), open().all(), knownFolders(place)]).toEqual([[], [], []]);
});
