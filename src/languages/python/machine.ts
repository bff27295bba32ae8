/** Python on a machine: its caches, its environments, and the settings that keep it quiet. */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { OnMachine } from '../language.ts';
import { owns } from './files.ts';
import { findPython, findTool } from './find-python.ts';
import { virtualEnvironment } from './folders.ts';

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
  // Otherwise a package installed from the workspace itself would be used from there.
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
