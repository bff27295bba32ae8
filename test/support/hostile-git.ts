/** Repositories whose settings start a program that leaves a mark, one for each way to start it. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HostileWay {
  readonly name: string;
  /** Command lines that the rule lets through and that reach it. */
  readonly lines: readonly string[];
  /** False where git starts it for a terminal or a builtin only, so that nothing is to be seen here. */
  readonly fires: boolean;
  arm(repository: Repository): void;
}

export interface Repository {
  readonly folder: string;
  /** A program that leaves its mark. */
  readonly program: string;
  config(key: string, value: string): void;
  write(path: string, text: string): void;
  git(...args: string[]): string;
}

const PLAIN_ENV = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };

export const gitIn = (folder: string, args: readonly string[]): string =>
  execFileSync('git', [...args], {
    cwd: folder,
    env: PLAIN_ENV,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString();

/** A small repository with two commits and one change that is not in it yet. */
export function baseRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]): string => gitIn(folder, args);
  git('init', '-q', '-b', 'main', '--template=', '.');
  git('config', 'user.email', 'somebody@example.org');
  git('config', 'user.name', 'Somebody');
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  writeFileSync(join(folder, '.gitattributes'), '*.txt diff=evil filter=evil merge=evil\n');
  git('add', '.');
  git('commit', '-qm', 'one');
  writeFileSync(join(folder, 'a.txt'), 'two\n');
  git('commit', '-qam', 'two');
  // Of another length, so that no look at the time alone tells that it is the same.
  writeFileSync(join(folder, 'a.txt'), 'changed since\n');
}

/** `a.b.c` is the setting `c` of `[a "b"]`. */
function settingOf(key: string, value: string): string {
  const [section = '', ...rest] = key.split('.');
  const name = rest.pop() ?? '';
  const head = rest.length === 0 ? section : `${section} "${rest.join('.')}"`;
  return `[${head}]\n\t${name} = "${value.replace(/["\\]/g, '\\$&')}"\n`;
}

export function repositoryAt(base: string, folder: string, mark: string): Repository {
  cpSync(base, folder, { recursive: true });
  const program = join(folder, '..', `${mark.replaceAll('/', '_')}.sh`);
  writeFileSync(program, `#!/bin/sh\necho started >> "${join(folder, '..', mark)}"\n`, {
    mode: 0o755,
  });
  return {
    folder,
    program,
    config: (key, value) => appendFileSync(join(folder, '.git', 'config'), settingOf(key, value)),
    write: (path, text) => writeFileSync(join(folder, path), text),
    git: (...args) => gitIn(folder, args),
  };
}

/** True when the mark was left since the last look. */
export function wasStarted(folder: string, mark: string): boolean {
  const path = join(folder, '..', mark);
  const isThere = existsSync(path);
  rmSync(path, { force: true });
  return isThere;
}

const set =
  (...keys: string[]) =>
  ({ config, program }: Repository): void => {
    for (const key of keys) config(key, program);
  };

export const HOSTILE_WAYS: readonly HostileWay[] = [
  {
    name: 'core.fsmonitor',
    fires: true,
    lines: ['git status', 'git ls-files -m'],
    arm: set('core.fsmonitor'),
  },
  {
    name: 'diff.external',
    fires: true,
    lines: ['git diff'],
    arm: set('diff.external'),
  },
  { name: 'a diff driver', fires: true, lines: ['git diff'], arm: set('diff.evil.command') },
  {
    name: 'textconv',
    fires: true,
    lines: ['git diff', 'git log -p', 'git blame a.txt'],
    arm: set('diff.evil.textconv'),
  },
  {
    name: 'a clean filter',
    fires: true,
    lines: ['git diff', 'git status', 'git blame a.txt'],
    arm: filter('clean'),
  },
  {
    name: 'a filter process',
    fires: true,
    lines: ['git diff', 'git status'],
    arm: filter('process'),
  },
  {
    name: 'a filter named oddly',
    fires: true,
    lines: ['git diff'],
    arm: ({ config, write, program }) => {
      write('.gitattributes', '*.txt filter=e=v.i\n');
      config('filter.e=v.i.clean', program);
    },
  },
  {
    name: 'include.path',
    fires: true,
    lines: ['git diff'],
    arm: ({ config, write, program }) => {
      write(
        'more.config',
        `[filter "evil"]\n\tclean = ${program}\n[core]\n\tfsmonitor = ${program}\n`,
      );
      config('include.path', '../more.config');
    },
  },
  {
    name: 'core.attributesFile',
    fires: true,
    lines: ['git diff'],
    arm: ({ config, write, program, git }) => {
      git('rm', '-q', '--cached', '.gitattributes');
      write('.gitattributes', '');
      write('attributes', '*.txt filter=far\n');
      config('core.attributesFile', 'attributes');
      config('filter.far.clean', program);
    },
  },
  {
    name: 'info/attributes',
    fires: true,
    lines: ['git diff'],
    arm: ({ config, folder, program }) => {
      mkdirSync(join(folder, '.git', 'info'), { recursive: true });
      appendFileSync(join(folder, '.git', 'info', 'attributes'), '*.txt filter=near\n');
      config('filter.near.clean', program);
    },
  },
  {
    name: 'a hook',
    fires: true,
    lines: ['git status'],
    arm: ({ folder, program, git }) => {
      mkdirSync(join(folder, '.git', 'hooks'), { recursive: true });
      cpSync(program, join(folder, '.git', 'hooks', 'post-index-change'));
      // So that the index is written anew.
      git('checkout', '-q', '--', 'a.txt');
      git('update-index', '--force-remove', 'a.txt');
      git('reset', '-q');
      execFileSync('touch', ['-d', '2001-01-01', join(folder, 'a.txt')]);
    },
  },
  {
    name: 'core.hooksPath',
    fires: true,
    lines: ['git status'],
    arm: ({ folder, program, config }) => {
      mkdirSync(join(folder, 'hooks'));
      cpSync(program, join(folder, 'hooks', 'post-index-change'));
      config('core.hooksPath', 'hooks');
      execFileSync('touch', ['-d', '2001-01-01', join(folder, '.gitattributes')]);
    },
  },
  {
    name: 'core.pager',
    fires: false,
    lines: ['git log'],
    arm: set('core.pager', 'pager.log', 'pager.diff'),
  },
  {
    name: 'an alias',
    fires: false,
    lines: ['git log'],
    arm: ({ config, program }) => {
      config('alias.status', `!${program}`);
      config('alias.log', `!${program}`);
    },
  },
  {
    name: 'gpg.program',
    fires: true,
    lines: ['git log -1', 'git log --format=%G?'],
    arm: signed,
  },
  {
    name: 'a server for what is missing',
    fires: true,
    lines: ['git log -p'],
    arm: missing((program, folder) => [
      ['remote.origin.url', folder],
      ['remote.origin.uploadpack', program],
    ]),
  },
  {
    name: 'an ext:: address for what is missing',
    fires: true,
    lines: ['git log -p'],
    arm: missing((program) => [
      ['remote.origin.url', `ext::${program}`],
      ['protocol.ext.allow', 'always'],
    ]),
  },
  {
    name: 'core.sshCommand for what is missing',
    fires: true,
    lines: ['git log -p'],
    arm: missing((program) => [
      ['core.sshCommand', program],
      ['remote.origin.url', 'ssh://127.0.0.1/x'],
    ]),
  },
  {
    name: 'a submodule',
    fires: true,
    lines: ['git status', 'git diff'],
    arm: submodule,
  },
];

function filter(part: string): HostileWay['arm'] {
  return (repository) => {
    set(`filter.evil.${part}`)(repository);
    repository.config('filter.evil.required', 'true');
  };
}

function signed({ config, program, git, folder }: Repository): void {
  for (const key of ['gpg.program', 'gpg.openpgp.program', 'gpg.ssh.program']) config(key, program);
  config('log.showSignature', 'true');
  const [head = '', ...text] = git('cat-file', 'commit', 'HEAD').split('\n\n');
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----';
  const input = `${head}\n${signature}\n\n${text.join('\n\n')}`;
  const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    ...{ cwd: folder, env: PLAIN_ENV, input },
  });
  git('update-ref', 'HEAD', id.toString().trim());
}

/** A clone that has not fetched all: git fetches what is missing by itself. */
function missing(
  settings: (program: string, folder: string) => readonly (readonly [string, string])[],
): HostileWay['arm'] {
  return ({ config, git, folder, program }) => {
    config('core.repositoryFormatVersion', '1');
    config('extensions.partialClone', 'origin');
    config('remote.origin.promisor', 'true');
    for (const [key, value] of settings(program, folder)) config(key, value);
    const id = git('rev-parse', 'HEAD:a.txt').trim();
    rmSync(join(folder, '.git', 'objects', id.slice(0, 2), id.slice(2)));
  };
}

function submodule({ folder, git, write, program }: Repository): void {
  const inner = join(folder, 'inner');
  baseRepository(inner);
  gitIn(inner, ['config', 'core.fsmonitor', program]);
  git('add', 'inner');
  write('.gitmodules', '[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n\tignore = none\n');
  git('add', '.gitmodules');
  git('commit', '-qm', 'inner');
}
