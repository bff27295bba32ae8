/** Finds the folders outside a workspace from which programs are read, as far as they can be determined. */
import { toolFolders } from '../../languages/commands/allowed-commands.ts';
import { PROGRAMS } from '../../languages/commands/programs.ts';
import { isInside, pathsOf } from '../../lib/files/absolute-paths.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import { realOr } from '../../processes/programs/search-path.ts';

export interface ToolPlaces {
  readonly fs: Pick<FileSystem, 'stat' | 'realpath' | 'platform'>;
  /** Absolute real path. */
  readonly workspace: string;
  readonly home: string | null;
  /** The environment that programs start with. */
  readonly env: { readonly [name: string]: string };
  /** Absolute path of the Node that runs this process. */
  readonly nodePath: string;
}

/** Names that identify an installation folder beside its programs. */
const INSTALLED = ['lib', 'lib64', 'libexec', 'versions', 'pyvenv.cfg', 'include'];

/** Each folder once, without any that contains the workspace or the user's home. */
export function toolRoots(places: ToolPlaces): readonly string[] {
  const { fs, workspace, home, env, nodePath } = places;
  const paths = pathsOf(fs.platform);
  const folders = searchPathOf(places);
  const roots = [...folders, paths.dirname(nodePath), ...valuesIn(env)].flatMap((folder) =>
    [folder, realOr(folder, fs)].map((one) => installationOf(one, places)),
  );
  const ofHome = home === null ? [] : toolFolders.map((folder) => paths.join(home, folder));
  const isOwn = (root: string): boolean =>
    [workspace, ...(home === null ? [] : [home])].some((own) => isInside(root, own, fs.platform));
  return [...new Set([...roots, ...ofHome])].filter((root) => isThere(root, fs) && !isOwn(root));
}

/** Folders of PATH outside the workspace. */
export const searchPathOf = ({ fs, env, workspace }: ToolPlaces): readonly string[] =>
  (env.PATH ?? '')
    .split(pathsOf(fs.platform).delimiter)
    .filter((folder) => folder !== '' && !isInside(workspace, realOr(folder, fs), fs.platform));

/** Version managers give their folders in variables. */
const valuesIn = (env: ToolPlaces['env']): readonly string[] =>
  [...PROGRAMS.kept, 'ASDF_DIR', 'ASDF_DATA_DIR'].flatMap((name) => {
    const value = env[name] ?? '';
    return /^\/[^:]+$/.test(value) ? [value] : [];
  });

function installationOf(folder: string, { fs, workspace, home }: ToolPlaces): string {
  const paths = pathsOf(fs.platform);
  const above = paths.dirname(folder);
  const isShared = paths.basename(above) === '.local' || above === workspace || above === home;
  if (isShared || !/^(?:bin|sbin|shims)$/.test(paths.basename(folder))) return folder;
  return INSTALLED.some((name) => isThere(paths.join(above, name), fs)) ? above : folder;
}

export const isThere = (path: string, fs: Pick<FileSystem, 'stat'>): boolean =>
  orNull(() => fs.stat(path)) !== null;
