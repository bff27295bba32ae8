import { type FileSystem, nodeFileSystem } from '../../src/lib/files/file-system.ts';
import type { Located } from '../../src/schema/records.ts';

/**
 * The file system with a look at each record in the instant its line is written, which is before
 * observers hear of it. What `onRecord` throws ends the process there: nothing works any more.
 */
export function watchingRecords(fs: FileSystem, onRecord: (record: Located) => void): FileSystem {
  const journals = new Set<number>();
  let death: unknown = null;
  /** A line of which the disk took only a part so far. */
  let begun: { readonly bytes: Uint8Array; readonly offset: number } | null = null;
  const wrote = (bytes: Uint8Array, offset: number, count: number): void => {
    const line = begun ?? { bytes: bytes.slice(), offset };
    begun = count < bytes.length ? line : null;
    if (begun !== null) return;
    try {
      const { c: _checksum, ...record } = JSON.parse(Buffer.from(line.bytes).toString('utf8'));
      onRecord({ ...record, offset: line.offset } as Located);
    } catch (error) {
      death = error;
    }
  };
  return new Proxy(fs, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (death !== null) throw death;
        const result: unknown = value.apply(target, args);
        if (name === 'open' && String(args[0]).endsWith('history.jsonl') && args[1] === 'r+')
          journals.add(result as number);
        if (name === 'close') journals.delete(args[0] as number);
        if (name === 'ftruncate') begun = null;
        if (name === 'write' && journals.has(args[0] as number))
          wrote(args[1] as Uint8Array, args[2] as number, result as number);
        return result;
      };
    },
  });
}

export const watchingSystem = (onRecord: (record: Located) => void): FileSystem =>
  watchingRecords(nodeFileSystem, onRecord);
