import { runGoal } from '../agent.ts';
import { withoutFiles } from '../lib/hiding-file-system.ts';
import { keysIn } from '../llm/secrets/scrub.ts';
import { systemMachine } from '../run/machine.ts';
import { openCandidates } from './candidates.ts';
import { embeddedStatus, setupEmbedded } from './embedded.ts';
import type { Engine } from './engine-port.ts';
import type { HostEnvironment } from './host-environment.ts';
import { chainReport, listingOf, lockOwner, logError, readRun } from './journal.ts';
import { learnedModels } from './learned-models.ts';
import { listModels } from './list-models.ts';
import { repair, repairPlan } from './repair.ts';
import { setupOllama } from './setup-ollama.ts';
import { undo, undoPlan } from './undo.ts';
import { dataFolderOf } from './user-folders.ts';
import { withoutKeys } from './without-keys.ts';

/** The real engine for the command line. */
export function createEngine(place: HostEnvironment): Engine {
  const machine = systemMachine({ env: place.env, nodePath: place.nodePath });
  const lessons = learnedModels({
    fs: machine.fs,
    clock: machine.clock,
    dataFolder: dataFolderOf(place),
  });
  const keys = keysIn(place.env);
  const engine: Engine = {
    openModel: (request) => openCandidates(request, place),
    listModels: (request) => listModels(request, place),
    runGoal: ({ hiddenFiles = [], ...request }) =>
      runGoal({
        lessons,
        keys,
        ...request,
        machine: { ...machine, fs: withoutFiles(machine.fs, hiddenFiles) },
      }),
    readRun: (workspace) => readRun(machine, workspace),
    listRuns: (workspace) => listingOf(machine, workspace),
    lockOwner: (workspace) => lockOwner(machine, workspace),
    verifyChain: (workspace) => chainReport(machine, workspace),
    planUndo: async (workspace) => undoPlan(machine, workspace),
    undo: async (request) => undo(machine, request),
    planRepair: async (workspace) => repairPlan(machine, workspace),
    repair: (request) => Promise.resolve(repair(machine, request)),
    embeddedStatus: () => embeddedStatus(machine, place),
    setupEmbedded: (request) => setupEmbedded(machine, place, request),
    setupOllama: (request) => setupOllama(place, request),
    programs: (workspace) => machine.processes(workspace, () => false),
    logError: (workspace, error) => logError(machine, workspace, error),
  };
  return withoutKeys(engine, keys);
}
