/** What node and npm may be asked to do. Pure. */
import {
  type CommandRules,
  isFlag,
  outside,
  type Rule,
  refuse,
  splitFlag,
} from '../command-rule.ts';

const NODE_TAKES_PATH = ['-r', '--require', '--import', '--loader', '--experimental-loader'];
const NODE_TAKES_CODE = ['-e', '--eval', '-p', '--print', '-pe'];

const nodeRule: Rule = (args, options) => {
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

const npmRule: Rule = (args) => {
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

export const commands: CommandRules = {
  isSaidAlways: true,
  rules: { node: nodeRule, npm: npmRule },
  said: 'node, npm test, npm run NAME',
  instead: { npx: 'Use npm run NAME with a script of package.json.' },
  runExample: 'node FILE.js',
};
