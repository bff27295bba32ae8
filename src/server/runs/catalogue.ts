/** Lists the folders and runs: known ones, those at work, and those that wait for their turn. */

import type { LockOwner, RunListing } from '../../host/engine-port.ts';
import { type RunStatusKind, statusOf } from '../../host/journals/run-status.ts';
import { folderId, knownFolders, noteFolder } from '../../host/user/known-folders.ts';
import type { QueuedRun } from '../../host/work-files.ts';
import { layoutOf } from '../../journal/layout.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { orNull } from '../../lib/or-null.ts';
import { openPlanQuestion } from '../../round/plan/plan-question.ts';
import type { RunState } from '../../schema/state.ts';
import type { RunSummary } from '../api/run-schemas.ts';
import type { Workspace } from '../api/schemas.ts';
import { unknownRefusal } from '../http/problem.ts';
import type { ServerPlace } from '../place.ts';
import { mayWorkIn, outsideRoots } from '../roots.ts';
import { canGoOn, hasNoRecord } from './next-steps.ts';
import type { RunQueue } from './queue.ts';

/** A folder that is used for the first time appears on the page within this time. */
const NOTED_MS = 500;

interface Listed {
  readonly seen: string;
  readonly runs: readonly RunSummary[];
}

export class Catalogue {
  readonly #place: ServerPlace;
  readonly #queue: RunQueue;
  readonly #listed = new Map<string, Listed>();
  /** The standings of older runs that have not ended. */
  readonly #rests = new Map<string, { readonly records: number; readonly rest: CurrentStanding }>();
  readonly #added = new Set<string>();
  /** The folder in which a run was listed. */
  readonly #whereIs = new Map<string, string>();
  #noted: { readonly paths: readonly string[]; readonly at: number } | null = null;
  #gathered: { readonly at: number; readonly runs: Promise<readonly RunSummary[]> } | null = null;

  constructor(place: ServerPlace, queue: RunQueue) {
    this.#place = place;
    this.#queue = queue;
  }

  /** Absolute real paths. */
  folders(): readonly string[] {
    const { live } = this.#place;
    return [
      ...new Set([
        ...this.#known(),
        ...this.#added,
        ...live.all().map(({ workspace }) => workspace),
        ...[...this.#queue.waiting, ...this.#queue.started].map(({ workspace }) => workspace),
      ]),
    ];
  }

  #known(): readonly string[] {
    const now = this.#place.clock.monotonic();
    if (this.#noted === null || now - this.#noted.at > NOTED_MS)
      this.#noted = { paths: knownFolders(this.#place), at: now };
    return this.#noted.paths;
  }

  /** The folder below a root with an id or a path. Throws if there is none, or it lies outside. */
  folder(name: string): string {
    return this.#below(this.folders().find((path) => folderId(path) === name) ?? name);
  }

  /** Makes a folder known. Throws if it lies outside. */
  add(path: string): Workspace {
    const folder = this.#below(path);
    this.note(folder);
    return this.workspaceOf(folder);
  }

  /** Makes a real path known. */
  note(folder: string): void {
    this.#added.add(folder);
    noteFolder(this.#place, folder);
  }

  /** The real path of a file below a root. Throws if there is none. */
  file(path: string): string {
    return this.#below(path, 'file');
  }

  #below(path: string, kind: 'directory' | 'file' = 'directory'): string {
    const { fs } = this.#place;
    const refusal = outsideRoots(kind === 'file' ? kind : 'folder');
    if (!pathsOf(fs.platform).isAbsolute(path) || path.includes('\0')) throw refusal;
    const real = orNull(() => fs.realpath(path));
    if (real === null || orNull(() => fs.stat(real).kind) !== kind) throw refusal;
    if (mayWorkIn(this.#place, real)) return real;
    throw refusal;
  }

  workspaces(): readonly Workspace[] {
    return this.folders().map((path) => this.workspaceOf(path));
  }

  workspaceOf(path: string): Workspace {
    const runs = this.#runsIn(path);
    return {
      id: folderId(path),
      path,
      name: pathsOf(this.#place.fs.platform).basename(path),
      run: runs[0]?.id ?? null,
      runs: runs.length,
      working: runs.filter(({ standing }) => standing === 'running').length,
      questions: runs.reduce((sum, { questions }) => sum + questions, 0),
      lastAt: runs[0]?.lastAt ?? 0,
      mayWork: mayWorkIn(this.#place, path),
    };
  }

  /** All runs, the latest first. */
  runs(): readonly RunSummary[] {
    return this.#withWaiting(this.folders().flatMap((path) => this.#runsIn(path)));
  }

  /** The same, but yields to other work between two folders. @param mostOldMs accepts a list up to this age */
  async gathered(mostOldMs = 0): Promise<readonly RunSummary[]> {
    const { clock } = this.#place;
    const last = this.#gathered;
    if (last !== null && clock.monotonic() - last.at <= mostOldMs) return last.runs;
    const at = clock.monotonic();
    const gathering = { at, runs: this.#gather() };
    this.#gathered = gathering;
    return gathering.runs;
  }

  async #gather(): Promise<readonly RunSummary[]> {
    const found: RunSummary[] = [];
    for (const path of this.folders()) {
      found.push(...this.#runsIn(path));
      await this.#place.clock.breathe?.();
    }
    return this.#withWaiting(found);
  }

  #withWaiting(found: readonly RunSummary[]): readonly RunSummary[] {
    const names = new Set(found.map(({ id }) => id));
    const waiting = [
      ...this.#queue.waiting.map((queued) => waitingRun(queued, 'queued')),
      ...this.#queue.started.map((queued) => waitingRun(queued, 'starting')),
      ...this.#queue.early.unrecorded.map((queued) =>
        waitingRun(queued, queued.isGone ? 'gone' : 'not_begun'),
      ),
    ].filter(({ id }) => !names.has(id));
    const all = [...waiting, ...found.map((run) => this.#withResume(run))];
    return all.toSorted((one, other) => other.lastAt - one.lastAt);
  }

  /** The run with a waiting resume, of which its journal says nothing until a process has opened it. */
  #withResume(run: RunSummary): RunSummary {
    const { id, lastAt, standing } = run;
    if (!canGoOn(standing)) return run;
    if (this.#queue.placeOf(id) !== null) return { ...run, standing: 'queued' };
    if (this.#queue.isOpening(id, lastAt)) return { ...run, standing: 'starting' };
    const failedAt = this.#queue.early.failedAt(id, lastAt);
    return failedAt === null ? run : { ...run, failedAt };
  }

  /** Throws if there is none. */
  run(id: string): RunSummary {
    const found = this.#find(id);
    if (found === undefined) throw unknownRefusal('run of that id', 'GET /api/runs lists them.');
    return found;
  }

  /** True if no journal has the run, and no process will open it. */
  isUnrecorded(id: string): boolean {
    const run = this.#find(id);
    return run === undefined || hasNoRecord(run);
  }

  #find(id: string): RunSummary | undefined {
    const folder = this.#whereIs.get(id) ?? this.#queue.folderOf(id);
    const here = folder === null ? [] : this.#withWaiting(this.#runsIn(folder));
    const isIt = (run: RunSummary): boolean => run.id === id;
    return here.find(isIt) ?? this.runs().find(isIt);
  }

  /** Reads the list again only if something in the folder has changed. */
  #runsIn(path: string): readonly RunSummary[] {
    const seen = this.#sight(path);
    const known = this.#listed.get(path);
    if (known?.seen === seen) return known.runs;
    const runs = this.#read(path);
    // The next request reads the folder again.
    if (runs === null) return known?.runs ?? [];
    this.#listed.set(path, { seen, runs });
    for (const { id } of runs) this.#whereIs.set(id, path);
    return runs;
  }

  #sight(path: string): string {
    const { fs, engine } = this.#place;
    const { history, lock } = layoutOf(path);
    const of = (file: string): string => {
      const info = orNull(() => fs.stat(file));
      return info === null ? '' : `${info.size} ${info.mtimeMs} ${info.inode ?? 0}`;
    };
    // An unreadable lock counts as free.
    const isAlive = orNull(() => engine.lockOwner(path))?.isAlive === true;
    return [of(history), of(lock), isAlive].join(' ');
  }

  /** `null` if the folder cannot be read now. */
  #read(path: string): readonly RunSummary[] | null {
    const { engine } = this.#place;
    const listed = orNull(() => engine.listRuns(path));
    if (listed === null) return null;
    return listed.map((run) => {
      const { id, number, goal, startedAt, lastAt, isCurrent } = run;
      const of = { id, workspace: folderId(path), path, number, goal, startedAt, lastAt };
      return { ...of, ...(isCurrent ? this.#standing(path) : this.#rest(path, run)) };
    });
  }

  /** A run that is not the current one has nobody working on it. Read again only if it has changed. */
  #rest(path: string, { id, status, records }: RunListing): CurrentStanding {
    if (status === 'damaged') return { standing: 'damaged', questions: 0 };
    if (ENDED.has(status)) return { standing: status as RunStatusKind, questions: 0 };
    const known = this.#rests.get(id);
    if (known?.records === records) return known.rest;
    const rest = { ...this.#standing(path, id), questions: 0 };
    this.#rests.set(id, { records, rest });
    return rest;
  }

  /** @param other the id of a run that is not the current one */
  #standing(path: string, other?: string): CurrentStanding {
    const { engine } = this.#place;
    try {
      const state = engine.readRun(path, other);
      if (state === null) return { standing: 'damaged', questions: 0 };
      return currentStandingOf(state, other === undefined ? engine.lockOwner(path) : null);
    } catch {
      return { standing: 'damaged', questions: 0 };
    }
  }
}

type CurrentStanding = Pick<RunSummary, 'standing' | 'questions' | 'isPartly'>;

/** How the current run of a folder stands. @param owner the process that works on it; `null`: none */
export function currentStandingOf(state: RunState, owner: LockOwner | null): CurrentStanding {
  const standing = statusOf(state, owner);
  const plans = openPlanQuestion(state) === null ? 0 : 1;
  const isPartly = standing === 'achieved' && (state.verdict?.beyond?.files.length ?? 0) > 0;
  return {
    standing,
    questions: state.ended === null ? (state.permissions?.open.length ?? 0) + plans : 0,
    ...(isPartly ? { isPartly } : {}),
  };
}

const ENDED: ReadonlySet<string> = new Set<RunStatusKind>([
  ...(['achieved', 'answered', 'unverified', 'failed', 'undone'] as const),
]);

export const isOver = (run: RunSummary): boolean => hasNoRecord(run) || ENDED.has(run.standing);

function waitingRun(
  queued: QueuedRun,
  standing: 'queued' | 'starting' | 'not_begun' | 'gone',
): RunSummary {
  const { run, workspace, goal, at } = queued;
  return {
    id: run,
    workspace: folderId(workspace),
    path: workspace,
    number: null,
    goal: goal ?? '',
    standing,
    startedAt: at,
    lastAt: at,
    questions: 0,
  };
}
