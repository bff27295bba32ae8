/** Go on a machine: how its programs are found, and what of the user's settings they need. */
import {
  locate,
  locateAll,
  type ProgramPlaces,
  type Resolution,
} from '../../processes/programs/locate.ts';
import { pathsOf } from '../../processes/programs/search-path.ts';
import type { OnMachine } from '../language.ts';
import { isRunnable } from './files.ts';

export const machine: OnMachine = {
  // Its caches lie outside of workspaces; a vendor folder is part of a project.
  caches: { names: [], endings: [] },
  find: (name, places) => Promise.resolve(name === 'gofmt' ? findFormatter(places) : null),
  runnerOf: (path) => (isRunnable(path) ? 'go run' : null),
  /**
   * It is quiet by itself. GOTOOLCHAIN=local would fail where a project is built with a toolchain
   * that was fetched before, GOPROXY=off where what go.sum pins is fetched first.
   */
  quiet: {},
  // Where its modules, caches and toolchains lie; which toolchain may be taken; a version manager.
  kept: ['GOROOT', 'GOPATH', 'GOMODCACHE', 'GOCACHE', 'GOTOOLCHAIN', 'GOENV_ROOT', 'GOENV_VERSION'],
  programFolders: () => [],
  // Most goals need none of it, and `go --version` is no command of its.
  usefulPrograms: [],
};

/** It comes with go, but not every package of a system links both. */
function findFormatter(places: ProgramPlaces): Resolution | null {
  if (locate('gofmt', places) !== null) return null;
  const paths = pathsOf(places.platform);
  for (const go of locateAll('go', places)) {
    const folder = paths.dirname(places.fs.realpath(go));
    const file = locate('gofmt', { ...places, trusted: [], searchPath: [folder] });
    if (file !== null) {
      return { kind: 'found', file, prefix: [], notice: 'gofmt is not on PATH; ran that of go' };
    }
  }
  return null;
}
