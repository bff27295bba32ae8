import {
  type OwnedRun,
  openOwnedRun,
  type RunGoalOptions,
  type RunResult,
  toItsEnd,
} from '../agent.ts';
import type { Accept } from '../context-manager/origin.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { Machine } from '../run/machine.ts';
import { resultBody } from '../run/stream/result-body.ts';
import { chooseSandbox } from '../run/tools/choose-sandbox.ts';
import type { RunEvent } from '../schema/events/events.ts';
import { editSettingsOn } from './config/edit-settings.ts';
import type { Engine, SandboxState, UndoSelection } from './engine-port.ts';
import type { ForHost, HostEnvironment } from './host-environment.ts';
import { adopt, adoptionPlan } from './journals/adopt.ts';
import { answer, openPermissionRequests } from './journals/answer.ts';
import { apply } from './journals/apply.ts';
import { chainReport, listingOf, lockOwner, logError, readRun } from './journals/journal.ts';
import { acceptIn, beliefIn, foreignIn, originBy } from './journals/origin.ts';
import { repair, repairPlan } from './journals/repair.ts';
import { type Changed, changedPort, changeMadeIn } from './journals/undo.ts';
import { liveRun } from './live/live-work.ts';
import { openCandidates } from './models/candidates.ts';
import { listModels } from './models/list-models.ts';
import { withoutKeys } from './models/without-keys.ts';
import { embeddedStatus, setupEmbedded } from './providers/embedded.ts';
import { setupOllama } from './providers/setup-ollama.ts';
import type { RunSpans } from './trace/spans.ts';
import { knownFolders, noteFolder } from './user/known-folders.ts';
import { serverConsents } from './user/server-consents.ts';
import { userResources, withOwn } from './user/user-resources.ts';

export function createEngine(place: HostEnvironment): Engine {
  const things = userResources(place);
  const { machine, fs, dataFolder, keys, kept, own } = things;
  const numbered = (workspace: string, id?: string) => numberedIn(machine, workspace, id);
  const accept = (workspace: string, run?: string) =>
    acceptIn(numbered(workspace, run), own.find(), place.platform);
  const foreignRun: Engine['foreignRun'] = (workspace, mayBeginAnew, run) =>
    foreignIn({ ...numbered(workspace, run), mayBeginAnew }, own.find(), place.platform);
  const engine: Engine = {
    openModel: (request) => openCandidates(request, place),
    listModels: (request) => listModels(request, place),
    runGoal: async (request) => toItsEnd(await engine.openRun(request)),
    openRun: async (request) =>
      openLive(things, await watchedIn(request, place)).catch((error: unknown) => {
        throw isForeign(error) ? foreignRun(request.workspace, request.goal !== null) : error;
      }),
    beliefIn: (workspace, run) => beliefIn(machine, own.find(), workspace, run),
    foreignRun,
    planAdoption: (workspace, run) => adoptionPlan(machine, own, workspace, run),
    openPermissionRequests: (workspace) => openPermissionRequests(machine, own, workspace),
    answer: (request) => answer(machine, own, request),
    live: async () => (await import('./live/live-port-here.ts')).livePortHere(things),
    adopt: (request) => adopt(machine, own, request),
    serverConsents: serverConsents({ fs, dataFolder, keys: own }),
    commandConsents: serverConsents({ fs, dataFolder, keys: own }, 'commands'),
    lookAtServers: async (request) => {
      const { lookAtServers } = await import('../run/servers/look-at-servers.ts');
      return lookAtServers(machine, request);
    },
    editSettings: editSettingsOn({ machine, dataFolder }),
    keptRules: (workspace) => (workspace === undefined ? kept.all() : kept.of(workspace)),
    forgetRule: kept.forget,
    readRun: (workspace, run) => readRun(machine, workspace, run),
    listRuns: (workspace) => listingOf(machine, workspace),
    noteFolder: (workspace) => noteFolder(things, workspace),
    knownFolders: () => knownFolders(things),
    lockOwner: (workspace, session) => lockOwner(machine, workspace, session),
    verifyChain: (workspace) => chainReport(machine, workspace),
    ...undoOn(things, accept),
    applyRun: async (request) => apply(machine, request, accept(request.workspace, request.run)),
    planRepair: async (workspace) => repairPlan(machine, workspace),
    repair: (request) => Promise.resolve(repair(machine, request)),
    embeddedStatus: () => embeddedStatus(machine, place),
    setupEmbedded: (request) => setupEmbedded(machine, place, request),
    setupOllama: (request) => setupOllama(place, request),
    programs: async (workspace) => machine.processes(workspace, []),
    sandbox: (workspace, signal) => sandboxOn(machine, workspace, signal),
    logError: (workspace, error) => logError(machine, workspace, error),
  };
  return withoutKeys(engine, keys);
}

interface WatchedRequest {
  readonly request: ForHost<RunGoalOptions>;
  readonly spans: RunSpans | null;
}

/** With spans if this process has set up OpenTelemetry. */
async function watchedIn(
  request: ForHost<RunGoalOptions>,
  place: HostEnvironment,
): Promise<WatchedRequest> {
  if (!(OPEN_TELEMETRY in globalThis)) return { request, spans: null };
  const { spansHere } = await import('./trace/open-telemetry.ts');
  const spans = spansHere(place);
  const emit = (event: RunEvent): void => {
    spans?.observe(event);
    request.emit?.(event);
  };
  return { request: { ...request, emit }, spans };
}

/** Every version of the OpenTelemetry API registers under this symbol. */
const OPEN_TELEMETRY = Symbol.for('opentelemetry.js.api.1');

/** Lets other programs of this user watch it. */
async function openLive(
  things: ReturnType<typeof userResources>,
  { request, spans }: WatchedRequest,
): Promise<OwnedRun> {
  const { livePlace, machine } = things;
  const { clock } = machine;
  const owned = withOwn(things, request, (notice) => request.emit?.(notice));
  const { live, request: watched } = liveRun(owned, { ...owned, place: livePlace, clock });
  const began = clock.monotonic();
  let result: RunResult | null = null;
  const end = () => {
    spans?.end();
    const facts = { elapsedMs: clock.monotonic() - began, workspace: request.workspace };
    return live.close(result === null ? null : resultBody(result, { ...facts, resume: null }));
  };
  try {
    const run = await openOwnedRun(watched);
    result = run.result;
    return {
      ...run,
      takeStep: async (isDue) => {
        result = await run.takeStep(isDue);
        return result;
      },
      close: () => run.close().finally(end),
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function undoOn(
  { machine, backupFolder, own }: ReturnType<typeof userResources>,
  accept: (workspace: string, run?: string) => Accept,
): Pick<Engine, 'planUndo' | 'changes' | 'changeMade' | 'undo'> {
  const changed = async (folder: string, { run, session }: UndoSelection): Promise<Changed> => {
    const at = { machine, workspace: machine.fs.realpath(folder), backupFolder };
    if (session === undefined) return changedPort({ ...at, accept: accept(folder, run) });
    // A run loads no code of conversations.
    const { changedBySession } = await import('./journals/undo-session.ts');
    return changedBySession({ ...at, id: session, origin: originBy(own.find()) });
  };
  return {
    planUndo: async (folder, which = {}) => (await changed(folder, which)).plan(which),
    changes: async (folder, which = {}) => (await changed(folder, which)).differences(which),
    changeMade: (folder, change) => changeMadeIn(machine, folder, change),
    undo: async (request) => (await changed(request.workspace, request)).undo(request),
  };
}

function numberedIn(machine: Machine, workspace: string, id: string | undefined) {
  const run =
    id === undefined ? undefined : listingOf(machine, workspace).find((one) => one.id === id);
  return { workspace, number: run === undefined || run.isCurrent ? null : run.number };
}

async function sandboxOn(
  machine: Machine,
  workspace: string,
  signal: AbortSignal,
): Promise<SandboxState> {
  const request = { sandbox: 'auto', sandboxAtLeast: 'off' } as const;
  const { found } = await chooseSandbox({ machine, workspace, signal, ...request });
  if (found?.kind === 'holds') return { holds: true, what: found.sandbox.name, next: '' };
  return { holds: false, what: found?.why ?? '', next: found?.next ?? '' };
}

const isForeign = (error: unknown): boolean =>
  error instanceof TardigradeError && error.code === 'E_FOREIGN';
