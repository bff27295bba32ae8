/** Puts a run together from an open journal, a model and a machine. */
import { isAbsolute, join, relative } from 'node:path';
import { type Installed, lookForInstalled } from '../languages/installed.ts';
import { isCache } from '../languages/languages.ts';
import type { LookDeps } from '../languages/look-deps.ts';
import { environmentNotes } from '../languages/notes.ts';
import type { Deadlines } from '../llm/deadlines.ts';
import type { Failover } from '../llm/failover/failover.ts';
import { plannedFiles } from '../probe/facts.ts';
import { splitCommand } from '../processes/argv.ts';
import type { SystemProcesses } from '../processes/system-processes.ts';
import type { Run } from '../round/run.ts';
import { worldOf } from '../round/world.ts';
import type { Emit } from '../schema/events.ts';
import type { Limits } from '../steps/step.ts';
import { judgeCommandLine } from '../tools/command-policy.ts';
import type { ToolContext } from '../tools/contract.ts';
import { leadsOutside } from '../tools/leads-outside.ts';
import { builtinTools, toolDefinitions } from '../tools/registry.ts';
import { workspaceFingerprint } from '../workspace/walk.ts';
import type { Machine } from './machine.ts';
import type { OpenedRun } from './open.ts';

/** Characters of a tool's result that the model sees: a share of its window, bounded. */
const RESULT_CHARS = { least: 1500, most: 8000, perToken: 0.4 };

export interface RunParts {
  readonly opened: OpenedRun;
  readonly machine: Machine;
  readonly failover: Failover;
  readonly allow: readonly string[];
  readonly limits: Limits;
  readonly deadlines: Partial<Deadlines>;
  readonly numCtx: number;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

export function makeRun(parts: RunParts): Run {
  const { opened, machine, failover, emit, signal } = parts;
  const { context, workspace } = opened;
  const { fs, clock } = machine;
  const startedAt = clock.monotonic();
  const hasWritten = (folder: string): boolean =>
    Object.entries(context.state.files).some(
      ([path, file]) => file.written && isBelow(join(workspace, path), folder),
    );
  const processes = machine.processes(workspace, hasWritten);
  const fingerprint = () => workspaceFingerprint(fs, workspace, isCache);
  const tools = builtinTools({ programs: processes.programs, fingerprint });
  const toolContext: ToolContext = {
    workspace,
    fs,
    processes,
    lastKnownHash: (path) => context.state.files[path]?.hash,
    keepBlob: (bytes) => context.journal.blobs.keep(bytes),
    get maxResultChars() {
      return resultChars(context.state.settings?.numCtx ?? parts.numCtx);
    },
    allow: parts.allow,
  };
  const world = worldOf(fs, workspace);
  // By the search path alone: no program is started before the first question is sent.
  const installed: Installed = lookForInstalled((program) => processes.resolve(program));
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
    clock,
    emit,
    signal,
    limits: parts.limits,
    elapsedMs: () => clock.monotonic() - startedAt,
    deadlines: parts.deadlines,
    installed,
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
    commandFault: (cmd) => commandFault(cmd, toolContext),
    logError: (error) => context.logError(error),
  };
}

const resultChars = (numCtx: number): number =>
  Math.round(
    Math.max(RESULT_CHARS.least, Math.min(RESULT_CHARS.most, numCtx * RESULT_CHARS.perToken)),
  );

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}

async function findProgram(name: string, processes: SystemProcesses): Promise<string | null> {
  const found = await processes.programs.find(name);
  return found.kind === 'found' && found.prefix.length === 0 ? found.file : null;
}

/** The reason a planned command would be refused, before anything is built on it. */
function commandFault(cmd: string, context: ToolContext): string | null {
  const { platform } = context.processes;
  const split = splitCommand(cmd, platform);
  if (!split.ok) return `${cmd}: ${split.reason} ${split.hint}`;
  const verdict = judgeCommandLine(split, {
    platform,
    allow: context.allow,
    isOutside: (path) => leadsOutside(path, context),
  });
  return verdict.kind === 'deny' ? `${cmd}: ${verdict.reason} ${verdict.hint}` : null;
}
