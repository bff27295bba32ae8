/** The programs of a virtual environment. Pure, except for the view of the folder that it is given. */
import type { FolderView, ProgramFolder } from '../../processes/programs/program-finder.ts';

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

export function virtualEnvironment(root: string, platform: NodeJS.Platform): ProgramFolder {
  const programs = `${root}/${platform === 'win32' ? 'Scripts' : 'bin'}`;
  const isOwnName = (name: string): boolean => INTERPRETER.test(name) || INSTALLER.test(name);
  return {
    ...{ root, programs, variable: 'VIRTUAL_ENV', isOwnName, isWhole: true },
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
