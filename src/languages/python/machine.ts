/** Python on a machine: its caches, its environments, and the settings that keep it quiet. */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { FolderView, ProgramFolder } from '../../processes/programs/program-finder.ts';
import type { OnMachine } from '../language.ts';
import { owns } from './files.ts';
import { findPython, findTool } from './find-python.ts';

export const machine: OnMachine = {
  caches: {
    names: ['__pycache__', '.pytest_cache', '.ruff_cache', '.mypy_cache', '.venv'],
    endings: ['.pyc'],
  },
  dependencyFolders: ['site-packages', 'dist-packages', '.venv', 'venv'],
  packageFiles: (namesIn) =>
    ['.venv', 'venv']
      .flatMap((root) => [
        `${root}/Lib/site-packages`,
        ...namesIn(`${root}/lib`).map((version) => `${root}/lib/${version}/site-packages`),
      ])
      .flatMap((folder) =>
        namesIn(folder).map((name) =>
          name.endsWith('.py') ? `${folder}/${name}` : `${folder}/${name}/__init__.py`,
        ),
      ),
  find: (name, places, answers) =>
    /^(?:python[\d.]*|py)$/.test(name)
      ? findPython(name, places, answers)
      : findTool(name, places, answers),
  runnerOf: (path) => (owns(path) ? 'python' : null),
  startExample: 'python -m MODULE',
  /** pytest keeps its cache: the option that turns it off makes `--lf` an error, and git ignores the folder. */
  quiet: {
    PYTHONUTF8: '1',
    PYTHONIOENCODING: 'utf-8',
    // Output printed before a time-out is not lost in a buffer.
    PYTHONUNBUFFERED: '1',
    // A file rewritten within a second at the same length would run as its old bytecode.
    PYTHONDONTWRITEBYTECODE: '1',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_INPUT: '1',
    RUFF_NO_CACHE: 'true',
  },
  // Without this, a package installed from the workspace itself would be used from there.
  inCopy: (folder, platform) => {
    const { join, delimiter } = pathsOf(platform);
    return { PYTHONPATH: [folder, join(folder, 'src')].join(delimiter) };
  },
  steering: ['sitecustomize.py', 'usercustomize.py'],
  kept: ['PYENV_ROOT', 'PYENV_VERSION'],
  programFolders: (platform) => ['.venv', 'venv'].map((root) => virtualEnvironment(root, platform)),
  usefulPrograms: [
    ['python', 'Only goals that run Python need it: python.org/downloads'],
    ['pytest', 'Only goals that test Python need it: pip install pytest'],
    ['ruff', 'Only goals that lint Python need it: pip install ruff', true],
  ],
};

const INTERPRETER = /^python(?:\d[\d.]*)?w?$/;
const INSTALLER = /^pip(?:\d[\d.]*)?$/;

/** Programs that test, check, format, build and serve Python, by the names that such packages install. */
const TOOLS: ReadonlySet<string> = new Set(
  [
    'pytest py.test ptw nosetests nose2 behave tox nox stestr coverage mutmut',
    'ruff black isort autopep8 yapf autoflake pyupgrade docformatter flake8 pylint pyflakes pycodestyle pydocstyle bandit vulture radon',
    'mypy dmypy stubgen stubtest pyright basedpyright pyre pytype ty',
    'sphinx-build mkdocs pdoc jupyter pyproject-build cython cythonize f2py maturin',
    'django-admin flask uvicorn gunicorn hypercorn daphne waitress-serve celery alembic scrapy streamlit',
    'invoke inv doit fab locust pybabel',
  ]
    .join(' ')
    .split(' '),
);

function virtualEnvironment(root: string, platform: NodeJS.Platform): ProgramFolder {
  const programs = `${root}/${platform === 'win32' ? 'Scripts' : 'bin'}`;
  const isOwnName = (name: string): boolean => INTERPRETER.test(name) || INSTALLER.test(name);
  return {
    root,
    programs,
    variable: 'VIRTUAL_ENV',
    isOwnName,
    isWhole: true,
    declares: (view) => (name) =>
      isOwnName(name) || TOOLS.has(name)
        ? [`${root}/pyvenv.cfg`, ...runtimes(programs, view)]
        : null,
  };
}

/** A tool is a script that one of them runs. */
const runtimes = (programs: string, { namesIn }: FolderView): readonly string[] =>
  namesIn(programs)
    .filter((name) => INTERPRETER.test(name.toLowerCase().replace(/\.exe$/, '')))
    .map((name) => `${programs}/${name}`)
    .sort();
