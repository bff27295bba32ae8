/** Pure: what the allowed programs of Python may be asked to do. */
import { own } from '../../lib/own.ts';
import {
  type CommandRule,
  type CommandRuleOptions,
  type CommandRules,
  isFlag,
  listensToOthers,
  type Objection,
  outsideObjection,
  pathOutside,
  pathsInside,
  refuse,
  splitFlag,
  type Unwrap,
  useOutsideObjection,
} from '../commands/command-rule.ts';

/**
 * `python -m pip` is pip, and so on, so that no rule is bypassed. A script must lie in the workspace; the script's own
 * arguments are its own.
 */
const pythonRule: CommandRule = (args, options) => pythonCall(args, options, moduleRule);

/** `python -m NAME`, if there is a rule for that name. */
const pythonUnwrap: Unwrap = (args) => {
  let words: readonly string[] | null = null;
  pythonCall(args, { isOutside: () => false }, (module, rest) => {
    const top = module.split('.')[0] ?? '';
    if (Object.hasOwn(MODULES, top) && top !== 'ensurepip')
      words = [PROGRAM_OF[top] ?? top, ...rest];
    return null;
  });
  return words === null ? null : { words };
};

/** `uv run NAME`, `poetry run NAME`; with further options it installs what they say. */
const runUnwrap: Unwrap = (args) =>
  args[0] !== 'run' || args[1] === undefined || args[1].startsWith('-')
    ? null
    : { words: args.slice(1), isFromFolder: true };

function pythonCall<Options extends Pick<CommandRuleOptions, 'isOutside'>>(
  args: readonly string[],
  options: Options,
  asModule: (module: string, args: readonly string[], options: Options) => Objection,
): Objection {
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    // An option of the py launcher that chooses a version.
    if (/^-[23](?:[.\d-]*)$|^-(?:0p?|V:.+)$/.test(arg)) continue;
    if (arg === '-' || /^-[A-Za-z]*[Vh]$/.test(arg)) return null;
    if (!arg.startsWith('-'))
      return options.isOutside(arg) ? useOutsideObjection('python', arg) : null;
    if (arg.startsWith('--')) {
      if (arg === '--check-hash-based-pycs') rest.shift();
      continue;
    }
    // Short options may be combined (`-um pip`); c, m, W and X take the rest or the next word.
    const taking = /^-[a-bd-ln-zA-VY-Z]*([cmWX])(.*)$/s.exec(arg);
    if (taking === null) continue;
    const [, letter, joined = ''] = taking;
    const value = joined === '' ? (rest.shift() ?? '') : joined;
    if (letter === 'c') return null;
    const folder = /^pycache_prefix=(.+)$/s.exec(value)?.[1];
    if (letter === 'X' && folder !== undefined && options.isOutside(folder))
      return useOutsideObjection('python', folder);
    if (letter === 'm') return asModule(value, rest, options);
  }
  return null;
}

const MODULES: { readonly [name: string]: CommandRule } = {
  pip: (args) => pipObjection(args),
  ensurepip: () => refuse('pip', 'Nothing can be installed.'),
  pytest: (args, options) => pytestRule(args, options),
  py: (args, options) => pytestRule(args, options),
  ruff: (args, options) => ruffRule(args, options),
};

/** Modules that are run under the name of another program. */
const PROGRAM_OF: { readonly [module: string]: string } = { py: 'pytest' };

/** Modules that listen on all addresses by default. */
const SERVES_ALL: ReadonlySet<string> = new Set(['http.server']);

/** Most modules that can be run come with Python, and write, unpack or serve what they are told to. */
function moduleRule(
  module: string,
  args: readonly string[],
  options: CommandRuleOptions,
): Objection {
  const top = module.split('.')[0] ?? '';
  const rule = own(MODULES, top);
  if (rule !== undefined) return rule(args, options);
  const bound = args.find((arg, at) => {
    const [name, joined] = splitFlag(arg);
    return (
      isFlag(name, ['-b', '--bind', '--host']) && listensToOthers(joined ?? args[at + 1] ?? '')
    );
  });
  if (bound !== undefined)
    return refuse('python', `python -m ${module} would let others than this machine reach it.`);
  if (SERVES_ALL.has(module) && !args.some((arg) => isFlag(arg, ['-b', '--bind', '-h', '--help'])))
    return refuse(
      'python',
      `python -m ${module} would let others than this machine reach it: add --bind 127.0.0.1.`,
    );
  const path = pathOutside(args, options);
  return path === null ? null : outsideObjection(`python -m ${module} would use`, path, 'python');
}

const MODULES_THAT_INSTALL = ['pip', 'venv', 'virtualenv', 'ensurepip', 'uv', 'pipenv', 'poetry'];
const INSTALLERS = ['pip', 'virtualenv', 'uv', 'poetry', 'pdm', 'pipenv', 'hatch', 'conda'];

/**
 * True for commands that may install packages. Read-only calls need not be told apart: they change nothing.
 */
const installs: NonNullable<CommandRules['installs']> = (name, args) => {
  if (INSTALLERS.includes(name)) return true;
  let isModule = false;
  if (name === 'python' || name === 'py')
    pythonCall(args, { isOutside: () => false }, (module) => {
      isModule = MODULES_THAT_INSTALL.includes(module.split('.')[0] ?? '');
      return null;
    });
  return isModule;
};

const PIP_QUIET =
  /^(?:-[qv]+|--quiet|--verbose|--no-color|--disable-pip-version-check|--no-input|--isolated)$/;

function pipObjection(args: readonly string[]): Objection {
  const command = args.find((arg) => !PIP_QUIET.test(arg));
  if (command === undefined || /^(?:-V|--version|-h|--help|help)$/.test(command)) return null;
  if (!['list', 'show', 'check'].includes(command))
    return refuse('pip', `pip ${command} is not allowed, only pip list, show and check.`);
  const writes = args.find((arg) =>
    isFlag(arg, ['--log', '--log-file', '--python', '--cache-dir']),
  );
  return writes === undefined ? null : refuse('pip', `pip ${writes} is not allowed.`);
}

const pipShows: NonNullable<CommandRules['shows']> = (name, args) =>
  name === 'pip' &&
  ['list', 'show', 'check'].includes(args.find((arg) => !PIP_QUIET.test(arg)) ?? '') &&
  pipObjection(args) === null;

/** A folder for temporary files is emptied first; a report is sent to a server; a file contains more options. */
const pytestRule: CommandRule = (args, options) => {
  const objection = pathsInside('pytest', args.map(withoutTest), options);
  if (objection !== null) return objection;
  const harmful = args.find((arg) => isFlag(arg, ['--basetemp', '--pastebin']) || /^@./.test(arg));
  return harmful === undefined ? null : refuse('pytest', `pytest ${harmful} is not allowed.`);
};

/** `tests/test_x.py::test_name[a/../b]` */
const withoutTest = (arg: string): string => arg.split('::')[0] ?? '';

const ruffRule: CommandRule = (args, options) => pathsInside('ruff', args, options);

export const commands: CommandRules = {
  isDescribedByDefault: true,
  rules: {
    python: pythonRule,
    py: pythonRule,
    pytest: pytestRule,
    ruff: ruffRule,
    pip: pipObjection,
  },
  shows: pipShows,
  description: 'python, pytest, ruff, pip list|show|check',
  homeFolders: [
    ...['.pyenv', '.local/lib', '.local/share/uv', '.local/share/pipx', '.virtualenvs'],
    ...['miniconda3', 'anaconda3', 'miniforge3', '.conda/envs'],
  ],
  installs,
  // `python3.12` and `pip3`.
  plainName: (program) => program.replace(/^(python|pip)[\d.]+$/, '$1'),
  runExample: 'python FILE.py',
  unwraps: { python: pythonUnwrap, py: pythonUnwrap, uv: runUnwrap, poetry: runUnwrap },
  checks: {
    ruff: {
      begins: 'check',
      options:
        /^(?:-q|--quiet|--no-fix|--no-cache|--statistics|--(?:output-format|select|ignore)(?:=.*)?)$/,
    },
    mypy: { options: /^(?:--strict|--ignore-missing-imports|--no-incremental|--pretty)$/ },
    black: { needs: ['--check'], options: /^(?:--check|--diff|-q|--quiet|-v|--verbose)$/ },
    pyright: { options: /^(?:--warnings|-p|--project)$/ },
  },
  verbs: { pip: 'install show download', uv: 'add sync lock', poetry: 'add install lock' },
  denied: ['twine upload *', 'poetry publish *', 'uv publish *'],
};
