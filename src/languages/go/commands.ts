/** Pure: what go and gofmt may be asked to do. */
import {
  type CommandRule,
  type CommandRuleOptions,
  type CommandRules,
  type Objection,
  pathOutside,
  refuse,
  useOutsideObjection,
} from '../commands/command-rule.ts';
import { MODULE_FILE } from './running.ts';

const BUILDS = ['build', 'test', 'vet', 'run', 'list', 'fmt'];
const READS = ['version', 'env', 'doc', 'help'];

/** Options that name a program which runs instead of go's own, or files that replace others. */
const REPLACES = ['exec', 'toolexec', 'vettool', 'overlay'];
const SWITCHES =
  /^(?:a|n|x|v|i|c|e|m|u|race|msan|asan|cover|work|json|trimpath|linkshared|modcacherw|short|failfast|benchmem|fullpath|deps|test|export|find|compiled|versions|retracted|h|help)$/;
const NOWHERE = /^(?:\/dev\/null|NUL)$/;

/** An option as go reads it, with one dash or two; `value` is the part after its `=`. */
function optionOf(arg: string): { readonly name: string; readonly value?: string } | null {
  const [, name, value] = /^--?(\w[\w.-]*)(?:=(.*))?$/s.exec(arg) ?? [];
  return name === undefined ? null : { name, ...(value === undefined ? {} : { value }) };
}

const goRule: CommandRule = (args, options) => {
  const [command, ...rest] = args;
  if (command === undefined) return null;
  return READS.includes(command) || /^--?h(?:elp)?$/.test(command)
    ? readObjection(command, rest, options)
    : (unknownObjection(command, rest) ?? buildObjection(command, rest, options));
};

function readObjection(
  command: string,
  args: readonly string[],
  options: CommandRuleOptions,
): Objection {
  const writes = args.find((arg) => ['w', 'u'].includes(optionOf(arg)?.name ?? ''));
  if (command === 'env' && writes !== undefined)
    return refuse('go', `go env ${writes} is not allowed: it changes the user's settings.`);
  return command === 'version' || command === 'doc' ? pathsInside('go', args, options) : null;
}

const ALLOWED = 'go build, test, vet, run, fmt, version, env, list and doc';

function unknownObjection(command: string, args: readonly string[]): Objection {
  if (command === 'mod') {
    const what = ['go mod', ...args.slice(0, 1)].join(' ');
    return refuse('go', `${what} is not allowed: write the file ${MODULE_FILE}.`);
  }
  if (!BUILDS.includes(command))
    return refuse('go', `go ${command} is not allowed, only ${ALLOWED}.`);
  const other =
    command === 'fmt' ? args.find((arg) => optionOf(arg) === null && !arg.startsWith('.')) : null;
  return other == null
    ? null
    : refuse('go', `go fmt ${other} is not allowed: it may rewrite what lies elsewhere.`);
}

/** The arguments of a program or a test binary are its own. */
function buildObjection(
  command: string,
  args: readonly string[],
  options: CommandRuleOptions,
): Objection {
  const own = ownArguments(command, args);
  for (const [at, arg] of own.entries()) {
    const option = optionOf(arg);
    if (option === null) {
      const fetched = !arg.startsWith('-') && /^[\w.-]+(?:\/[\w./-]+)*@[\w.+-]+$/.test(arg);
      if (fetched) return refuse('go', `go ${command} ${arg} is not allowed: it fetches a module.`);
      continue;
    }
    const { name, value = own[at + 1] } = option;
    if (REPLACES.includes(name)) return refuse('go', `go ${command} -${name} is not allowed.`);
    if (name === 'mod' && value === 'mod')
      return refuse('go', `go ${command} -mod=mod is not allowed: it fetches modules.`);
  }
  return pathsInside('go', own, options);
}

/** The arguments without those after the program of `go run`, or after `-args` of `go test`. */
function ownArguments(command: string, args: readonly string[]): readonly string[] {
  if (command === 'test') {
    const end = args.findIndex((arg) => optionOf(arg)?.name === 'args');
    return end === -1 ? args : args.slice(0, end);
  }
  if (command !== 'run') return args;
  let at = 0;
  for (; at < args.length; at += 1) {
    const option = optionOf(args[at] ?? '');
    if (option === null) break;
    if (option.value === undefined && !SWITCHES.test(option.name)) at += 1;
  }
  const isFile = (arg: string | undefined): boolean => arg?.endsWith('.go') ?? false;
  if (!isFile(args[at])) return args.slice(0, at + 1);
  while (isFile(args[at])) at += 1;
  return args.slice(0, at);
}

const gofmtRule: CommandRule = (args, options) => pathsInside('gofmt', args, options);

/** Options that pass further options to a compiler or a linker, which may name a program or a file. */
const PASSED_ON = /^(?:ld|gc|asm|gccgo)flags$/;

/** Every word, or value after `=`, that looks like a path must stay inside. */
function pathsInside(
  program: string,
  args: readonly string[],
  options: CommandRuleOptions,
): Objection {
  for (const [at, arg] of args.entries()) {
    const option = optionOf(arg);
    if (option !== null && PASSED_ON.test(option.name)) {
      const passed = (option.value ?? args[at + 1] ?? '').split(/\s+/);
      const path = pathOutside(passed, options);
      if (path !== null) return useOutsideObjection(program, path);
    }
    const path = option === null ? arg : (option.value ?? '');
    if (path !== '' && !NOWHERE.test(path) && options.isOutside(path))
      return useOutsideObjection(program, path);
  }
  return null;
}

export const commands: CommandRules = {
  rules: { go: goRule, gofmt: gofmtRule },
  description: 'go build|test|vet|run|fmt|version|env|list|doc, gofmt',
  homeFolders: ['go/bin', 'go/pkg', '.goenv', 'sdk'],
  runExample: 'go run FILE.go',
  checks: { go: { begins: 'vet', options: /^$/ } },
};
