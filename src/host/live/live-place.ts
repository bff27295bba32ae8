/** Where live channels of this user are kept and found, and which folders the programs of a run may not reach. */
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { orNull } from '../../lib/or-null.ts';
import { type LivePlace, socketFoldersOf } from '../../live/socket-folder.ts';
import type { Machine } from '../../run/machine.ts';
import type { HostEnvironment } from '../host-environment.ts';

/** @param env of this process; the library has none */
export function livePlaceOf(
  { fs, identity }: Pick<Machine, 'fs' | 'identity'>,
  dataFolder: string,
  env: HostEnvironment['env'] = {},
): LivePlace {
  const isGiven = (path: string | undefined): path is string =>
    path !== undefined && pathsOf(fs.platform).isAbsolute(path);
  const { XDG_RUNTIME_DIR: runtime, TMPDIR: temporary } = env;
  return {
    fs,
    identity,
    dataFolder,
    user: userNumber(),
    runtimeFolder: isGiven(runtime) ? runtime : null,
    temporary: isGiven(temporary) ? temporary : '/tmp',
    random: randomBytes,
  };
}

function userNumber(): number | null {
  // Without an entry for this user, the owner of a folder cannot be determined.
  const uid = orNull(userInfo)?.uid ?? -1;
  return uid < 0 ? null : uid;
}

export const foldersIn = (place: LivePlace): readonly string[] =>
  place.fs.platform === 'win32' ? [] : socketFoldersOf(place);
