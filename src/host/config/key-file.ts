/** Keys that a person pasted: in a file of their own beside the settings, readable only by its user. */
import * as z from 'zod';
import { misuse } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  ensureDirectory,
  fileKindAt,
  readFileIfPresent,
  replaceFile,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { jsonIn } from '../../lib/json-value.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { configFolderOf } from '../user/user-folders.ts';
import type { Accounts, OwnProviderSettings } from './accounts.ts';
import { PASTED_KEYS_FILE } from './find.ts';

const Keys = z.record(z.string().max(64), z.string().min(1).max(10_000));
export type PastedKeys = z.infer<typeof Keys>;

/** By provider. Throws E_USAGE for an invalid file and for one that others may read, without repeating its content. */
export function readKeyFile(fs: FileSystem, path: string): PastedKeys {
  const bytes = fileKindAt(fs, path) === 'file' ? readFileIfPresent(fs, path) : null;
  if (bytes === null) return {};
  refuseOpen(fs, path);
  const parsed = Keys.safeParse(jsonIn(bytes.toString('utf8')));
  if (parsed.success) return parsed.data;
  throw misuse(
    `The keys in ${path} cannot be read: the file must be JSON, {"PROVIDER": "KEY"}.`,
    'Fix the file, or remove it and give the keys again.',
  );
}

/** Saves durably, readable only by this user. Returns the path. Throws E_IO and E_DISK_FULL. */
export function saveKey(
  fs: FileSystem,
  place: Pick<HostEnvironment, 'env' | 'platform'>,
  provider: string,
  key: string,
): string {
  const folder = configFolderOf(place);
  const path = pathsOf(place.platform).join(folder, PASTED_KEYS_FILE);
  ensureDirectory(fs, folder);
  const keys = { ...readKeyFile(fs, path), [provider]: key };
  replaceFile(fs, path, Buffer.from(`${JSON.stringify(keys, null, 2)}\n`));
  return path;
}

/** The settings of a provider take precedence over a pasted key. */
export function withKeys(accounts: Accounts, keys: PastedKeys): Accounts {
  const providers: { [name: string]: OwnProviderSettings | undefined } = { ...accounts.providers };
  for (const [name, apiKey] of Object.entries(keys)) {
    const { apiKey: own, apiKeyCommand } = providers[name] ?? {};
    if (own === undefined && apiKeyCommand === undefined)
      providers[name] = { ...providers[name], apiKey };
  }
  return { ...accounts, providers };
}

/** Refuses what ssh refuses for a private key. On Windows a file mode does not say who may read. */
function refuseOpen(fs: FileSystem, path: string): void {
  if (fs.platform === 'win32') return;
  const mode = fs.stat(path).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  throw misuse(
    `The keys in ${path} are not used: others on this machine may read the file (mode ${mode.toString(8)}).`,
    `Make it yours alone: chmod 600 ${path}`,
  );
}
