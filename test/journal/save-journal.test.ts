import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { openingOf, runPorts } from '../../src/context-manager/open-or-create.ts';
import { layoutIn, layoutOf, prepareLayout } from '../../src/journal/layout.ts';
import { createJournal } from '../../src/journal/recover.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import { join } from '../../src/lib/files/absolute-paths.ts';
import { readFileIfPresent, replaceFile } from '../../src/lib/files/durable-files.ts';
import { type FileSystem, nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { createMemoryFileSystem, fileSystemError } from '../../src/lib/files/memory-file-system.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import { journalMachine, LAYOUT, note } from '../support/journal-machine.ts';

const LONG = 'x'.repeat(10_000);
const GONE = expect.objectContaining({ code: 'E_STATE_GONE' });
const FENCED = expect.objectContaining({ code: 'E_FENCED' });

const bytesOf = (fs: FileSystem, path: string) => readFileIfPresent(fs, path) ?? Buffer.alloc(0);

/** Three records, the last of them with a long text. */
function working(fs: FileSystem = createMemoryFileSystem()) {
  const machine = journalMachine(fs);
  const { journal } = machine.create();
  journal.append(note('first'));
  journal.append(note(LONG));
  return { ...machine, journal, bytes: bytesOf(fs, LAYOUT.history) };
}

function removeTree(fs: FileSystem, path: string): void {
  if (fs.lstat(path).kind === 'directory') {
    for (const name of fs.readdir(path)) removeTree(fs, `${path}/${name}`);
    fs.rmdir(path);
  } else fs.unlink(path);
}

function errorOf(work: () => unknown): TardigradeError {
  try {
    work();
  } catch (error) {
    if (error instanceof TardigradeError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** The place in `… was saved to PLACE.` */
const placeIn = ({ message }: Error): string => / saved to (\S+)\.$/.exec(message)?.[1] ?? '';

describe('a journal that is taken away under its run', () => {
  test.each([
    ['the journal', LAYOUT.history],
    ['the whole folder', LAYOUT.root],
  ])('is read back into the quarantine when %s is gone, and can be gone on from', (_what, path) => {
    const { fs, journal, bytes, open } = working();
    removeTree(fs, path);
    expect(journal.watch.isOurs()).toBe(false);
    const error = errorOf(() => journal.append(note('lost')));
    expect(error).toEqual(GONE);
    const place = placeIn(error);
    expect(place).toMatch(/^\/work\/\.agent_context\/quarantine\/history\.[0-9a-f]{16}\.jsonl$/);
    expect(bytesOf(fs, place)).toEqual(bytes);
    expect(error.hint).toContain(`move it back to ${LAYOUT.history}, then go on`);
    journal.close();

    fs.rename(place, LAYOUT.history);
    prepareLayout(fs, LAYOUT);
    const again = open();
    expect(again.state).toHaveLength(3);
    expect(again.journal.readBack(again.state[2])).toMatchObject({ data: { text: LONG } });
    again.journal.append(note('goes on'));
  });

  test.each([['0123456789abcdef'], ['nightly-1']])(
    'is no fresh start, though nothing but the saved journal of %s is there',
    (run) => {
      const machine = journalMachine();
      const { fs, openIfAny } = machine;
      const { journal } = createJournal(machine, openingOf('a goal', 1, { run }));
      removeTree(fs, LAYOUT.root);
      const place = placeIn(errorOf(() => journal.append(note('lost'))));
      journal.close();
      const { message, hint } = errorOf(openIfAny);
      expect(message).toContain(`There was a run here (quarantine/history.${run}.jsonl)`);
      expect(hint).toContain(`Move ${place} to ${LAYOUT.history}; or repair it`);
      fs.rename(place, LAYOUT.history);
      prepareLayout(fs, LAYOUT);
      expect(openIfAny()).not.toBeNull();
    },
  );

  test('says the same to all that follows, and saves it once', () => {
    const { fs, journal } = working();
    removeTree(fs, LAYOUT.root);
    const first = errorOf(() => journal.append(note('lost')));
    expect(errorOf(() => journal.append(note('lost too')))).toBe(first);
    expect(fs.readdir(LAYOUT.quarantine)).toHaveLength(1);
  });

  test('is saved beside the state of somebody else, which stays as it is', () => {
    const { fs, journal, bytes } = working();
    fs.rename(LAYOUT.root, '/work/x');
    fs.mkdir(LAYOUT.root);
    replaceFile(fs, LAYOUT.history, Buffer.from('theirs\n'));
    const error = errorOf(() => journal.append(note('lost')));
    const beside = `/work/.agent_context.lost-${journal.run}`;
    expect(placeIn(error)).toBe(layoutIn(beside).history);
    expect(bytesOf(fs, layoutIn(beside).history)).toEqual(bytes);
    expect(error.hint).toContain(`rename ${beside} to ${LAYOUT.root}`);
    expect(fs.readdir(LAYOUT.root)).toEqual(['history.jsonl']);
    expect(bytesOf(fs, LAYOUT.history).toString()).toBe('theirs\n');
    expect(bytesOf(fs, `${beside}/.gitignore`).toString()).toBe('*\n');
    expect(fs.readdir(`${beside}/blobs`)).toEqual([sha256(LONG)]);
  });

  test('and stood there twice has two folders beside it', () => {
    const { fs, journal } = working();
    const beside = `/work/.agent_context.lost-${journal.run}`;
    fs.mkdir(beside);
    replaceFile(fs, LAYOUT.history, Buffer.from('theirs\n'));
    expect(placeIn(errorOf(() => journal.append(note('lost'))))).toBe(`${beside}.2/history.jsonl`);
  });

  test('is known from a copy that is the same to the byte, and the copy is what to go on with', () => {
    const { fs, journal, bytes } = working();
    replaceFile(fs, LAYOUT.history, bytes);
    const error = errorOf(() => journal.append(note('lost')));
    expect(error.message).toContain('was replaced by another file');
    expect(error).toMatchObject({
      hint: 'The file that stands there now has every record of this run, so it can go on',
      command: ['resume'],
    });
    expect(bytesOf(fs, placeIn(error))).toEqual(bytes);
  });

  test('is saved once more when its new place is swept too before the run has ended', () => {
    const { fs, journal, bytes } = working();
    removeTree(fs, LAYOUT.root);
    const place = placeIn(errorOf(() => journal.append(note('lost'))));
    removeTree(fs, LAYOUT.root);
    journal.close();
    expect(bytesOf(fs, place)).toEqual(bytes);
  });

  test('and cannot be saved is not passed over in silence', () => {
    const { fs, journal } = working();
    removeTree(fs, LAYOUT.root);
    fs.mkdir = (path) => {
      throw fileSystemError('EROFS', 'mkdir', path);
    };
    const error = errorOf(() => journal.append(note('lost')));
    expect(error.message).toMatch(/could not be saved \(EROFS\)\.$/);
    expect(error.hint).not.toBe('');
    journal.close();
  });
});

describe('a journal that somebody else writes to', () => {
  const other = (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at > 20 ? 0x20 : byte)));

  test.each([
    ['longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x\n')])],
    ['as long, with another last record', other],
  ])('takes no record when it is %s', (_what, change) => {
    const { fs, journal, bytes } = working();
    const fd = fs.open(LAYOUT.history, 'r+');
    fs.write(fd, change(bytes), 0);
    fs.close(fd);
    expect(journal.watch.isOurs()).toBe(false);
    expect(() => journal.append(note('lost'))).toThrow(FENCED);
    expect(bytesOf(fs, LAYOUT.history)).toEqual(change(bytes));
  });
});

describe('the look at the file', () => {
  test('finds nothing where nothing happened', () => {
    const { journal } = working();
    expect(journal.watch.isOurs()).toBe(true);
    expect(() => journal.append(note('fine'))).not.toThrow();
    expect(journal.watch.isOurs()).toBe(true);
  });

  test.each(['linux', 'win32'] as const)(
    'goes by the bytes where numbers of files change with each open (%s)',
    (platform) => {
      const fs = createMemoryFileSystem({ platform });
      let next = 1n;
      fs.identify = () => ({ device: 1n, inode: next++ });
      const { journal, bytes } = working(fs);
      expect(() => journal.append(note('fine'))).not.toThrow();
      replaceFile(fs, LAYOUT.history, bytes);
      expect(() => journal.append(note('lost'))).toThrow(GONE);
    },
  );

  test('tells files apart whose numbers differ only behind the 53rd bit', () => {
    const fs = createMemoryFileSystem();
    const real = fs.identify.bind(fs);
    fs.identify = (fd) => ({ device: 1n, inode: 2n ** 60n + real(fd).inode });
    const { journal, bytes } = working(fs);
    expect(() => journal.append(note('fine'))).not.toThrow();
    replaceFile(
      fs,
      LAYOUT.history,
      Buffer.concat([bytes, bytesOf(fs, LAYOUT.history).subarray(bytes.length)]),
    );
    expect(() => journal.append(note('lost'))).toThrow(GONE);
  });

  test('concludes nothing from a file that a failed sync of our own left longer', () => {
    const { fs, journal } = working();
    const { fdatasync } = fs;
    fs.fdatasync = (fd) => {
      throw fileSystemError('EIO', 'fdatasync', fd);
    };
    journal.append(note('lost'));
    expect(() => journal.sync()).toThrow(expect.objectContaining({ code: 'E_IO' }));
    fs.fdatasync = fdatasync;
    expect(journal.watch.isOurs()).toBe(true);
    expect(journal.watch.reason()).toBeNull();
    expect(() => journal.append(note('no'))).toThrow(expect.objectContaining({ code: 'E_IO' }));
  });

  test('takes too few file handles for no loss', () => {
    const { fs, journal } = working();
    const { open } = fs;
    fs.open = (path) => {
      throw fileSystemError('EMFILE', 'open', path);
    };
    for (let look = 0; look < 20; look++) expect(journal.watch.isOurs()).toBe(true);
    fs.open = open;
    expect(() => journal.append(note('fine'))).not.toThrow();
  });

  test('lets a scanner hold the file for some seconds, and no longer', () => {
    const { fs, journal } = working(createMemoryFileSystem({ platform: 'win32' }));
    const { open } = fs;
    fs.open = function (path, flags, mode) {
      if (path === LAYOUT.history) throw fileSystemError('EBUSY', 'open', path);
      return open.call(this, path, flags, mode);
    };
    const seen = Array.from({ length: 5 }, () => journal.watch.isOurs());
    expect(seen).toEqual([true, true, true, true, false]);
    const error = errorOf(() => journal.append(note('lost')));
    expect(error.message).toContain('cannot be read any more (EBUSY)');
    expect(placeIn(error)).not.toBe('');
  });
});

describe.runIf(process.platform === 'linux')('a folder that was renamed under its run', () => {
  const home = mkdtempSync(join(tmpdir(), 'tardigrade-lost-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  function workingIn(workspace: string) {
    mkdirSync(workspace);
    const fs = nodeFileSystem;
    const layout = layoutOf(workspace);
    prepareLayout(fs, layout);
    const ports = runPorts({ fs, layout, clock: { now: () => 1 } });
    return { ...createJournal(ports, openingOf('a goal', 1)), layout };
  }

  test('is named by its new name, as what to rename back', () => {
    const { journal, layout } = workingIn(join(home, 'one'));
    renameSync(layout.root, join(home, 'one', 'x'));
    const error = errorOf(() => journal.append(note('lost')));
    journal.close();
    expect(error.message).toContain(`It is ${join(home, 'one', 'x', 'history.jsonl')} now.`);
    expect(error.hint).toContain(`rename ${join(home, 'one', 'x')} to ${layout.root}`);
    expect(readFileSync(placeIn(error), 'utf8')).toContain('run_opened');
  });

  test('is not what to rename back where the journal alone was moved', () => {
    const { journal, layout } = workingIn(join(home, 'two'));
    renameSync(layout.history, join(home, 'history.jsonl'));
    const error = errorOf(() => journal.append(note('lost')));
    journal.close();
    expect(error.hint).toContain(`move it back to ${layout.history}`);
  });

  test('with its whole workspace is where to go on, and nothing is made in the old place', () => {
    const { journal } = workingIn(join(home, 'three'));
    renameSync(join(home, 'three'), join(home, 'four'));
    const error = errorOf(() => journal.append(note('lost')));
    journal.close();
    expect(error).toMatchObject({
      hint: `Go on in ${join(home, 'four')}`,
      command: ['resume'],
    });
    expect(nodeFileSystem.readdir(home)).not.toContain('three');
  });

  test('and copied back is known from the copy by its number', () => {
    const { journal, layout } = workingIn(join(home, 'five'));
    renameSync(layout.root, join(home, 'five', 'x'));
    cpSync(join(home, 'five', 'x'), layout.root, { recursive: true });
    expect(journal.watch.isOurs()).toBe(false);
    journal.close();
  });
});
