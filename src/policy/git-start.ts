/**
 * Starts read-only git so that it starts no program of the repository. A clone's settings can name programs (a
 * monitor, a pager, hooks, filters, converters, the connection to a server), and even `git status` would run
 * them. Pure except for one look at the settings.
 */
import { NO_BUILDS } from '../languages/commands/command-rule.ts';
import { AS_IT_IS, type ChangeStart, refusedStart } from '../tools/commands/start.ts';
import { gitRule } from './git.ts';
import { gitCall } from './git-call.ts';
import { type GitCall, outputOfGit } from './git-shown.ts';
import { leftOutNotice } from './left-out.ts';

/** Git's own defaults; settings passed here override those of any file. */
const OWN_SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hookspath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.attributesfile', '/dev/null'],
  ['core.sshcommand', 'ssh'],
  ['core.askpass', ''],
  ['credential.helper', ''],
  ['gpg.program', 'gpg'],
  ['gpg.openpgp.program', 'gpg'],
  ['gpg.x509.program', 'gpgsm'],
  ['gpg.ssh.program', 'ssh-keygen'],
  ['log.showsignature', 'false'],
  ['log.diffmerges', 'separate'],
  ['diff.submodule', 'short'],
  ['status.submodulesummary', 'false'],
  ['submodule.recurse', 'false'],
];

/** The repository could name the program that fetches a missing object, so nothing is fetched. */
const NO_FETCH = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' } as const;

/** Flags that keep a command away from programs that attributes choose, and out of submodules. */
const PLAIN_DIFF = ['--no-ext-diff', '--no-textconv'];
const QUIET_FLAGS: { readonly [command: string]: readonly string[] } = {
  status: ['--ignore-submodules=dirty'],
  diff: [...PLAIN_DIFF, '--ignore-submodules=dirty'],
  log: PLAIN_DIFF,
  show: PLAIN_DIFF,
  'diff-tree': PLAIN_DIFF,
  blame: ['--no-textconv'],
  grep: ['--no-textconv'],
};

const FILTER = /^filter\.(.*)\.(?:clean|smudge|process|required)$/s;
/** Settings of a user or an administrator are trusted; those of a clone are not. */
const TRUSTED_SCOPES = ['system', 'global', 'command'];

/** Applies to commands that `gitRule` allows; all others are unchanged. */
export const gitStart: ChangeStart = async ({ args, platform, isOutside, mayShow }, ask) => {
  const isReading = gitRule(args, { platform, isOutside: () => false, builds: NO_BUILDS }) === null;
  const { before, command, rest } = gitCall(args);
  if (!isReading || command === undefined) return AS_IT_IS;
  const fixed = settingsIn(OWN_SETTINGS);
  const looked = await ask([...before, 'config', '--null', '--show-scope', '--list'], fixed);
  const found =
    looked.exitCode === 0 && looked.truncatedBytes === 0 ? entriesIn(looked.output) : [];
  // Git reporting our settings shows that it is recent enough to respect them.
  const heeds = found.some(({ scope, key }) => scope === 'command' && key === 'core.hookspath');
  if (!heeds) return notSafe(looked.exitCode === 0 ? '' : looked.output);
  // A name that is not valid text could not be passed back to git.
  if (found.some(({ key }) => FILTER.test(key) && key.includes('\ufffd'))) return notSafe('');
  const env = settingsIn([...OWN_SETTINGS, ...withoutFilters(found)]);
  const git: GitCall['git'] = (words) => ask([...before, ...words], env);
  // The setting may point the compared folder anywhere. Submodules use it too, but stay inside.
  if (found.some(({ scope, key }) => key === 'core.worktree' && !TRUSTED_SCOPES.includes(scope))) {
    const top = await git(['rev-parse', '--show-toplevel']);
    const folder = top.output.replace(/\r?\n$/, '');
    if (top.exitCode !== 0 || isOutside(folder))
      return withoutGit(
        `The repository's settings let git work in ${folder}, which lies outside the workspace.`,
      );
  }
  const flags = QUIET_FLAGS[command] ?? [];
  const shown = await outputOfGit({ before, command, rest, flags, mayShow, git });
  if (shown.kind === 'refused')
    return { ...shown, hint: shown.isFault ? '' : 'Name the files that you want to see.' };
  const left = shown.kind === 'without' ? shown : { words: [], files: [] };
  const notice = left.files.length === 0 ? '' : leftOutNotice(left.files);
  return {
    kind: 'changed',
    env,
    notice,
    args: [...before, '--no-pager', command, ...flags, ...rest, ...left.words],
  };
};

const withoutGit = (reason: string) =>
  refusedStart(reason, 'Do without git, or read the files themselves.');

const notSafe = (said: string) =>
  withoutGit(
    `git could not be kept from starting programs of the repository.${said === '' ? '' : ` It said: ${said.trim().slice(0, 200)}`}`,
  );

function settingsIn(settings: readonly (readonly [string, string])[]): { [name: string]: string } {
  const env: { [name: string]: string } = { ...NO_FETCH, GIT_CONFIG_COUNT: `${settings.length}` };
  for (const [at, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = key;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return env;
}

interface Entry {
  readonly scope: string;
  readonly key: string;
}

/** Repetitions of `scope NUL key LF value NUL`; a key without a value has no LF. */
function entriesIn(output: string): readonly Entry[] {
  const words = output.split('\0');
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [key = ''] = (words[at + 1] ?? '').split('\n', 1);
    entries.push({ scope: words[at] ?? '', key });
  }
  return entries;
}

/** Filters are selected by name, so every filter that the repository names is disabled by name. */
function withoutFilters(found: readonly Entry[]): (readonly [string, string])[] {
  const names = found
    .filter(({ scope }) => !TRUSTED_SCOPES.includes(scope))
    .flatMap(({ key }) => FILTER.exec(key)?.[1] ?? []);
  return [...new Set(names)].flatMap((name) => [
    [`filter.${name}.clean`, ''] as const,
    [`filter.${name}.smudge`, ''] as const,
    [`filter.${name}.process`, ''] as const,
    [`filter.${name}.required`, 'false'] as const,
  ]);
}
