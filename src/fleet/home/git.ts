/**
 * Git as a home of runs uses it: without any setting of a user or a repository that starts a program.
 *
 * 1. No address with a password is accepted, so no password appears among the arguments of a process.
 * 2. A repository in a workspace is only ever read as an untrusted one.
 */
import { misuse, TardigradeError } from '../../lib/errors.ts';
import { visible } from '../../lib/text/visible.ts';

export interface GitRequest {
  readonly words: readonly string[];
  readonly stdin?: string;
  /** In addition to those of `variablesOf`. */
  readonly variables?: { readonly [name: string]: string };
}

export interface GitOutcome {
  readonly code: number | null;
  readonly out: string;
  /** The end of its error output. */
  readonly said: string;
}

/** Starts git in the worker's environment, with those variables added. */
export type StartGit = (request: GitRequest) => Promise<GitOutcome>;

const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.autocrlf', 'false'],
  ['core.excludesFile', '/dev/null'],
  ['core.longpaths', 'true'],
  ['commit.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['protocol.version', '2'],
  // Whatever a repository's settings say, no credential helper of its choice runs.
  ['credential.helper', ''],
  ['advice.detachedHead', 'false'],
];

const PERSON = 'tardigrade';
const ADDRESS = 'tardigrade@localhost';

/** For every git of a home. */
export const GIT_VARIABLES: { readonly [name: string]: string } = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'file:https:ssh',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_AUTHOR_NAME: PERSON,
  GIT_AUTHOR_EMAIL: ADDRESS,
  GIT_COMMITTER_NAME: PERSON,
  GIT_COMMITTER_EMAIL: ADDRESS,
  GIT_CONFIG_COUNT: String(SETTINGS.length),
  ...Object.fromEntries(
    SETTINGS.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
};

/** Names of variables with which the user of a worker gives git access. */
export const GIT_ACCESS: readonly string[] = [
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'SSH_ASKPASS'],
  ...['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'GIT_PROXY_SSL_CAINFO'],
  ...['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy', 'ALL_PROXY', 'all_proxy'],
];

/** Throws E_USAGE for an invalid repository address, or one with a password. */
export function checkRepository(text: string): string {
  const isPlain = text !== '' && !text.startsWith('-') && visible(text) === text;
  const [, scheme = ''] = /^([a-z][a-z\d+.-]+):\/\//i.exec(text) ?? [];
  const isKnown = scheme === '' || ['file', 'https', 'ssh'].includes(scheme.toLowerCase());
  // `helper::address` would start a program of that name.
  if (!isPlain || !isKnown || /^[^/\\:]*::/.test(text))
    throw refused('That is not the address of a repository.');
  const url = scheme !== '' && URL.canParse(text) ? new URL(text) : null;
  if ((url?.password ?? '') !== '' || (url?.protocol === 'https:' && url.username !== ''))
    throw refused(
      'The address of the repository holds a password, which other processes could read.',
    );
  return text;
}

const refused = (what: string): TardigradeError =>
  misuse(
    what,
    'Give a folder, ssh://…, user@host:path or https://… without a password; GIT_ASKPASS or ssh keys let git in.',
  );

/** The first release that knows `GIT_CONFIG_GLOBAL`: an older one reads settings that start programs. */
const OLDEST = [2, 32] as const;

/** @param text what `git version` prints. Throws E_USAGE for a release that is too old. */
export function checkVersion(text: string): void {
  const [, major = 0, minor = 0] = (/ (\d+)\.(\d+)/.exec(text) ?? []).map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw misuse(
    `${visible(text.trim())} is too old: runs in a repository need git ${OLDEST.join('.')} or newer.`,
    'Install a newer git.',
  );
}

/** Resolves with its output. Throws E_IO with git's message. */
export async function said(git: StartGit, request: GitRequest): Promise<string> {
  const { code, out, said: why } = await git(request);
  if (code === 0) return out;
  throw gitFailed(why);
}

const MAX_SAID = 400;

export const gitFailed = (why: string): TardigradeError =>
  new TardigradeError(
    'E_IO',
    `git failed: ${why.trim().slice(-MAX_SAID) || 'it said nothing'}`,
    'See that the repository can be reached from this machine.',
  );
