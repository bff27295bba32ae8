/** Puts a run together from an open journal, a model and a machine. */
import { driverOf } from '../drivers/driver-of.ts';
import { lookForInstalled } from '../languages/installed.ts';
import { environmentNotes } from '../languages/notes.ts';
import type { Clock } from '../lib/clock.ts';
import type { FileSystem } from '../lib/file-system.ts';
import { pausesOf } from '../lib/pieces.ts';
import { chooseContextWindow } from '../llm/models/choose-model.ts';
import { NO_LESSONS } from '../llm/models/lessons.ts';
import type { Redactor } from '../llm/secrets/redactor.ts';
import { startOf } from '../policy/start.ts';
import { isInstalledOn } from '../processes/is-installed.ts';
import type { SystemProcesses } from '../processes/system-processes.ts';
import type { FolderTrust } from '../round/permission/folder-trust.ts';
import type { Run } from '../round/run.ts';
import { worldOf } from '../round/world.ts';
import type { RunEvent } from '../schema/events.ts';
import type { RunState } from '../schema/state.ts';
import type { Tool } from '../tools/contract.ts';
import { builtinTools } from '../tools/registry.ts';
import { namesOf } from '../tools/toolset.ts';
import { keeperOf } from '../undo/before-images.ts';
import { watchHooks } from '../workspace/git-hooks.ts';
import { ignoredByProject } from '../workspace/git-ignored.ts';
import { ProgramsBeside } from './background.ts';
import type { ChosenModel } from './choose-model.ts';
import { definitionsOf, insteadOfIn, wasToldOf } from './definitions.ts';
import { foldersOf, mayBeAllowed } from './folders-of.ts';
import type { OpenedRun } from './open.ts';
import type { RunRequest } from './options.ts';
import { permissionsOf } from './permissions.ts';
import { lookDepsOf, toolContextOf } from './tool-context.ts';
import { NO_WALL, type WallFound } from './wall.ts';
import { processesBehind } from './walls.ts';

export async function makeRun(
  opened: OpenedRun,
  { failover, candidate, info }: ChosenModel,
  request: RunRequest,
  serverTools: readonly Tool[] = [],
  wallFound: WallFound = NO_WALL,
): Promise<Run> {
  const { machine, keptOutput: keeps, deadlines, lessons, signal } = request;
  const { context, workspace } = opened;
  const { fs, clock, nodePath: runtime } = machine;
  const emit = (event: RunEvent) => context.tell(event);
  const folders = foldersOf(opened, request);
  const behind = { machine, workspace, folders, policy: () => permitted.policy };
  const { processes, isWalled } = processesBehind(wallFound, behind);
  const place = { context, workspace, processes };
  const tools = [...ownTools(opened, processes, request), ...serverTools];
  const definitions = definitionsOf(opened, tools);
  const firstWindow = chooseContextWindow(info, candidate.contextWindow).tokens;
  const world = worldOf(fs, workspace, await ignoredByProject(fs, workspace));
  const { installed, isInstalled } = installedFor(processes, folders, request);
  const permitted = permissionsOf(opened, request, {
    ...{ world, isWalled, insteadOf: insteadOfIn(context, tools, definitions) },
  });
  const hides = info.isPlayed ? null : request.redactor;
  const background = besideOf(place, { fs, clock, emit, hides, keeps });
  const readOn = readOnOf(opened, tools, definitions);
  return {
    context,
    get provider() {
      return failover.inUse().provider;
    },
    failover,
    tools,
    names: namesOf(tools),
    get definitions() {
      return definitions();
    },
    toolContext: toolContextOf(
      { ...place, policy: permitted.policy, inPieces: pausesOf(clock, signal), background },
      fs,
      firstWindow,
      hides,
      { readOn, maxKeptBytes: keeps.command },
    ),
    ...{ background, keeper: background.keeper, hooks: watchHooks(fs, workspace) },
    ...{ world, clock, emit, signal, deadlines, installed, keeps },
    get limits() {
      return context.state.limits;
    },
    elapsedMs: () => workedMs(context.state, clock),
    ...{ isInstalled, folders, findOutside: processes.outside.find },
    notes: environmentNotes(context.state.goal, installed),
    lookDeps: () => lookDepsOf(place, { world, runtime, signal }),
    ...permitted,
    findProgram: (program) => processes.programs.find(program),
    // What is played back stays as it was, whatever was learnt since.
    lessons: info.isPlayed ? NO_LESSONS : lessons,
    logError: (error) => context.logError(error),
  };
}

/** What is on this machine, and what will be once a person says yes to its folder. */
function installedFor(
  processes: SystemProcesses,
  folders: FolderTrust,
  request: Pick<RunRequest, 'ask' | 'workspace' | 'signal'>,
): Pick<Run, 'installed' | 'isInstalled'> {
  const comes = mayBeAllowed(folders, request);
  const isHere = isInstalledOn(processes, request.workspace, request.signal);
  return {
    installed: lookForInstalled(
      (program) => processes.resolve(program) ?? (comes(program) ? program : null),
    ),
    isInstalled: async (program) => comes(program) || isHere(program),
  };
}

/** A shell that the model was told of stays: each of its lines asks. */
function ownTools(
  { context }: OpenedRun,
  { programs }: SystemProcesses,
  { shell }: Pick<RunRequest, 'shell'>,
): readonly Tool[] {
  const all = builtinTools({ programs, startOf }, { shell: true });
  return shell
    ? all
    : all.filter(({ name, alwaysAsks }) => !alwaysAsks || wasToldOf(context, name));
}

const besideOf = (
  { context, workspace, processes }: Parameters<typeof lookDepsOf>[0],
  {
    hides,
    keeps,
    ...ports
  }: Pick<Run, 'clock' | 'emit' | 'keeps'> & {
    readonly fs: FileSystem;
    readonly hides: Pick<Redactor, 'text'> | null;
  },
): ProgramsBeside =>
  new ProgramsBeside({
    ...{ context, processes, clock: ports.clock, keeps },
    keeper: keeperOf({ context, workspace, ...ports }),
    withoutKeys: (text) => hides?.text(text) ?? text,
  });

/** Up to now: what the journal tells of it, and the time since its last record. */
const workedMs = ({ workedMs, lastAt }: RunState, clock: Clock): number =>
  workedMs + Math.max(0, clock.now() - lastAt);

/** Only what the model was told of can be called, and a run from before has its own list. */
function readOnOf(
  { context }: OpenedRun,
  tools: readonly Tool[],
  definitions: ReturnType<typeof definitionsOf>,
): (id: string, from: number) => string | null {
  const reader = tools.find((tool) => tool.readsOn !== undefined);
  return (id, from) =>
    driverOf(context.state.settings).callsTools &&
    definitions().some(({ name }) => name === reader?.name)
      ? (reader?.readsOn?.(id, from) ?? null)
      : null;
}
