/** Creates a first folder for an agent, and its first document. Nothing that exists is changed. */

import { TardigradeError } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  errorCode,
  fileKindAt,
  storageError,
  withStorageErrors,
  writeWholeFile,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { KnownNames } from '../../run/start/common-options.ts';
import { INSTRUCTION_FILES } from '../../run/start/instruction-files.ts';
import { dataFolderOf } from '../user/user-folders.ts';
import { checkQuery, requireWorkspace } from './checked-call.ts';
import { machineOf, type Where } from './place.ts';

/** The folder to create, or the environment that locates the user's data folder. */
export interface WorkspaceOptions extends Pick<Where, 'machine'> {
  /** Left out: the folder `workspace` in the user's data folder, which `env` locates. */
  readonly workspace?: string;
  readonly env?: { readonly [name: string]: string | undefined };
}

const OF_A_NEW_ONE: KnownNames<WorkspaceOptions> = { workspace: true, machine: true, env: true };

/** Creates the folder and missing ones above it. Resolves to it. Throws E_WORKSPACE, E_DISK_FULL, E_IO. */
export async function ensureWorkspace(request: WorkspaceOptions): Promise<string> {
  checkQuery('ensureWorkspace', request, OF_A_NEW_ONE);
  const { fs } = machineOf(machineOption(request));
  const { join } = pathsOf(fs.platform);
  const { env = {}, workspace } = request;
  const folder = workspace ?? join(dataFolderOf({ env, platform: fs.platform }), 'workspace');
  makeFolder(fs, folder);
  return folder;
}

const machineOption = ({ machine }: WorkspaceOptions) => (machine === undefined ? {} : { machine });

function makeFolder(fs: FileSystem, folder: string): void {
  const { dirname } = pathsOf(fs.platform);
  const kind = fileKindAt(fs, folder);
  if (kind === 'directory') return;
  if (kind !== null)
    throw new TardigradeError('E_WORKSPACE', `${folder} is not a folder.`, 'Name another one.');
  if (dirname(folder) !== folder) makeFolder(fs, dirname(folder));
  withStorageErrors(`making ${folder}`, () => fs.mkdir(folder));
}

const [STARTER] = INSTRUCTION_FILES;

const TEXT = `# What an agent should know here

- What this folder is for:
- How it is built and tested:
- What must not be changed:
`;

/** Writes a first AGENTS.md if there is none. Resolves to the new names. Throws E_DISK_FULL, E_IO. */
export async function scaffoldBootstrapFiles(
  where: Pick<Where, 'workspace' | 'machine'>,
): Promise<readonly string[]> {
  checkQuery('scaffoldBootstrapFiles', where, { workspace: true, machine: true });
  requireWorkspace(where);
  const { fs } = machineOf(where);
  return writeStarter(fs, where.workspace) ? [STARTER] : [];
}

/** Writes AGENTS.md; false if one exists. Throws E_DISK_FULL, E_IO. */
export function writeStarter(fs: FileSystem, workspace: string): boolean {
  const path = pathsOf(fs.platform).join(workspace, STARTER);
  try {
    writeWholeFile(fs, path, Buffer.from(TEXT), { flags: 'wx', mode: 0o644 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw storageError(error, `writing ${path}`);
  }
}
