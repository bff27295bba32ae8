/**
 * What a person decided about the servers of a project: stored in the user's data folder, signed, and bound to the
 * folder and the exact definition.
 * 1. A decision without a signature by this user's key does not count.
 * 2. Another definition under the same name is another server, and is asked about anew.
 */
import * as z from 'zod';
import { ensureDirectory, replaceFile } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { readFileAs } from '../../lib/files/json-file.ts';
import { isMacOf, macOf, type SignedFields } from '../../lib/mac.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { ServerConsents } from '../engine-port.ts';
import { cannotSign } from '../journals/origin.ts';
import type { OriginKeys } from '../journals/origin-key.ts';
import { folderFile } from './folder-file.ts';

const StoredConsent = z.object({
  name: z.string(),
  /** sha256 in hex. */
  definition: z.string(),
  allowed: z.boolean(),
  mac: z.string(),
});
type StoredConsent = z.infer<typeof StoredConsent>;
const StoredConsents = z.object({ folder: z.string(), servers: z.array(StoredConsent) });

const MAX = 200;

/** What a decision is about; a decision about another kind does not count. */
const KINDS = {
  servers: 'server_consent',
  programs: 'program_consent',
  commands: 'command_consent',
} as const;

export function serverConsents(
  place: { readonly fs: FileSystem; readonly dataFolder: string; readonly keys: OriginKeys },
  room: keyof typeof KINDS = 'servers',
): ServerConsents {
  const { fs, keys } = place;
  const kind = KINDS[room];
  const at = (workspace: string) => folderFile(place, room, workspace);
  const saidIn = (workspace: string): readonly StoredConsent[] => {
    const reading = keys.find();
    if (reading.kind !== 'ok') return [];
    const { folder, file } = at(workspace);
    return (readFileAs(fs, file, StoredConsents)?.servers ?? []).filter((said) =>
      isMacOf(reading.key, signedOf(kind, folder, said), said.mac),
    );
  };
  const write = (workspace: string, servers: readonly StoredConsent[]): void => {
    const { folder, directory, file } = at(workspace);
    ensureDirectory(fs, directory);
    replaceFile(fs, file, Buffer.from(`${JSON.stringify({ folder, servers }, null, 2)}\n`));
  };
  return {
    of: ({ workspace, name, definition }) => {
      const said = saidIn(workspace).findLast((one) => one.name === name);
      if (said === undefined) return 'none';
      if (said.definition !== sha256(definition)) return said.allowed ? 'changed' : 'none';
      return said.allowed ? 'yes' : 'no';
    },
    save: ({ workspace, name, definition }, allowed) => {
      const reading = keys.findOrMake();
      if (reading.kind !== 'ok')
        throw cannotSign(reading.why, fs.platform, 'The answer cannot be kept');
      const { folder } = at(workspace);
      const bare = { name, definition: sha256(definition), allowed };
      const mac = macOf(reading.key, signedOf(kind, folder, bare));
      const others = saidIn(workspace).filter((one) => one.name !== name);
      write(workspace, [...others, { ...bare, mac }].slice(-MAX));
    },
    forget: (workspace, name) => {
      const all = saidIn(workspace);
      const left = all.filter((one) => name !== null && one.name !== name);
      if (left.length < all.length) write(workspace, left);
      return all.filter((one) => !left.includes(one)).map((one) => one.name);
    },
  };
}

const signedOf = (
  kind: string,
  folder: string,
  { name, definition, allowed }: Omit<StoredConsent, 'mac'>,
): SignedFields => [...[kind, folder, name, definition], allowed];
