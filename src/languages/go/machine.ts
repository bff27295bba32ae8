/** Go on a machine: how its programs are found, and which settings of the user they need. */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  locateAll,
  locateProgram,
  type ProgramPlaces,
  type Resolution,
} from '../../processes/programs/locate.ts';
import type { OnMachine } from '../language.ts';
import { isRunnable } from './files.ts';

export const machine: OnMachine = {
  // Go's caches lie outside workspaces; a vendor folder is part of a project.
  caches: { names: [], endings: [] },
  find: (name, places) => Promise.resolve(name === 'gofmt' ? findFormatter(places) : null),
  runnerOf: (path) => (isRunnable(path) ? 'go run' : null),
  /**
   * Go is quiet by default. GOTOOLCHAIN=local would fail if a project is built with a toolchain fetched
   * earlier, GOPROXY=off if the dependencies pinned in go.sum are fetched first.
   */
  quiet: {},
  // The locations of modules, caches and toolchains; the allowed toolchain; a version manager.
  kept: ['GOROOT', 'GOPATH', 'GOMODCACHE', 'GOCACHE', 'GOTOOLCHAIN', 'GOENV_ROOT', 'GOENV_VERSION'],
  programFolders: () => [],
  // Most goals do not need Go, and `go --version` is not a command.
  usefulPrograms: [],
};

/** gofmt comes with go, but some system packages link only one of them. */
function findFormatter(places: ProgramPlaces): Resolution | null {
  if (locateProgram('gofmt', places) !== null) return null;
  const paths = pathsOf(places.platform);
  for (const go of locateAll('go', places)) {
    const folder = paths.dirname(places.fs.realpath(go));
    const file = locateProgram('gofmt', { ...places, trusted: [], searchPath: [folder] });
    if (file !== null)
      return { kind: 'found', file, prefix: [], notice: 'gofmt is not on PATH; ran that of go' };
  }
  return null;
}
