/** Pure: how Go's programs and tests are run. */
import type { ProgramRunning } from '../language.ts';
import { isRunnable, isTest } from './files.ts';
import { testPrograms } from './test-programs.ts';

/** A module without a language version gets that of Go 1.16. */
export const MODULE_FILE = 'go.mod with two lines: module NAME and go 1.22';

const NOTES = `Go: a program is package main in a file NAME.go, run by: go run NAME.go; several files of one folder begin with the same package line and are run by: go run .; tests are func TestNAME(t *testing.T) in a file NAME_test.go beside what they test, with its package line, run by: go test ./...; both need a file ${MODULE_FILE}; only the standard library is here; an import or a variable that is not used is an error`;

export const running: ProgramRunning = {
  programs: (resolve) => (resolve('go') === null ? [] : ['go']),
  canRun: (installed) => installed.has('go'),
  names: ['golang', 'Go'],
  notes: (installed) =>
    installed.has('go') ? NOTES : 'Go is not installed here: its files can be written but not run.',
  run: (file, installed) => (installed.has('go') && isRunnable(file) ? `go run ${file}` : null),
  filesRunBy: ([program = '', verb, ...args]) => {
    if (program !== 'go' || verb !== 'run') return [];
    const named = args.filter((arg) => !arg.startsWith('-'));
    const files = named.filter(isRunnable);
    return files.length > 0 ? files : named.slice(0, 1).map((folder) => `${folder}/main.go`);
  },
  testRun: (tests, installed) =>
    installed.has('go') && tests.some(isTest) ? { cmd: 'go test ./...' } : null,
  testPrograms,
  namingVariables: () => ({ GOFLAGS: '-v' }),
};
