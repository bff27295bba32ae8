/**
 * A run as two commits: its files and its state.
 *
 * 1. A file comes back byte for byte.
 * 2. A state that contains anything but files is rejected: a link would lead the journal elsewhere.
 * 3. Only commits are taken from the run's own repository, which is not trusted.
 */
import { STATE_DIRECTORY } from '../../journal/layout.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { discard, makeDirectory } from '../../lib/files/durable-files.ts';
import { runSync } from '../../lib/interruptible.ts';
import { sweepFolder } from '../../workspace/sweep-folder.ts';
import { branchOf, headRefOf, type Repository, seenAt, stateFolderIn } from './repository.ts';
import { stageFiles } from './stage.ts';

export interface StoredCommits {
  /** The commit of the files; the run's own HEAD if nothing differs. */
  readonly work: string;
  /** The HEAD of the run's own repository. */
  readonly head: string;
  /** The tree of the state; `null`: it has not begun. */
  readonly state: string | null;
}

export interface RunFolder {
  readonly run: string;
  /** Absolute. */
  readonly workspace: string;
}

/** Parts of its state that are useless on another machine: locks, and what can be made anew. */
const STAYS = ['lock', 'scratch', 'cache', 'reserve'].map((name) => `:(exclude)${name}`);
const NOT_STATE = `:(exclude)${STATE_DIRECTORY}`;
const WITH_PATTERNS = { GIT_LITERAL_PATHSPECS: '0' };

export async function snapshot(
  repository: Repository,
  { run, workspace }: RunFolder,
  written: readonly string[],
  before: StoredCommits,
): Promise<StoredCommits> {
  const head = await ownHead(repository, { run, workspace }, before.head);
  const files = indexFor(repository, run, 'files', workspace);
  await stageFiles(
    repository,
    { workspace, variables: { ...files.variables, ...WITH_PATTERNS }, where: ['.', NOT_STATE] },
    written,
  );
  const tree = (await repository.git(['write-tree'], files)).trim();
  const known = [...new Set([head, ...(before.head === head ? [before.work] : [])])];
  const trees = await repository.git(['rev-parse', ...known.map((commit) => `${commit}^{tree}`)]);
  const same = trees.split('\n').indexOf(tree);
  const work =
    known[same] ?? (await commitOf(repository, tree, `The work of run ${run} so far`, [head]));
  const state = await stateTree(repository, { run, workspace });
  return { work, head, state };
}

async function stateTree(
  repository: Repository,
  { run, workspace }: RunFolder,
): Promise<string | null> {
  const folder = stateFolderIn(repository.fs, workspace);
  if (seenAt(repository.fs, folder) !== 'directory') return null;
  const index = indexFor(repository, run, 'state', folder);
  const variables = { ...index.variables, ...WITH_PATTERNS };
  await repository.git(['-C', folder, 'add', '--all', '--force', '--', '.', ...STAYS], {
    variables,
  });
  return (await repository.git(['write-tree'], index)).trim();
}

export async function commitOf(
  repository: Repository,
  tree: string,
  message: string,
  parents: readonly string[],
): Promise<string> {
  const words = parents.flatMap((parent) => ['-p', parent]);
  return (await repository.git(['commit-tree', ...words, '-m', message, tree])).trim();
}

/** The former commit, if the run's own repository has gone, or is not its own. */
async function ownHead(
  repository: Repository,
  { run, workspace }: RunFolder,
  before: string,
): Promise<string> {
  const { join } = pathsOf(repository.fs.platform);
  const own = join(workspace, '.git');
  const leadsElsewhere = ['commondir', join('objects', 'info', 'alternates')].some(
    (name) => seenAt(repository.fs, join(own, name)) !== null,
  );
  if (seenAt(repository.fs, own) !== 'directory' || leadsElsewhere) return before;
  const seen = await repository.tried(['ls-remote', '--', own, 'HEAD']);
  // A fetch starts several programs more, and mostly brings nothing.
  if (seen.code === 0 && seen.out.split('\n').includes(`${before}\tHEAD`)) return before;
  const ref = headRefOf(run);
  const fetched = await repository.tried([
    ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'],
    ...['--update-shallow', '--', own, `+HEAD:${ref}`],
  ]);
  if (fetched.code !== 0) return before;
  return (await repository.git(['rev-parse', '--verify', ref])).trim();
}

/** Creates the folder of a run, where nothing exists before. @param workspace absolute */
export async function restore(
  repository: Repository,
  { run, workspace }: RunFolder,
  { work, head, state }: StoredCommits,
): Promise<void> {
  makeDirectory(repository.fs, workspace);
  const checkOut = async (kind: 'files' | 'state', tree: string, folder: string) => {
    const index = indexFor(repository, run, kind, folder);
    await repository.git(['read-tree', '--reset', tree], index);
    await repository.git(['checkout-index', '--all', '--force', '--quiet'], index);
  };
  await checkOut('files', work, workspace);
  // A state folder among a project's files belongs to another run.
  const folder = stateFolderIn(repository.fs, workspace);
  runSync(sweepFolder(repository.fs, folder));
  if (state !== null) {
    const listed = (await repository.git(['ls-tree', '-r', '-z', state])).split('\0').slice(0, -1);
    if (listed.some((line) => !/^100(644|755) blob /.test(line))) throw notAState(run);
    makeDirectory(repository.fs, folder);
    await checkOut('state', state, folder);
  }
  await ownRepository(repository, { run, workspace }, head);
}

/** Lets the run see its changes and commit. It has no remote, so it reaches nobody. */
async function ownRepository(
  repository: Repository,
  { run, workspace }: RunFolder,
  head: string,
): Promise<void> {
  const { join } = pathsOf(repository.fs.platform);
  const folder = join(workspace, '.git');
  const branch = branchOf(run);
  await repository.git(['update-ref', headRefOf(run), head]);
  const variables = { GIT_DIR: folder };
  await repository.git(['init', '--quiet', '--template=', workspace], { variables });
  await repository.git(
    ['fetch', '--quiet', '--no-tags', '--', repository.folder, `+${headRefOf(run)}:${branch}`],
    { variables },
  );
  await repository.git(['symbolic-ref', 'HEAD', branch], { variables });
  await repository.git(['read-tree', head], { variables });
}

const notAState = (run: string): TardigradeError =>
  new TardigradeError(
    'E_FOREIGN',
    `What the home has of run ${run} is no state of a run.`,
    'See who may write to the home.',
  );

/** With an index, unchanged files are not read again. A lock left by a killed git belongs to nobody. */
function indexFor(repository: Repository, run: string, kind: string, folder: string) {
  const { join } = pathsOf(repository.fs.platform);
  const index = join(repository.folder, `${run}.${kind}.index`);
  discard(repository.fs, `${index}.lock`);
  return { variables: { GIT_WORK_TREE: folder, GIT_INDEX_FILE: index } };
}
