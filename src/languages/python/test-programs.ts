/** Pure: the programs that run Python's tests, and those that run such programs. */
import type { TestProgram } from '../language.ts';

const RUNNER: TestProgram = { tests: [''], namesTests: true };
const PYTEST: TestProgram = { ...RUNNER, never: '--collect-only', folder: '{}' };
const PYTHON: TestProgram = {
  takes: '-W -X --check-hash-based-pycs',
  passes: [''],
  // Short options may be combined.
  module: '-m -um -Bm -bm -Im -im -Om -qm -sm -Sm -vm',
  code: '-c',
};
const PROJECT: TestProgram = { takes: '-p --project -C --directory', passes: ['run'] };

export const testPrograms: { readonly [program: string]: TestProgram } = {
  python: PYTHON,
  py: PYTHON,
  pypy: PYTHON,
  pypy3: PYTHON,
  pytest: PYTEST,
  'py.test': PYTEST,
  unittest: RUNNER,
  nose2: { tests: [''] },
  tox: { tests: [''] },
  nox: { tests: [''] },
  'manage.py': { tests: ['test'] },
  coverage: {
    takes: '--source --include --omit --rcfile --data-file',
    passes: ['run'],
    module: '-m',
  },
  uv: {
    takes:
      '--directory --project -p --python --with --with-editable --with-requirements --extra --group --only-group --package --env-file --index --index-url --default-index --cache-dir --color',
    passes: ['run', 'tool run'],
    module: '-m --module',
  },
  uvx: { takes: '--with --from -p --python --index-url', passes: [''] },
  pipx: { takes: '--spec --python', passes: ['run'] },
  poetry: { ...PROJECT, takes: '-C --directory -P --project' },
  pdm: { ...PROJECT, tests: ['test*', 'run test*'] },
  hatch: { ...PROJECT, takes: '-e --env -p --project', tests: ['test', 'run test*'] },
  rye: { ...PROJECT, tests: ['test'] },
  pipenv: { ...PROJECT, tests: ['run test*'] },
  conda: { takes: '-n --name -p --prefix --cwd', passes: ['run'] },
  mamba: { takes: '-n --name -p --prefix --cwd', passes: ['run'] },
  micromamba: { takes: '-n --name -p --prefix --cwd', passes: ['run'] },
};
