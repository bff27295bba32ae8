import type { Objection, PolicyOptions, Rule } from './command-rule.ts';

/** What each allowed program may be asked to do. Pure. */

const outside = (program: string, path: string): Objection => ({
  reason: `${program} would use ${path}, which lies outside the workspace.`,
  liftedBy: null,
});

const refuse = (liftedBy: string, reason: string): Objection => ({ reason, liftedBy });

/**
 * `python -m pip` is pip, and so on, so that no rule is walked around. A script must lie in the
 * workspace; what the script itself gets as arguments is its own business.
 */
export const pythonRule: Rule = (args, options) => {
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    // py's own choice of version.
    if (/^-[23](?:[.\d-]*)$|^-(?:0p?|V:.+)$/.test(arg)) continue;
    if (arg === '-' || /^-[A-Za-z]*[Vh]$/.test(arg)) return null;
    if (!arg.startsWith('-')) {
      return options.isOutside(arg) ? outside('python', arg) : null;
    }
    if (arg.startsWith('--')) {
      if (arg === '--check-hash-based-pycs') rest.shift();
      continue;
    }
    // Short options stand in clusters (`-um pip`); c, m, W and X take the rest or the next word.
    const taking = /^-[a-bd-ln-zA-VY-Z]*([cmWX])(.*)$/s.exec(arg);
    if (taking === null) continue;
    const [, letter, joined = ''] = taking;
    const value = joined === '' ? (rest.shift() ?? '') : joined;
    if (letter === 'c') return null;
    if (letter === 'm') return moduleRule(value, rest, options);
  }
  return null;
};

const MODULES: { readonly [name: string]: Rule } = {
  pip: (args, options) => pipRule(args, options),
  ensurepip: () => refuse('pip', 'Nothing can be installed.'),
  pytest: (args, options) => pytestRule(args, options),
  ruff: (args, options) => ruffRule(args, options),
};

function moduleRule(module: string, args: readonly string[], options: PolicyOptions): Objection {
  const top = module.split('.')[0] ?? '';
  const rule = Object.hasOwn(MODULES, top) ? MODULES[top] : undefined;
  return rule === undefined ? null : rule(args, options);
}

const PIP_QUIET =
  /^(?:-[qv]+|--quiet|--verbose|--no-color|--disable-pip-version-check|--no-input|--isolated)$/;

export const pipRule: Rule = (args) => {
  const command = args.find((arg) => !PIP_QUIET.test(arg));
  if (command === undefined || /^(?:-V|--version|-h|--help|help)$/.test(command)) return null;
  if (!['list', 'show', 'check'].includes(command)) {
    return refuse('pip', `pip ${command} is not allowed, only pip list, show and check.`);
  }
  const writes = args.find((arg) =>
    isFlag(arg, ['--log', '--log-file', '--python', '--cache-dir']),
  );
  return writes === undefined ? null : refuse('pip', `pip ${writes} is not allowed.`);
};

export const pytestRule: Rule = (args, options) => pathsInside('pytest', args, options);

export const ruffRule: Rule = (args, options) => pathsInside('ruff', args, options);

const NODE_TAKES_PATH = ['-r', '--require', '--import', '--loader', '--experimental-loader'];
const NODE_TAKES_CODE = ['-e', '--eval', '-p', '--print', '-pe'];

export const nodeRule: Rule = (args, options) => {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const [name = '', joined] = splitFlag(arg);
    if (NODE_TAKES_PATH.includes(name)) {
      const value = joined ?? args[at + 1] ?? '';
      // A bare word is a package, not a path.
      if (/^[./\\~]|^[A-Za-z]:|^file:/.test(value) && options.isOutside(value)) {
        return outside('node', value);
      }
      if (joined === undefined) at += 1;
    } else if (NODE_TAKES_CODE.includes(name)) {
      if (joined === undefined) at += 1;
    } else if (arg === '-' || arg === '--') {
    } else if (!arg.startsWith('-')) {
      if (options.isOutside(arg)) return outside('node', arg);
      if (!args.slice(0, at).includes('--test')) return null;
    }
  }
  return null;
};

const NPM_COMMANDS = /^(?:test|t|tst|run|run-script|rum|urn|-v|--version)$/;
const NPM_QUIET = /^(?:-s|--silent|-q|--quiet|--if-present|--offline)$/;
const NPM_ELSEWHERE = [
  '--prefix',
  '-C',
  '--script-shell',
  '--global',
  '-g',
  '--location',
  '--userconfig',
  '--globalconfig',
  '--node-options',
];

export const npmRule: Rule = (args) => {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const command = own.find((arg) => !NPM_QUIET.test(arg));
  if (command === undefined || !NPM_COMMANDS.test(command)) {
    return refuse(
      'npm',
      `npm ${command ?? ''} is not allowed, only npm test and npm run NAME.`.replace('  ', ' '),
    );
  }
  const elsewhere = own.find((arg) => isFlag(arg, NPM_ELSEWHERE));
  return elsewhere === undefined ? null : refuse('npm', `npm ${elsewhere} is not allowed.`);
};

/** Every word, or value behind `=`, that looks like a path must stay inside. */
function pathsInside(program: string, args: readonly string[], options: PolicyOptions): Objection {
  for (const arg of args) {
    const value = arg.startsWith('-') ? (splitFlag(arg)[1] ?? '') : arg;
    // tests/test_x.py::test_name[a/../b]
    const path = value.split('::')[0] ?? '';
    if (path !== '' && options.isOutside(path)) return outside(program, path);
  }
  return null;
}

export const splitFlag = (arg: string): [string, string | undefined] => {
  const at = arg.startsWith('-') ? arg.indexOf('=') : -1;
  return at === -1 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
};

/** True when `arg` is one of the flags or, for a long one, an abbreviation of it. */
export function isFlag(arg: string, flags: readonly string[]): boolean {
  const [name] = splitFlag(arg);
  if (/^--..../.test(name)) return flags.some((flag) => flag.startsWith(name));
  return flags.includes(name);
}
