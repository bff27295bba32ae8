/** A disk whose files in the workspace fail now and then, as dice say. */
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { pick, type Roll } from './random-calls.ts';
import { type TestMachine, WORKSPACE } from './test-machine.ts';

/** What each operation fails with on the systems that we know. */
const CODES: { readonly [operation: string]: readonly string[] } = {
  open: ['EACCES', 'EPERM', 'EIO', 'EBUSY', 'EMFILE', 'ENOENT', 'ENOSPC'],
  read: ['EIO'],
  write: ['ENOSPC', 'EIO'],
  fsync: ['EIO', 'ENOSPC'],
  ftruncate: ['EIO'],
  fchmod: ['EPERM'],
  lstat: ['EACCES', 'EIO', 'ENOENT'],
  stat: ['EACCES', 'EIO', 'ENOENT'],
  realpath: ['EACCES', 'ENOENT'],
  rename: ['EACCES', 'EPERM', 'EBUSY', 'ENOSPC', 'EIO'],
  link: ['EPERM', 'ENOSPC'],
  unlink: ['EACCES', 'EPERM', 'EBUSY'],
  mkdir: ['EACCES', 'ENOSPC'],
  rmdir: ['EACCES', 'EBUSY', 'ENOTEMPTY'],
  readdir: ['EACCES', 'EIO', 'EMFILE'],
  kinds: ['EACCES', 'EIO', 'EMFILE'],
};

const failure = (code: string, operation: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${operation} '${path}'`), { code, syscall: operation });

/** Our own state, whose faults `npm run crash` plays. */
const isOurs = (path: string): boolean => /[\\/]\.agent_context([\\/]|$)/.test(path);

/** @param mean of so many operations one fails; 0: none does */
export function withFaults(machine: TestMachine, roll: Roll, mean: number): TestMachine {
  if (mean === 0) return machine;
  const paths = new Map<number, string>();
  let state = 1 + roll();
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state >> 8;
  };
  const fs = new Proxy(machine.fs, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const [first] = args;
        const path = typeof first === 'number' ? (paths.get(first) ?? '') : String(first);
        const codes = CODES[String(name)] ?? [];
        if (
          codes.length > 0 &&
          path !== '' &&
          path !== WORKSPACE &&
          !isOurs(path) &&
          next() % mean === 0
        )
          throw failure(pick(codes, next()), String(name), path);
        const result: unknown = value.apply(target, args);
        if (name === 'open') paths.set(result as number, String(first));
        if (name === 'close') paths.delete(first as number);
        return result;
      };
    },
  }) as FileSystem;
  return { ...machine, fs };
}
