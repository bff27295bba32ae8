/** Puts a run together from an open journal, a model and a machine. */
import { layoutOf } from '../journal/layout.ts';
import { commandsSaid } from '../languages/allowed-commands.ts';
import { lookForInstalled } from '../languages/installed.ts';
import { isCache } from '../languages/languages.ts';
import { environmentNotes } from '../languages/notes.ts';
import { chooseContextWindow } from '../llm/models/choose-model.ts';
import { policyOf } from '../policy/policy.ts';
import type { Run } from '../round/run.ts';
import { worldOf } from '../round/world.ts';
import { builtinTools } from '../tools/registry.ts';
import { insteadOf, namesOf } from '../tools/toolset.ts';
import { workspaceFingerprint } from '../workspace/walk.ts';
import type { ChosenModel } from './choose-model.ts';
import { definitionsOf } from './definitions.ts';
import type { OpenedRun } from './open.ts';
import type { RunRequest } from './options.ts';
import { hasWritten, lookDepsOf, toolContextOf } from './tool-context.ts';

export function makeRun(
  opened: OpenedRun,
  { failover, candidate, info }: ChosenModel,
  { machine, allow, limits, deadlines, emit, signal }: RunRequest,
): Run {
  const { context, workspace } = opened;
  const { fs, clock, nodePath: runtime } = machine;
  const startedAt = clock.monotonic();
  const processes = machine.processes(workspace, hasWritten(opened));
  const place = { context, workspace, processes };
  const fingerprint = () => workspaceFingerprint(fs, workspace, isCache);
  const tools = builtinTools({ programs: processes.programs, fingerprint });
  const definitions = definitionsOf(opened, tools);
  const firstWindow = chooseContextWindow(info, candidate.contextWindow).tokens;
  const world = worldOf(fs, workspace);
  const installed = lookForInstalled((program) => processes.resolve(program));
  const { scratch } = layoutOf(workspace);
  const said = commandsSaid(context.state.goal);
  const rules = { fs, allow, insteadOf: insteadOf(tools), said };
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
    toolContext: toolContextOf(place, fs, firstWindow),
    world,
    clock,
    emit,
    signal,
    limits,
    elapsedMs: () => clock.monotonic() - startedAt,
    deadlines,
    installed,
    notes: environmentNotes(context.state.goal, installed),
    lookDeps: () => lookDepsOf(place, { world, runtime, signal }),
    policy: policyOf({ ...rules, workspace }),
    scratch: { folder: scratch, policy: policyOf({ ...rules, workspace: scratch }) },
    logError: (error) => context.logError(error),
  };
}
