/**
 * The folder for the sockets of live channels: created by this user, or by the system for this user, and closed to
 * everybody else.
 */
import { pathsOf } from '../lib/files/absolute-paths.ts';
import { errorCode, makeDirectory } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';

const PROGRAM = 'tardigrade-agent';
/** The longest socket path, in bytes; systems allow 104 or 108. */
const MAX_NAME = 100;
const NAME_BYTES = '/'.length + 32 + '.sock'.length;

export interface LivePlace {
  readonly fs: FileSystem;
  /** Absolute; the program's folder among its user's data. */
  readonly dataFolder: string;
  /** From `XDG_RUNTIME_DIR`; `null`: not set. */
  readonly runtimeFolder: string | null;
  /** The system's own folder for temporary files, absolute. */
  readonly temporary: string;
  /** The id of this user; `null` on systems without one. */
  readonly user: number | null;
  readonly identity: ProcessIdentity;
  random(bytes: number): Uint8Array;
}

type FolderPlace = Omit<LivePlace, 'identity' | 'dataFolder' | 'random'>;

/** The folders where sockets may be, the first choice first; absolute. */
export function socketFoldersOf({
  fs,
  runtimeFolder,
  temporary,
  user,
}: FolderPlace): readonly string[] {
  const { join } = pathsOf(fs.platform);
  return [
    ...(runtimeFolder === null ? [] : [join(runtimeFolder, PROGRAM)]),
    join(temporary, `${PROGRAM}-${user ?? 'user'}`),
  ];
}

/** The folder to use, created if missing; or why there is none, as a whole sentence. */
export function socketFolder(
  place: FolderPlace,
): { readonly folder: string } | { readonly why: string } {
  let why = '';
  for (const folder of socketFoldersOf(place)) {
    why = whyNot(folder, place);
    if (why === '') return { folder };
  }
  return { why };
}

/** Why no socket can be in the folder; '' if one can. */
function whyNot(folder: string, { fs, runtimeFolder, user }: FolderPlace): string {
  if (Buffer.byteLength(folder) + NAME_BYTES > MAX_NAME)
    return `The name of a socket in ${folder} would be too long.`;
  const { dirname } = pathsOf(fs.platform);
  if (dirname(folder) === runtimeFolder && !isOwn(fs, runtimeFolder, user))
    return `${runtimeFolder} is not a folder of this user alone.`;
  return made(fs, folder, user);
}

/**
 * Creates the folder if it is missing. Returns '' if it belongs to this user and is closed to everybody else,
 * or the fault.
 */
function made(fs: FileSystem, folder: string, user: number | null): string {
  try {
    makeDirectory(fs, folder, 0o700);
  } catch (error) {
    return `${folder} cannot be made (${errorCode(error) || 'it is no folder'}).`;
  }
  return isOwn(fs, folder, user) ? '' : `${folder} is not a folder of this user alone.`;
}

/** True if the path is a folder of this user alone, and not a link to one. */
function isOwn(fs: FileSystem, folder: string, user: number | null): boolean {
  const info = orNull(() => fs.lstat(folder));
  if (info?.kind !== 'directory' || (info.mode & 0o077) !== 0) return false;
  return user !== null && info.owner === user;
}
