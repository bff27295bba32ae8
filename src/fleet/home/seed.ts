/** The beginning of a run in a home: the commit of a folder, without a holder. */
import { misuse } from '../../lib/errors.ts';
import { gitFailed } from './git.ts';
import { stateCommit } from './note.ts';
import { branchOf, headRefOf, type Repository, stateOf } from './repository.ts';
import type { RunFolder } from './snapshot.ts';

/** Resolves to that commit; an existing run stays as it is. Throws E_USAGE if the folder is no git repository, E_IO. */
export async function seed(
  repository: Repository,
  remote: string,
  { run, workspace }: RunFolder,
): Promise<string> {
  const fetched = await repository.tried([
    ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'],
    ...['--', workspace, `+HEAD:${headRefOf(run)}`],
  ]);
  if (fetched.code !== 0)
    throw misuse(
      `${workspace} is not the top folder of a git repository with a commit.`,
      'Submit from there: a run in a repository begins with what is committed.',
    );
  const head = (await repository.git(['rev-parse', '--verify', headRefOf(run)])).trim();
  const note = { token: 0, holder: null, work: head, head, seen: '' };
  const commit = await stateCommit(repository, note, null);
  const pushed = await repository.tried([
    ...['push', '--porcelain', '--atomic', '--no-verify', '--no-signed', '--recurse-submodules=no'],
    ...[`--force-with-lease=${stateOf(run)}:`, `--force-with-lease=${branchOf(run)}:`],
    ...['--', remote, `${commit}:${stateOf(run)}`, `${head}:${branchOf(run)}`],
  ]);
  if (pushed.code === 0) return head;
  const there = await repository.git(['ls-remote', '--', remote, stateOf(run)]);
  if (there.trim() === '') throw gitFailed(`${pushed.out}\n${pushed.said}`);
  return head;
}
