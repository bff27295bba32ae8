/** Puts a run together from an open journal, a model and a machine. */
import { isAbsolute, join, relative } from 'node:path';
import { lookForInstalled } from '../languages/installed.ts';
import { isCache } from '../languages/languages.ts';
import type { LookDeps } from '../languages/look-deps.ts';
import { environmentNotes } from '../languages/notes.ts';
import { chooseContextWindow } from '../llm/models/choose-model.ts';
import { policyOf } from '../policy/policy.ts';
import type { SystemProcesses } from '../processes/system-processes.ts';
import type { Run } from '../round/run.ts';
import { worldOf } from '../round/world.ts';
import { plannedFiles } from '../schema/plan.ts';
import type { ToolContext } from '../tools/contract.ts';
import { builtinTools, toolDefinitions } from '../tools/registry.ts';
import { insteadOf } from '../tools/toolset.ts';
import { workspaceFingerprint } from '../workspace/walk.ts';
import type { ChosenModel } from './choose-model.ts';
import type { OpenedRun } from './open.ts';
import type { RunRequest } from './options.ts';

/** Characters of a tool's result that the model sees: a share of its window, bounded. */
const RESULT_CHARS = { least: 1500, most: 8000, perToken: 0.4 };

export function makeRun(
  { context, workspace }: OpenedRun,
  { failover, candidate, info }: ChosenModel,
  { machine, allow, limits, deadlines, emit, signal }: RunRequest,
): Run {
  const { fs, clock } = machine;
  const startedAt = clock.monotonic();
  const firstWindow = chooseContextWindow(info, candidate.contextWindow).tokens;
  const processes = machine.processes(workspace, (folder) =>
    hasWrittenBelow(folder, { context, workspace }),
  );
  const fingerprint = () => workspaceFingerprint(fs, workspace, isCache);
  const tools = builtinTools({ programs: processes.programs, fingerprint });
  const toolContext: ToolContext = {
    workspace,
    fs,
    processes,
    lastKnownHash: (path) => context.state.files[path]?.hash,
    keepBlob: (bytes) => context.journal.blobs.keep(bytes),
    get maxResultChars() {
      return resultChars(context.state.settings?.numCtx ?? firstWindow);
    },
  };
  const world = worldOf(fs, workspace);
  const installed = lookForInstalled((program) => processes.resolve(program));
  return {
    context,
    get provider() {
      return failover.inUse().provider;
    },
    failover,
    tools,
    definitions: toolDefinitions(tools),
    toolContext,
    world,
    ...{ clock, emit, signal, limits, deadlines, installed },
    elapsedMs: () => clock.monotonic() - startedAt,
    notes: environmentNotes(context.state.goal, installed),
    lookDeps: (): LookDeps => ({
      workspace,
      readText: (path) => world.readText(path),
      exists: (path) => world.exists(path),
      processes,
      program: (name) => findProgram(name, processes),
      runtime: machine.nodePath,
      env: processes.programs.environment(),
      planned: plannedFiles(context.state.plan),
      signal,
    }),
    policy: policyOf({ fs, workspace, allow, insteadOf: insteadOf(tools) }),
    logError: (error) => context.logError(error),
  };
}

const resultChars = (numCtx: number): number =>
  Math.round(
    Math.max(RESULT_CHARS.least, Math.min(RESULT_CHARS.most, numCtx * RESULT_CHARS.perToken)),
  );

const hasWrittenBelow = (
  folder: string,
  { context, workspace }: Pick<OpenedRun, 'context' | 'workspace'>,
): boolean =>
  Object.entries(context.state.files).some(
    ([path, file]) => file.written && isBelow(join(workspace, path), folder),
  );

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}

async function findProgram(name: string, processes: SystemProcesses): Promise<string | null> {
  const found = await processes.programs.find(name);
  return found.kind === 'found' && found.prefix.length === 0 ? found.file : null;
}
