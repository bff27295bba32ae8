import { type FileSystem, nodeFileSystem } from '../../src/lib/files/file-system.ts';

const CHANGING = [
  ...['open', 'write', 'fsync', 'fdatasync', 'ftruncate', 'fchmod'],
  ...['rename', 'link', 'unlink', 'mkdir', 'rmdir'],
] as const;

/** A process that dies before its n-th change of the disk, and does nothing more then. */
export interface Lifetime {
  readonly fs: Partial<FileSystem>;
  /** Counts as one more change, for journals kept in memory. */
  beat(): void;
  readonly isDead: () => boolean;
}

export function lifetime(changes: number, fs: FileSystem = nodeFileSystem): Lifetime {
  let left = changes;
  let isDead = false;
  const beat = (): void => {
    if (left-- <= 0) isDead = true;
    if (isDead) throw new Error('killed');
  };
  const wrapped = CHANGING.map((name) => {
    const real = fs[name].bind(fs) as (...args: unknown[]) => unknown;
    const operation = (...args: unknown[]): unknown => {
      if (name === 'open' && args[1] === 'r') {
        if (isDead) throw new Error('killed');
      } else {
        beat();
      }
      return real(...args);
    };
    return [name, operation];
  });
  return { fs: Object.fromEntries(wrapped), beat, isDead: () => isDead };
}
