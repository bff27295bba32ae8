/** Pure: what CMake and CTest may be asked to do with the project that exists when a run opens. */
import {
  type CommandRule,
  type CommandRules,
  hashesOf,
  pathsInside,
  refuse,
} from '../commands/command-rule.ts';
import { changedSteering, type SteeringFiles, unknownIn } from './as-taken.ts';

const MANIFEST = 'CMakeLists.txt';
const STARTS = [MANIFEST, 'CMakePresets.json', 'CMakeUserPresets.json'];
const isWritten = (path: string): boolean =>
  /(?:^|\/)(?:CMakeLists\.txt|CMake(?:User)?Presets\.json|[^/]+\.cmake)$/.test(path);
/**
 * What CMake makes in the folder of a build. Who writes such a file by hand reaches no more than by code that a
 * build compiles and its tests run.
 */
const isGenerated = (path: string): boolean =>
  /(?:^|\/)(?:CMakeFiles|_deps)\/|(?:^|\/)(?:cmake_install|CTestTestfile|CPack\w*Config|[^/]*(?:Config|Targets)\w*(?:-\w+)?)\.cmake$/.test(
    path,
  );

const STEERING: SteeringFiles = {
  manifest: MANIFEST,
  compared: STARTS,
  is: (path) => isWritten(path) && !isGenerated(path),
};

const CONSTANT = String.raw`(?:ON|OFF|TRUE|FALSE|YES|NO|Debug|Release|RelWithDebInfo|MinSizeRel|\d+)`;
/** Of the variables only switches and the kind of build: others name compilers, flags and places. */
const CONFIGURING = new RegExp(
  `^(?:-D\\w+(?::(?:BOOL|STRING))?=${CONSTANT}|-W(?:no-)?dev|--fresh)$`,
);
const BUILDING = /^(?:-v|--verbose|-j\d*)$/;
const TESTING =
  /^(?:-V|-VV|-N|-Q|-j\d*|--verbose|--extra-verbose|--output-on-failure|--progress|--quiet|--stop-on-failure|--rerun-failed|--show-only|--no-tests=\w+)$/;

/** Options that take the next word. */
const TAKING = {
  configure: ['-S', '-B', '-G'],
  build: ['--build', '-t', '--target', '--config', '-j', '--parallel'],
  test: [
    '--test-dir',
    '-R',
    '-E',
    '-L',
    '-LE',
    '-C',
    '--build-config',
    '-j',
    '--parallel',
    '--timeout',
  ],
} as const;

const cmakeRule: CommandRule = (args, options) => {
  if (args.length === 1 && args[0] === '--version') return null;
  const isBuild = args[0] === '--build';
  const other = isBuild
    ? unknownIn(args, (word) => BUILDING.test(word), TAKING.build)
    : unknownIn(args, (word) => CONFIGURING.test(word), TAKING.configure);
  // Without a folder for the build, files would be made among the sources.
  if (other !== undefined || !(isBuild || args.includes('-B')))
    return refuse(
      'cmake',
      `cmake ${other ?? 'without -B'} is not allowed, only cmake -S DIR -B DIR with switches, and cmake --build DIR.`,
    );
  return changedSteering('cmake', STEERING, options) ?? pathsInside('cmake', args, options);
};

const ctestRule: CommandRule = (args, options) => {
  const other = unknownIn(args, (word) => TESTING.test(word), TAKING.test);
  if (args.length === 1 && args[0] === '--version') return null;
  if (other !== undefined)
    return refuse(
      'ctest',
      `ctest ${other} is not allowed, only options that choose and show tests.`,
    );
  return changedSteering('ctest', STEERING, options) ?? pathsInside('ctest', args, options);
};

export const cmake: CommandRules = {
  rules: { cmake: cmakeRule, ctest: ctestRule },
  description: 'cmake -S DIR -B DIR, cmake --build DIR, ctest --test-dir DIR',
  runExample: 'cmake --build build',
  builds: {
    files: [MANIFEST],
    take: (view) => (view.readText(MANIFEST) === null ? {} : hashesOf(STARTS, view)),
    verbs: (taken) =>
      taken[MANIFEST] === undefined
        ? []
        : ['cmake -S DIR -B DIR', 'cmake --build DIR', 'ctest --test-dir DIR'],
  },
};
