/**
 * The folder for the sockets of live channels: one that this user has made, or that the system has made for this
 * user, and that nobody else can enter.
 */
import { errorCode, makeDirectory } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';
import { pathsOf } from '../workspace/jail.ts';

const PROGRAM = 'tardigrade-agent';
/** Of a socket, in bytes; systems end it at 104 or 108. */
const MOST_NAME = 100;
/** Of the last part of one. */
const NAME_BYTES = '/'.length + 32 + '.sock'.length;

export interface LivePlace {
  readonly fs: FileSystem;
  /** Absolute; of this program in the folders of its user. */
  readonly dataFolder: string;
  /** As `XDG_RUNTIME_DIR` says; `null`: nothing is said. */
  readonly runtimeFolder: string | null;
  /** The system's own folder for temporary files, absolute. */
  readonly temporary: string;
  /** Number of this user; `null` where users have none. */
  readonly user: number | null;
  readonly identity: ProcessIdentity;
  random(bytes: number): Uint8Array;
}

type FolderPlace = Omit<LivePlace, 'identity' | 'dataFolder' | 'random'>;

/** Where they may lie, the first choice first; absolute. */
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

/** The one to use, made where it is missing; or why there is none, as a whole sentence. */
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

/** '' where sockets can lie there. */
function whyNot(folder: string, { fs, runtimeFolder, user }: FolderPlace): string {
  if (Buffer.byteLength(folder) + NAME_BYTES > MOST_NAME)
    return `The name of a socket in ${folder} would be too long.`;
  const { dirname } = pathsOf(fs.platform);
  if (dirname(folder) === runtimeFolder && !isOwn(fs, runtimeFolder, user))
    return `${runtimeFolder} is not a folder of this user alone.`;
  return made(fs, folder, user);
}

/** '' where it is there, this user's, and closed to everybody else. */
function made(fs: FileSystem, folder: string, user: number | null): string {
  try {
    makeDirectory(fs, folder, 0o700);
  } catch (error) {
    return `${folder} cannot be made (${errorCode(error) || 'it is no folder'}).`;
  }
  return isOwn(fs, folder, user) ? '' : `${folder} is not a folder of this user alone.`;
}

/** Nobody else may put a link there either. */
function isOwn(fs: FileSystem, folder: string, user: number | null): boolean {
  try {
    const { kind, mode, owner } = fs.lstat(folder);
    return kind === 'directory' && (mode & 0o077) === 0 && user !== null && owner === user;
  } catch {
    return false;
  }
}
