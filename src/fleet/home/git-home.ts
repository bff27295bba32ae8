/**
 * Stores runs in a repository that all workers reach, and a copy of each on the disk of the worker that holds it. Owns
 * the claims of this process and its heartbeat, not the runs.
 *
 * 1. The ref of a run's state is only moved from the commit that this process has seen: whoever moves it holds the run,
 *    and a worker that finds it moved has lost the run.
 * 2. No other process takes the run of a live process. A process is dead if its ref has not changed for the lease, by
 *    the clock of the observer.
 * 3. A process that could not send its heartbeat for two thirds of the lease releases its runs.
 * 4. Only the run's own branch is ever written. What another run left in a folder is moved aside, not removed.
 */
import { layoutOf } from '../../journal/layout.ts';
import { inspectLock } from '../../journal/lock/inspect-lock.ts';
import { type Leases, watchLeases } from '../../journal/lock/lease.ts';
import { noteCut } from '../../journal/quarantine.ts';
import type { Clock } from '../../lib/clock.ts';
import { misuse, TardigradeError } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { ensureDirectory, renameFile } from '../../lib/files/durable-files.ts';
import { runSync } from '../../lib/interruptible.ts';
import type { ProcessIdentity } from '../../lib/process-identity.ts';
import { sweepFolder } from '../../workspace/sweep-folder.ts';
import { Beats, HOME_LEASE_MS } from './beats.ts';
import type { RunClaim } from './contract.ts';
import { gitFailed } from './git.ts';
import { noteIn, type RunNote, stateCommit } from './note.ts';
import {
  BEATS,
  beatOf,
  branchOf,
  foundOf,
  hereOf,
  type Repository,
  seenAt,
  stateOf,
  underWayOf,
} from './repository.ts';
import { restore, type StoredCommits, snapshot } from './snapshot.ts';

export interface GitHomePorts {
  readonly clock: Pick<Clock, 'now' | 'monotonic'> & Required<Pick<Clock, 'every'>>;
  readonly identity: ProcessIdentity;
  /** The name of this process among all that share the home: `[\w-]{1,100}`. */
  readonly holder: string;
  /** Address of the home. */
  readonly remote: string;
  /** Absolute: each run has a folder of its name below it. */
  readonly root: string;
  /** Absolute: for what is moved aside, and what is being transferred. */
  readonly aside: string;
  /** On this machine, shared by its processes. */
  readonly repository: () => Promise<Repository>;
}

interface Held {
  readonly run: string;
  readonly lose: AbortController;
  /** Whether the folder here is the one that the home has, or continues from it. */
  isHere: boolean;
  /** The commit of the state in the home. */
  at: string;
  note: RunNote;
  kept: StoredCommits;
}

export class GitHome {
  readonly #ports: GitHomePorts;
  readonly #leases: Leases;
  readonly #held = new Map<string, Held>();
  readonly #beats: Beats;
  #repository: Promise<Repository> | null = null;

  constructor(ports: GitHomePorts) {
    this.#ports = ports;
    this.#leases = watchLeases(HOME_LEASE_MS, ports.clock);
    this.#beats = new Beats({
      clock: ports.clock,
      holder: ports.holder,
      remote: ports.remote,
      repository: () => this.#ready(),
      isNeeded: () => this.#held.size > 0,
      late: () => {
        for (const { lose } of this.#held.values()) lose.abort(fenced());
      },
    });
  }

  close(): Promise<void> {
    return this.#beats.end();
  }

  /**
   * Takes a run for this process and fetches it. Throws E_LOCKED if another process has it, E_WORKSPACE if the home
   * does not have it, E_IO.
   */
  async claim(run: string): Promise<RunClaim> {
    const { fs } = await this.#ready();
    const { root, identity, holder } = this.#ports;
    const workspace = pathsOf(fs.platform).join(root, run);
    const sight = inspectLock({ fs, identity, directory: layoutOf(workspace).lock });
    if (this.#held.has(run) || sight?.isAlive === true) throw locked('a process of this machine');
    const found = await this.#find(run);
    const isHere = found.isOurs && seenAt(fs, workspace) === 'directory';
    if (found.note.holder !== null && !found.isOurs && !found.isOver)
      throw locked(`${found.note.holder}, seen ${found.note.seen}`);
    const held: Held = { run, lose: new AbortController(), isHere, ...found };
    await this.#push(held, { ...found.note, holder, token: found.note.token + 1 }, found.kept);
    this.#held.set(run, held);
    try {
      if (!isHere) await this.#bring(held, workspace, found.note.holder);
    } catch (error) {
      this.#held.delete(run);
      await this.#push(held, { ...held.note, holder: found.note.holder }, held.kept).catch(
        () => {},
      );
      throw error;
    }
    // Commands of one run may begin at the same time.
    let before: Promise<void> = Promise.resolve();
    const put = (written: readonly string[], note: () => RunNote): Promise<void> => {
      const mine = before.then(async () => {
        const repository = await this.#ready();
        const kept = await snapshot(repository, { run, workspace }, written, held.kept);
        await this.#push(held, note(), kept);
      });
      before = mine.catch(() => {});
      return mine;
    };
    return {
      workspace,
      lost: held.lose.signal,
      keep: (written) => put(written, () => held.note),
      giveUp: (written) => {
        this.#held.delete(run);
        return put(written, () => ({ ...held.note, holder: null }));
      },
    };
  }

  #ready(): Promise<Repository> {
    this.#repository ??= this.#ports.repository();
    return this.#repository;
  }

  /** Where a run stands in the home, and whether the folder here continues from that. */
  async #find(run: string) {
    const repository = await this.#ready();
    const refs = await this.#refs(stateOf(run), BEATS);
    const at = refs.get(stateOf(run));
    if (at === undefined) throw nowhere(run);
    const [here, underWay, found] = [hereOf(run), underWayOf(run), foundOf(run, 'state')];
    const known = await this.#known(here, underWay, found);
    const isOurs = known.get(here) === at || known.get(underWay) === at;
    if (!isOurs && known.get(found) !== at)
      await repository.git([
        ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'],
        ...['--', this.#ports.remote, `+${stateOf(run)}:${found}`],
        `+${branchOf(run)}:${foundOf(run, 'work')}`,
      ]);
    const { note, state } = await noteIn(repository, at);
    const beat = note.holder === null ? undefined : refs.get(beatOf(note.holder));
    const isOver =
      note.holder === null ||
      beat === undefined ||
      this.#leases.isOver(note.holder, Buffer.from(beat), HOME_LEASE_MS);
    return { at, note, isOurs, isOver, kept: { work: note.work, head: note.head, state } };
  }

  /** The refs on this machine. */
  async #known(...names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const repository = await this.#ready();
    return refsIn(await repository.git(['for-each-ref', `--format=${REF}`, ...names]));
  }

  /** The refs in the home. */
  async #refs(...patterns: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const repository = await this.#ready();
    return refsIn(await repository.git(['ls-remote', '--', this.#ports.remote, ...patterns]));
  }

  /** Invariant 4. */
  async #bring(held: Held, workspace: string, before: string | null): Promise<void> {
    const repository = await this.#ready();
    const { run, kept } = held;
    const { fs } = repository;
    const { join } = pathsOf(fs.platform);
    const { aside, clock } = this.#ports;
    ensureDirectory(fs, aside);
    const coming = join(aside, `coming-${run}`);
    runSync(sweepFolder(fs, coming));
    await restore(repository, { run, workspace: coming }, kept);
    const { history, quarantine } = layoutOf(coming);
    // Later work of the former holder has no record here, so no action may be reported as not begun.
    if (before !== null && kept.state !== null)
      noteCut(fs, quarantine, {
        start: fs.lstat(history).size + 1,
        name: 'history.jsonl',
        why: `What ${before} did after this is not known.`,
      });
    if (seenAt(fs, workspace) !== null)
      renameFile(fs, workspace, join(aside, `${run}-${clock.now()}`));
    renameFile(fs, coming, workspace);
    await repository.git(['update-ref', hereOf(run), held.at]);
    held.isHere = true;
  }

  /** Invariant 1. */
  async #push(held: Held, note: RunNote, kept: StoredCommits): Promise<void> {
    const repository = await this.#ready();
    const { remote, clock } = this.#ports;
    const { run, at } = held;
    const next = {
      ...note,
      work: kept.work,
      head: kept.head,
      seen: new Date(clock.now()).toISOString(),
    };
    const commit = await stateCommit(repository, next, kept.state);
    const beat = await this.#beats.next();
    // Whether the push comes through or not, the home has one of these two commits.
    if (held.isHere)
      await repository.git(['update-ref', '--stdin'], {
        stdin: `update ${hereOf(run)} ${at}\nupdate ${underWayOf(run)} ${commit}\n`,
      });
    const pushed = await repository.tried([
      ...[
        'push',
        '--porcelain',
        '--atomic',
        '--no-verify',
        '--no-signed',
        '--recurse-submodules=no',
      ],
      ...[
        `--force-with-lease=${stateOf(run)}:${at}`,
        `--force-with-lease=${branchOf(run)}:${held.note.work}`,
      ],
      ...['--', remote, `${commit}:${stateOf(run)}`, `${kept.work}:${branchOf(run)}`],
      ...(beat === null ? [] : [beat.words]),
    ]);
    if (pushed.code !== 0) await this.#whyNot(held, commit, `${pushed.out}\n${pushed.said}`);
    beat?.cameThrough();
    Object.assign(held, { at: commit, note: next, kept });
  }

  /** Returns if the push succeeded and only its confirmation was lost. */
  async #whyNot({ run, at, note, lose }: Held, commit: string, said: string): Promise<void> {
    const refs = await this.#refs(stateOf(run), branchOf(run));
    const now = refs.get(stateOf(run));
    if (now === commit) return;
    if (now === at && refs.get(branchOf(run)) === note.work) throw gitFailed(said);
    if (now === at) throw notOurs(run);
    lose.abort(fenced());
    throw fenced();
  }
}

/** The form in which `ls-remote` prints a ref. */
const REF = '%(objectname)%09%(refname)';

const refsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t'))
      .map(([id = '', name = '']) => [name, id]),
  );

const locked = (who: string): TardigradeError =>
  new TardigradeError('E_LOCKED', `Another worker has the run: ${who}.`, 'It is tried again.');

const fenced = (): TardigradeError =>
  new TardigradeError('E_FENCED', 'Another worker has taken the run over.', 'It continues there.');

const notOurs = (run: string): TardigradeError =>
  new TardigradeError(
    'E_FOREIGN',
    `Somebody else has written to the branch tardigrade/${run} in the home.`,
    'Take what is there to a branch of its own, put the branch back, then resume the run.',
  );

const nowhere = (run: string): TardigradeError =>
  misuse(
    `The home of this worker has no run ${run}.`,
    'Submit it with the address of the same home.',
  );
