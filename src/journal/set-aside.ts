/** `set-aside.json`: records that there is no journal because a person had the last one set aside. */
import { readFileIfPresent, replaceFile } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { isRecord, jsonIn } from '../lib/json-value.ts';
import type { Layout } from './layout.ts';

export interface SetAside {
  /** The run's id, if it could be read. */
  readonly run: string | null;
  /** File names in `quarantine/`. */
  readonly parts: readonly string[];
}

export function markSetAside(fs: FileSystem, { setAside }: Layout, mark: SetAside): void {
  replaceFile(fs, setAside, Buffer.from(`${JSON.stringify(mark, null, 2)}\n`));
}

/** `null` if the file is missing or invalid. */
export function readSetAside(fs: FileSystem, { setAside }: Layout): SetAside | null {
  const bytes = readFileIfPresent(fs, setAside);
  if (bytes === null) return null;
  const mark = jsonIn(bytes.toString());
  if (!isRecord(mark)) return null;
  const { run = null, parts } = mark as Partial<SetAside>;
  const names = Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : [];
  return { run, parts: names };
}
