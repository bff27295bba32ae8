import { pathsOf } from '../lib/files/absolute-paths.ts';
import type { ProgramKnowledge } from './programs/program-finder.ts';

/** The environment of child processes: a short list of harmless names, and settings that keep programs quiet. */

const KEPT_EVERYWHERE = [
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMP',
  'TEMP',
  'TMPDIR',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
];

const KEPT_ON_POSIX = [
  'HOME',
  'USER',
  'LOGNAME',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  // Version managers of all languages put shims on PATH that read these.
  'ASDF_DIR',
  'ASDF_DATA_DIR',
];

const KEPT_ON_WINDOWS = [
  'SystemRoot',
  'SystemDrive',
  'windir',
  // Scripts of packages run with it.
  'ComSpec',
  'PATHEXT',
  'USERPROFILE',
  'USERNAME',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramData',
  'ProgramFiles',
  'ProgramFiles(x86)',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
  'OS',
];

const LOCALE_NAME = /^LC_(?:ALL|CTYPE|COLLATE|MESSAGES|MONETARY|NUMERIC|TIME|PAPER|NAME|ADDRESS)$/;

const PROXY_NAME = /^(?:https?|all|no)_proxy$/i;

/** Tells a program that a run started it, so it must not answer questions in a person's place. */
export const INSIDE_A_RUN = 'TARDIGRADE_INSIDE_A_RUN';

/**
 * No colours, pagers or questions. Languages add their own settings. Without NO_COLOR: programs have no terminal here,
 * colours are removed from what they print, and the tests of many packages ask for colours and would fail.
 */
const QUIET = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  // Read-only git must not rewrite the index either.
  GIT_OPTIONAL_LOCKS: '0',
} as const;

/**
 * The whole environment of a child. Names not listed here never reach it, so a secret in the user's shell
 * cannot leak. `searchPath` is the cleaned PATH, `variables` come from trusted folders.
 */
export function childEnvironment(options: {
  readonly env: { readonly [name: string]: string | undefined };
  readonly platform: NodeJS.Platform;
  readonly searchPath: readonly string[];
  readonly variables?: { readonly [name: string]: string };
  readonly known: Pick<ProgramKnowledge, 'quiet' | 'kept'>;
}): { [name: string]: string } {
  const { env, platform, searchPath, variables, known } = options;
  const child: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && isHarmless(name, value, platform, known.kept)) child[name] = value;
  }
  if (platform !== 'win32' && child.LANG === undefined && child.LC_ALL === undefined)
    child.LANG = 'C.UTF-8';
  Object.assign(child, QUIET, known.quiet, { [INSIDE_A_RUN]: '1' });
  child[platform === 'win32' ? 'Path' : 'PATH'] = searchPath.join(pathsOf(platform).delimiter);
  Object.assign(child, variables);
  return child;
}

function isHarmless(
  name: string,
  value: string,
  platform: NodeJS.Platform,
  more: readonly string[],
): boolean {
  // A proxy's address may contain a password.
  if (PROXY_NAME.test(name)) return !value.includes('@');
  if (LOCALE_NAME.test(name)) return true;
  if (platform !== 'win32') return [...KEPT_EVERYWHERE, ...KEPT_ON_POSIX, ...more].includes(name);
  const kept = [...KEPT_EVERYWHERE, ...KEPT_ON_WINDOWS];
  return kept.some((candidate) => candidate.toLowerCase() === name.toLowerCase());
}
