/** Assembles a run or conversation from an open journal, a model and a machine. */
import { driverOf } from '../../drivers/driver-of.ts';
import { type Installed, lookForInstalled } from '../../languages/commands/installed.ts';
import { environmentNotes } from '../../languages/notes.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { chooseContextWindow } from '../../llm/models/choose-model.ts';
import { NO_LESSONS } from '../../llm/models/lessons.ts';
import type { Redactor } from '../../llm/secrets/redactor.ts';
import { startOf } from '../../policy/start.ts';
import { isInstalledOn } from '../../processes/programs/is-installed.ts';
import type { SystemProcesses } from '../../processes/system-processes.ts';
import { type World, worldOf } from '../../round/files/world.ts';
import type { FolderTrust } from '../../round/permission/folder-trust.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import { endsSubtask, givesUp, setsPlan } from '../../schema/capability.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { RunState } from '../../schema/state.ts';
import type { Tool } from '../../tools/contract.ts';
import { builtinTools } from '../../tools/registry.ts';
import { toolNamesOf } from '../../tools/toolset.ts';
import { beforeImagesOf } from '../../undo/before-image-ports.ts';
import { watchHooks } from '../../workspace/git-hooks.ts';
import { ignoredByProject } from '../../workspace/git-ignored.ts';
import type { OpenedRun } from '../open.ts';
import type { RunRequest } from '../options.ts';
import { BackgroundProcesses } from '../tools/background.ts';
import type { SandboxChoice } from '../tools/choose-sandbox.ts';
import { type Beside, processesBehind } from '../tools/confinement.ts';
import { journalledDefinitions, programHintsIn, wasOffered } from '../tools/definitions.ts';
import { folderTrustOf, mayBeAllowed } from '../tools/folders-of.ts';
import { inspectionDepsOf, toolContextOf } from '../tools/tool-context.ts';
import { webWayOf, whyNoWeb } from '../tools/web-way.ts';
import type { ChosenModel } from './choose-model.ts';
import { permissionsOf } from './permissions.ts';

export interface ToolsOptions {
  /** False: only the tools of servers and of the embedding program. */
  readonly builtinTools?: boolean;
}

export function makeRun(
  opened: OpenedRun,
  { failover, candidate, info }: ChosenModel,
  request: ToolsOptions & RunRequest,
  furtherTools: readonly Tool[],
  { sandbox, beside }: { readonly sandbox: SandboxChoice; readonly beside: Beside },
): RunPorts {
  const { machine, keptOutput: outputLimits, deadlines, lessons, signal, skipTrials } = request;
  const { context, workspace } = opened;
  const { fs, clock, nodePath: runtime } = machine;
  const emit = (event: RunEvent) => context.emit(event);
  const hides = info.isPlayed ? null : request.redactor;
  const folders = folderTrustOf(opened, request);
  const behind = { machine, workspace, folders, beside, policy: () => permitted.policy };
  const { processes, isSandboxed } = processesBehind(sandbox, behind);
  const place = { context, workspace, processes };
  const webOff = whyNoWeb(request, isSandboxed);
  const tools = [...ownTools(opened, processes, webOff, request), ...furtherTools];
  const definitions = journalledDefinitions(opened, tools);
  const world = worldFor(opened, fs);
  const { installed, isInstalled } = installedFor(processes, folders, request);
  const programHints = programHintsIn(context, tools, definitions);
  const permitted = permissionsOf(opened, request, { world, isSandboxed, webOff, programHints });
  const background = backgroundOf(place, { fs, clock, emit, hides, outputLimits });
  return {
    ...{ context, failover, ...fleetPortsOf(request), tools, names: toolNamesOf(tools) },
    get provider() {
      return failover.inUse().provider;
    },
    get definitions() {
      return definitions();
    },
    toolContext: toolContextOf(
      { ...place, ...permitted, background, programHints, clock },
      fs,
      chooseContextWindow(info, candidate.contextWindow).tokens,
      hides,
      readOnOf(opened, tools, definitions),
      { maxOutputBytes: outputLimits.command, web: webWayOf(machine, permitted), signal },
    ),
    ...{ background, beforeImages: background.beforeImages, hooks: watchHooks(fs, workspace) },
    ...{ world, clock, emit, signal, skipTrials, deadlines, outputLimits, isInstalled },
    get installed() {
      return installed();
    },
    get notes() {
      return environmentNotes(context.state.goal, installed());
    },
    get limits() {
      return context.state.limits;
    },
    elapsedMs: () => workedMs(context.state, clock),
    ...{ ...permitted, folders, findOutside: processes.outside.find },
    inspectionDeps: () => inspectionDepsOf(place, { world, runtime, signal }),
    findProgram: (program) => processes.programs.find(program),
    // A replay must not depend on what was learnt since the recording.
    lessons: info.isPlayed ? NO_LESSONS : lessons,
    logError: (error) => context.logError(error),
  };
}

const fleetPortsOf = ({ cooldowns, beforeEffect }: RunRequest) => ({ cooldowns, beforeEffect });

/** A conversation also lists files that git ignores. */
const worldFor = ({ context, workspace }: OpenedRun, fs: FileSystem): World =>
  worldOf(fs, workspace, context.state.chat === undefined ? ignoredByProject(fs, workspace) : null);

/**
 * Programs that are installed, and programs that become available when a person allows their folder. Searched
 * on first use.
 */
function installedFor(
  processes: SystemProcesses,
  folders: FolderTrust,
  request: Pick<RunRequest, 'ask' | 'workspace' | 'signal'>,
): { readonly installed: () => Installed } & Pick<RunPorts, 'isInstalled'> {
  const comes = mayBeAllowed(folders, request);
  const isHere = isInstalledOn(processes, request.signal);
  let found: Installed | null = null;
  return {
    installed: () => {
      found ??= lookForInstalled(
        (program) => processes.resolve(program) ?? (comes(program) ? program : null),
      );
      return found;
    },
    isInstalled: async (program) => comes(program) || isHere(program),
  };
}

/** A tool that the model was told of stays in the list. If it is not available, its calls ask or are refused. */
function ownTools(
  { context }: OpenedRun,
  { programs }: SystemProcesses,
  webOff: string | null,
  { shell, builtinTools: wanted, limits }: ToolsOptions & Pick<RunRequest, 'shell' | 'limits'>,
): readonly Tool[] {
  if (wanted === false) return [];
  const isOn = { shell, web: webOff === null };
  const parallel = (limits.parallel ?? context.state.limits.parallel ?? 1) > 1;
  return builtinTools({ programs, startOf }, { shell: true, web: true, parallel }).filter(
    (tool) =>
      (context.state.chat === undefined || isForConversation(tool)) &&
      (tool.onlyWith === undefined || isOn[tool.onlyWith] || wasOffered(context, tool)),
  );
}

/** Excludes tools for plans, subtasks and background programs: a conversation has none of them. */
const isForConversation = (tool: Tool): boolean =>
  !(endsSubtask(tool) || setsPlan(tool) || givesUp(tool) || tool.needs?.background === true);

const backgroundOf = (
  {
    context,
    workspace,
    processes,
  }: Pick<Parameters<typeof toolContextOf>[0], 'context' | 'workspace' | 'processes'>,
  {
    hides,
    outputLimits,
    ...ports
  }: Pick<RunPorts, 'clock' | 'emit' | 'outputLimits'> & {
    readonly fs: FileSystem;
    readonly hides: Pick<Redactor, 'text'> | null;
  },
): BackgroundProcesses =>
  new BackgroundProcesses({
    ...{ context, processes, clock: ports.clock, outputLimits },
    beforeImages: beforeImagesOf({
      ...{ context, workspace, ...ports },
      // With several conversations in a folder, there is no single latest one to point to.
      ...(context.state.chat === undefined ? {} : { pointer: null }),
    }),
    withoutKeys: (text) => hides?.text(text) ?? text,
  });

/** Working time so far: the time in the journal plus the time since its last record. */
const workedMs = ({ workedMs, lastAt }: RunState, clock: Clock): number =>
  workedMs + Math.max(0, clock.now() - lastAt);

/** Names the tool for reading on only if the model was told of it; a resumed run has its own list. */
function readOnOf(
  { context }: OpenedRun,
  tools: readonly Tool[],
  definitions: ReturnType<typeof journalledDefinitions>,
): (id: string, from: number) => string | null {
  const reader = tools.find((tool) => tool.readsOn !== undefined);
  return (id, from) =>
    driverOf(context.state.settings).callsTools &&
    definitions().some(({ name }) => name === reader?.name)
      ? (reader?.readsOn?.(id, from) ?? null)
      : null;
}
