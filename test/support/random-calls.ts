/** Calls of tools, programs in the background and meddlers that do whatever dice say. */
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import type { StartBackground } from '../../src/processes/background.ts';
import type { ScriptedCall } from './scripted-provider.ts';
import type { TestMachine } from './test-machine.ts';

/** From 0 to 99. */
export type Roll = () => number;

/** Rolled in turn, from the start again when they are used up. */
export function rolling(dice: readonly number[]): Roll {
  let next = 0;
  return () => dice[next++ % dice.length] ?? 0;
}

export const pick = <Value>(from: readonly Value[], number: number): Value =>
  from[number % from.length] as Value;

export const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });

const OUTSIDE = ['../x.txt', '.env', 'sub'];

/** @param files paths relative to the workspace */
export function randomCall(files: readonly string[], roll: Roll): ScriptedCall {
  const file = pick(files, roll());
  const path = pick([...files, ...OUTSIDE], roll());
  const content = `${roll()}\n`.repeat(pick([1, 3, 400], roll()));
  const cmd = pick(['node b.mjs', 'node none.mjs', 'rm a.txt', 'node meddle'], roll());
  const [first, ...others] = [path, file].map((one) => ({ path: one, content }));
  const patch = `*** Begin Patch\n*** Add File: ${path}\n+one\n*** Delete File: ${file}\n*** End Patch\n`;
  const id = pick(['bg1', 'bg2'], roll());
  return pick(
    [
      call('write_file', { path, content }),
      call('write_file', { path: file, content }),
      call('write_files', { files: [first, ...others] }),
      call('edit_file', { path: file, old_text: '1', new_text: content }),
      call('apply_patch', { patch }),
      call('delete_file', { path: file }),
      call('move_file', { path: file, to: path }),
      call('read_file', { path }),
      call('list_dir', { path: '.' }),
      call('search_text', { pattern: '1' }),
      call('run_cmd', { cmd }),
      call('run_cmd', { cmd: 'node meddle' }),
      call('run_cmd', { cmd, background: true }),
      call('read_output', { id, wait_sec: 1 }),
      call('stop_process', { id }),
      call('write_file', {}),
      call('fly', { to: 'the moon' }),
    ],
    roll(),
  );
}

/** Puts a file, a folder or nothing where something was. @param folder absolute */
export function meddle(fs: FileSystem, folder: string, files: readonly string[], roll: Roll): void {
  const path = `${folder}/${pick([...files, 'sub'], roll())}`;
  const isFolder = kindOf(fs, path) === 'directory';
  removeAll(fs, path);
  const die = roll() % 4;
  if (die === 0) put(fs, isFolder ? path : `${path}/inner.txt`);
  else if (die === 1) makeFolder(fs, path);
  else if (die === 2) put(fs, path);
}

const kindOf = (fs: FileSystem, path: string): string | null => {
  try {
    return fs.lstat(path).kind;
  } catch {
    return null;
  }
};

function removeAll(fs: FileSystem, path: string): void {
  const kind = kindOf(fs, path);
  if (kind === 'file') fs.unlink(path);
  if (kind !== 'directory') return;
  for (const name of fs.readdir(path)) removeAll(fs, `${path}/${name}`);
  fs.rmdir(path);
}

/** Not below what is a file now. */
function makeFolder(fs: FileSystem, path: string): void {
  const parts = path.split('/');
  for (let count = 2; count <= parts.length; count += 1) {
    const part = parts.slice(0, count).join('/');
    const kind = kindOf(fs, part);
    if (kind === 'file') return;
    if (kind === null) fs.mkdir(part);
  }
}

function put(fs: FileSystem, path: string): void {
  const parent = path.slice(0, path.lastIndexOf('/'));
  makeFolder(fs, parent);
  if (kindOf(fs, parent) !== 'directory') return;
  const fd = fs.open(path, 'w');
  fs.write(fd, Buffer.from('by somebody else\n'), 0);
  fs.close(fd);
}

const LONGEST_LOOK = 50;

/** Its programs in the background end after a few looks, or nearly always when they are ended. */
export function withBackground(machine: TestMachine, roll: Roll): TestMachine {
  const background: StartBackground = async (_request, hooks) => {
    if (roll() % 9 === 0) return 'It cannot be started.';
    hooks.onSpawn(5000, '');
    // Time stands still, so whoever waits for one that runs on would look for ever.
    let looks = roll() % 4 || LONGEST_LOOK;
    let exit: { exitCode: number | null; signal: null } | null = null;
    return {
      output: () => ({ text: 'beside\n', leftOutBytes: 0 }),
      printed: () => 1,
      exit: () => {
        looks -= 1;
        if (looks === 0) exit ??= { exitCode: roll() % 2, signal: null };
        return exit;
      },
      addresses: () => [],
      wait: async () => {},
      end: async () => {
        exit ??= { exitCode: null, signal: null };
      },
    };
  };
  return { ...machine, processes: (...given) => ({ ...machine.processes(...given), background }) };
}
