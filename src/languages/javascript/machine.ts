/** node and npm on a machine: their caches, and how their programs are found. */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  isFile,
  locateProgram,
  type ProgramPlaces,
  type Resolution,
} from '../../processes/programs/locate.ts';
import type { ProgramFolder } from '../../processes/programs/program-finder.ts';
import type { OnMachine } from '../language.ts';
import { isRunnable } from './files.ts';
import { installedPrograms } from './scripts.ts';

export const machine: OnMachine = {
  caches: { names: ['node_modules'], endings: [] },
  find: (name, places) => Promise.resolve(findProgram(name, places)),
  runnerOf: (path) => (isRunnable(path) ? 'node' : null),
  startExample: 'node FILE.js',
  quiet: {
    // npm's log level is not set: pnpm would take it for its own, and hide what scripts of several packages
    // print.
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
  },
  steering: ['.npmrc', '.yarnrc.yml', '.pnpmfile.cjs', 'bunfig.toml'],
  // The shims of version managers on PATH read these.
  kept: ['NVM_DIR', 'VOLTA_HOME'],
  programFolders: () => [INSTALLED],
  dependencyFolders: ['node_modules', 'bower_components'],
  packageFiles: (namesIn) =>
    packagesIn('node_modules', namesIn).flatMap((folder) =>
      ['package.json', 'index.js', 'index.mjs', 'index.cjs'].map((name) => `${folder}/${name}`),
    ),
  packageLinks: (namesIn) =>
    foldersOfPackages(namesIn).flatMap((folder) => [
      ...packagesIn(folder, namesIn),
      ...namesIn(`${folder}/.bin`).map((name) => `${folder}/.bin/${name}`),
    ]),
  packages: { describedBy: 'package.json', folder: 'node_modules' },
  usefulPrograms: [],
};

const MAX_FOLDERS = 500;
const DEEPEST = 4;

/** Each package of a workspace may have a folder of its own for what it uses, as pnpm makes them. */
function foldersOfPackages(namesIn: (folder: string) => readonly string[]): readonly string[] {
  const found = ['node_modules'];
  const folders = namesIn('.').filter(isOfWorkspace);
  for (let next = 0; next < Math.min(folders.length, MAX_FOLDERS); next += 1) {
    const folder = folders[next] ?? '';
    const names = namesIn(folder);
    if (names.includes('node_modules')) found.push(`${folder}/node_modules`);
    if (folder.split('/').length < DEEPEST)
      folders.push(...names.filter(isOfWorkspace).map((name) => `${folder}/${name}`));
  }
  return found;
}

/** True for the name of a possible package folder. A name with an ending usually belongs to a file. */
const isOfWorkspace = (name: string): boolean => name !== 'node_modules' && !name.includes('.');

/** Names with a dot belong to npm's own tools; a scope contains packages. */
const packagesIn = (
  folder: string,
  namesIn: (folder: string) => readonly string[],
): readonly string[] =>
  namesIn(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? packagesIn(`${folder}/${name}`, namesIn) : [`${folder}/${name}`],
    );

function findProgram(name: string, places: ProgramPlaces): Resolution | null {
  if (places.platform === 'win32' && (name === 'npm' || name === 'npx'))
    return findNpm(name, places);
  const { nodePath } = places;
  if (name !== 'node' || nodePath === null || locateProgram(name, places) !== null) return null;
  return { kind: 'found', file: nodePath, prefix: [], notice: '' };
}

/** npm and npx are `.cmd` files on Windows that start a script for node. */
function findNpm(name: 'npm' | 'npx', places: ProgramPlaces): Resolution {
  const paths = pathsOf(places.platform);
  const node = locateProgram('node', places) ?? places.nodePath;
  // A newer npm, installed by npm itself, comes before node's own npm on PATH.
  const folders = places.searchPath.filter((folder) =>
    isFile(paths.join(folder, `${name}.cmd`), places),
  );
  const beside = [node, places.nodePath].flatMap((file) =>
    file === null ? [] : paths.dirname(file),
  );
  for (const folder of [...folders, ...beside]) {
    if (node === null) break;
    const script = paths.join(folder, 'node_modules', 'npm', 'bin', `${name}-cli.js`);
    if (isFile(script, places)) return { kind: 'found', file: node, prefix: [script], notice: '' };
  }
  return {
    kind: 'missing',
    reason: `${name} was not found beside node.exe or on PATH.`,
    hint: 'Install Node.js with npm, or do without it: node FILE.js',
  };
}

const INSTALLED: ProgramFolder = {
  root: 'node_modules',
  programs: 'node_modules/.bin',
  declares: (view) => {
    const manifests = new Map<string, readonly string[]>();
    for (const { program, manifest } of installedPrograms(view))
      manifests.set(program, [...(manifests.get(program) ?? []), manifest]);
    return (name) => manifests.get(name) ?? null;
  },
};
