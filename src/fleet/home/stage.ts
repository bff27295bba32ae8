/**
 * Brings the index of a run's files up to date with its folder.
 *
 * 1. Every file is included that git does not ignore or that the run wrote. If git cannot store one, none is stored.
 * 2. A repository inside the folder is stored as its files, not as a link to a commit that only this machine has.
 */
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { type GitOutcome, gitFailed } from './git.ts';
import { type Repository, seenAt } from './repository.ts';

export interface StagedFiles {
  /** Absolute. */
  readonly workspace: string;
  readonly variables: { readonly [name: string]: string };
  /** Words for git that name everything to store. */
  readonly where: readonly string[];
}

/** Background programs change files while git reads them. */
const MAX_TRIES = 3;

/** Throws E_USAGE with git's message if a file cannot be stored, E_IO if git was cut off. */
export async function stageFiles(
  repository: Repository,
  stage: StagedFiles,
  written: readonly string[],
): Promise<void> {
  let why = '';
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { code, said } = await staged(repository, stage, written);
    if (code === 0) return;
    if (code === null) throw gitFailed(said);
    why = said;
  }
  throw notStored(stage.workspace, why);
}

async function staged(
  repository: Repository,
  stage: StagedFiles,
  written: readonly string[],
): Promise<GitOutcome> {
  const { workspace } = stage;
  const there = written.filter((path) => isFileIn(repository, workspace, path));
  const entered = await enter(repository, stage, there);
  if (entered.code !== 0) return entered;
  const seen = new Set<string>();
  for (;;) {
    const nested = (await nestedIn(repository, stage)).filter((folder) => !seen.has(folder));
    if (nested.length === 0) break;
    for (const folder of nested) seen.add(folder);
    // Git looks into a nested repository if the index has a file in it; `add` removes entries that do not
    // exist.
    const outcome = await enter(
      repository,
      stage,
      nested.map((folder) => `${folder}/.entry`),
    );
    if (outcome.code !== 0) return outcome;
  }
  const { variables, where } = stage;
  return repository.tried(['-C', workspace, 'add', '--all', '--', ...where], { variables });
}

/** Gives each path an entry without content, so that `add` reads it even if git would ignore it. */
async function enter(
  repository: Repository,
  { variables }: StagedFiles,
  paths: readonly string[],
): Promise<GitOutcome> {
  if (paths.length === 0) return { code: 0, out: '', said: '' };
  const empty = (await repository.git(['hash-object', '-w', '--stdin'], { stdin: '' })).trim();
  const stdin = paths.map((path) => `100644 ${empty}\t${path}\0`).join('');
  return repository.tried(['update-index', '-z', '--index-info'], { stdin, variables });
}

/** Folders with a repository of their own whose files the index does not have. */
async function nestedIn(
  repository: Repository,
  { workspace, variables, where }: StagedFiles,
): Promise<readonly string[]> {
  const { join } = pathsOf(repository.fs.platform);
  const list = ['ls-files', '-z', '--stage', '--others', '--exclude-standard', '--', ...where];
  const out = await repository.git(['-C', workspace, ...list], { variables });
  return out
    .split('\0')
    .flatMap((line) => /^160000 [^\t]+\t(.+)$|^(.+)\/$/s.exec(line)?.slice(1).filter(Boolean) ?? [])
    .filter((folder) => seenAt(repository.fs, join(workspace, folder, '.git')) !== null);
}

/** True for a file that lies behind no link. */
function isFileIn({ fs }: Repository, workspace: string, path: string): boolean {
  const { join } = pathsOf(fs.platform);
  const parts = path.split('/');
  return parts.every((_, at) => {
    const kind = seenAt(fs, join(workspace, ...parts.slice(0, at + 1)));
    return kind === (at + 1 === parts.length ? 'file' : 'directory');
  });
}

const MAX_SAID = 400;

const notStored = (workspace: string, why: string): TardigradeError =>
  misuse(
    `git cannot store the files of the run: ${why.trim().slice(-MAX_SAID)}`,
    `Change what it names in ${workspace} on the worker, then resume the run.`,
  );
