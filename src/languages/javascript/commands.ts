/** Pure: what node, npm and the programs of installed packages may be asked to do. */
import {
  type CommandRule,
  type CommandRuleOptions,
  type CommandRules,
  changedByRun,
  isFlag,
  listensToOthers,
  pathOutside,
  pathsInside,
  refuse,
  splitFlag,
  type Unwrap,
  useOutsideObjection,
} from '../commands/command-rule.ts';
import { managers } from './managers.ts';
import {
  binKey,
  builds,
  hasSettingsChanged,
  linesOfNode,
  scriptLinesOf,
  withoutPackageWords,
} from './scripts.ts';

/** Options whose value is a path or a package; a bare word is a package. */
const TAKES_MODULE =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--test-reporter|--test-global-setup)$/;
const TAKES_PATH =
  /^--(?:env-file(?:-if-exists)?|test-reporter-destination|(?:experimental-)?(?:default-)?config-file|(?:cpu|heap)-prof-(?:dir|name)|diagnostic-dir|report-(?:dir|directory|filename)|redirect-(?:warnings|code-traces-to)|trace-event-file-pattern|openssl-config|icu-data-dir|snapshot-blob|build-snapshot-config|experimental-sea-config|experimental-policy|watch-path|localstorage-file|tls-keylog|logfile|test-coverage-(?:include|exclude))$/;
const TAKES_TEXT =
  /^(?:-C|--(?:conditions|test-(?:name-pattern|skip-pattern|shard|concurrency|timeout|isolation|coverage-(?:lines|branches|functions))|(?:cpu|heap)-prof-interval|report-signal|trace-event-categories|tls-cipher-list|dns-result-order|input-type|experimental-default-type|unhandled-rejections|stack-trace-limit|title|inspect-port|debug-port|disable-warning|disable-proto|max-http-header-size|secure-heap(?:-min)?|allow-fs-(?:read|write)|heapsnapshot-(?:signal|near-heap-limit)|network-family-autoselection-attempt-timeout|policy-integrity|v8-pool-size|use-largepages|watch-kill-signal|run))$/;
const LISTENS = /^--(?:inspect(?:-brk|-wait|-port)?|debug-port)$/;
const TAKES_CODE = /^(?:-e|--eval|-p|--print|-pe)$/;

export const nodeTakesValue = (option: string): boolean =>
  TAKES_MODULE.test(option) || TAKES_PATH.test(option) || TAKES_TEXT.test(option);

/** A script must lie in the workspace; the arguments of a script, or of code, are its own. */
const nodeRule: CommandRule = (args, options) => {
  let isCode = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const [name = '', joined] = splitFlag(arg);
    if (
      LISTENS.test(name) &&
      listensToOthers(joined ?? (name.endsWith('-port') ? (args[at + 1] ?? '') : ''))
    )
      return refuse('node', `node ${arg} lets others than this machine reach its debugger.`);
    const isValue = nodeTakesValue(name);
    if (isValue) {
      const value = joined ?? args[at + 1] ?? '';
      if (reachesOut(name, value, options)) return useOutsideObjection('node', value);
      if (joined === undefined) at += 1;
    } else if (TAKES_CODE.test(name)) {
      isCode = true;
      if (joined === undefined) at += 1;
    } else if (arg === '-') {
      return null;
    } else if (arg.startsWith('-')) {
      const path = joined === undefined ? null : pathOutside([arg], options);
      if (path !== null) return useOutsideObjection('node', path);
    } else if (isCode) {
      return null;
    } else {
      if (options.isOutside(arg)) return useOutsideObjection('node', arg);
      const isOneOfMany = arg === 'inspect' || args.slice(0, at).includes('--test');
      if (!isOneOfMany) return null;
    }
  }
  return null;
};

function reachesOut(name: string, value: string, options: CommandRuleOptions): boolean {
  if (TAKES_TEXT.test(name)) return false;
  const isBare = TAKES_MODULE.test(name) && !/^[./\\~]|^[A-Za-z]:|^file:/.test(value);
  return !isBare && options.isOutside(value);
}

const NPM_COMMANDS = /^(?:test|t|tst|start|run|run-script|rum|urn|-v|--version)$/;
/** Shows what is installed here. */
const NPM_SHOWS = /^(?:ls|list|ll|la|explain|why)$/;
/** Queries a server: that needs a permission, but changes nothing. */
const NPM_ASKS_SERVER = /^(?:view|info|show|v|outdated)$/;
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
  '--cache',
  '--logs-dir',
  '--tmp',
  '--cafile',
  '--shell',
  '--git',
  '--local-prefix',
  '--dir',
];

const npmWords = (args: readonly string[]): readonly string[] =>
  args.includes('--') ? args.slice(0, args.indexOf('--')) : args;

const leadsElsewhere = (arg: string): boolean => isFlag(arg, NPM_ELSEWHERE) || /^-C./.test(arg);

const npmShows: NonNullable<CommandRules['shows']> = (name, args) => {
  const own = npmWords(args);
  const command = own.find((arg) => !NPM_QUIET.test(arg)) ?? '';
  const isShown = NPM_SHOWS.test(command) || NPM_ASKS_SERVER.test(command);
  return name === 'npm' && isShown && !own.some(leadsElsewhere);
};

/** True for a folder whose scripts are examined. */
const isPackageHere = (folders: readonly string[], { builds }: CommandRuleOptions): boolean => {
  const [folder = '', ...others] = folders.map((one) => one.replace(/^\.\/|\/$/g, ''));
  const isInstalled = folder.split('/').includes('node_modules');
  return !isInstalled && others.length === 0 && builds.below?.().folders.includes(folder) === true;
};

const npmRule: CommandRule = (args, options) => {
  const { words: own, chosen, folders } = withoutPackageWords(npmWords(args));
  const command = own.find((arg) => !NPM_QUIET.test(arg));
  if (command === undefined || !(NPM_COMMANDS.test(command) || NPM_SHOWS.test(command))) {
    return refuse(
      'npm',
      `npm ${command ?? ''} is not allowed, only npm test, npm run NAME and npm ls.`.replace(
        '  ',
        ' ',
      ),
    );
  }
  const elsewhere = own.find(
    (arg) => leadsElsewhere(arg) || (arg.startsWith('-') && pathOutside([arg], options) !== null),
  );
  if (elsewhere !== undefined) return refuse('npm', `npm ${elsewhere} is not allowed.`);
  if (chosen.length > 0) {
    const path = pathOutside(chosen, options);
    if (path !== null) return useOutsideObjection('npm', path);
  }
  if (folders.length > 0 && !(chosen.length === 0 && isPackageHere(folders, options)))
    return refuse(
      'npm',
      'npm --prefix is only allowed with the folder of one package of the workspace.',
    );
  if (chosen.length + folders.length > 0 && options.builds.below?.().areAsTaken !== true)
    return changedByRun('npm', 'Scripts of packages are not as they were when the run began.');
  return hasSettingsChanged(options.builds)
    ? changedByRun('npm', 'npm would go by an .npmrc that this run has changed.')
    : null;
};

/** `npx NAME`, `npm exec NAME`: a program that is not installed is fetched and run. */
const npxUnwrap: Unwrap = (args) => {
  let at = 0;
  while (/^(?:--no-install|--no|-y|--yes|-q|--quiet|--offline|--)$/.test(args[at] ?? '')) at += 1;
  const words = args.slice(at);
  return words.length === 0 || words[0]?.startsWith('-')
    ? null
    : { words, isFetched: true, isFromFolder: true };
};

const npmUnwrap: Unwrap = (args) =>
  args[0] === 'exec' || args[0] === 'x' ? npxUnwrap(args.slice(1)) : null;

const MANAGERS = ['npm', 'yarn', 'pnpm', 'bun', 'corepack'];
const THAT_RUN = /^(?:run|run-script|test|t|tst|start|exec|x|dlx|create|init)$/;

/** On Windows npm is a script that node runs. */
const installs: NonNullable<CommandRules['installs']> = (name, args) => {
  const isScript = name === 'node' && /[\\/]npm-cli\.js$/.test(args[0] ?? '');
  if (!isScript && !MANAGERS.includes(name)) return false;
  const { words } = withoutPackageWords(args.slice(isScript ? 1 : 0));
  const command = words.find((arg) => !arg.startsWith('-'));
  return command === undefined || !THAT_RUN.test(command);
};

/** The programs of the packages in the manifest, as long as nobody has replaced them. */
const localProgram: NonNullable<CommandRules['others']> = (name, args, options) => {
  const { taken, now, hasChanged } = options.builds;
  const key = binKey(name);
  if (taken?.[key] === undefined) return undefined;
  if (now()[key] !== taken[key] || hasChanged((path) => path.startsWith('node_modules/')))
    return changedByRun(name, `${name} is not the program that was there when the run began.`);
  return pathsInside(name, args, options);
};

export const commands: CommandRules = {
  isDescribedByDefault: true,
  rules: { node: nodeRule, npm: npmRule, ...managers.rules },
  shows: npmShows,
  description: 'node, npm test, npm run NAME, npm ls',
  instead: { npx: 'Use npm run NAME with a script of package.json.' },
  runExample: 'node FILE.js',
  unwraps: { npx: npxUnwrap, npm: npmUnwrap, ...managers.unwraps },
  checks: {
    node: { needs: ['--check'], options: /^--check$/ },
    tsc: {
      needs: ['--noEmit'],
      options: /^(?:--noEmit|-p|--project|--pretty|--strict|--skipLibCheck|--noErrorTruncation)$/,
    },
    'vue-tsc': { needs: ['--noEmit'], options: /^(?:--noEmit|-p|--project|--pretty)$/ },
    // Without an option to write, prettier changes nothing.
    prettier: {
      options:
        /^(?:-c|--check|-l|--list-different|-u|--ignore-unknown|--no-color|--no-config|--(?:config|log-level)(?:=.*)?)$/,
    },
    eslint: { options: /^(?:--quiet|--max-warnings(?:=\d+)?|--ext(?:=.*)?|--no-color)$/ },
  },
  verbs: {
    npm: 'add ci install i run test update view',
    pnpm: 'add install i run test update',
    yarn: 'add install run test',
  },
  denied: ['npm publish *', 'npm unpublish *', 'yarn publish *', 'pnpm publish *'],
  homeFolders: [
    '.nvm',
    '.volta',
    '.fnm',
    '.local/share/fnm',
    '.local/share/pnpm',
    '.bun/bin',
    '.deno/bin',
  ],
  lines: { npm: scriptLinesOf, node: linesOfNode, ...managers.lines },
  others: localProgram,
  installs,
  builds,
};
