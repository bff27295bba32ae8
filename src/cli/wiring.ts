import { runGoal } from '../agent.ts';
import { withoutFiles } from '../lib/hiding-file-system.ts';
import { keysIn } from '../llm/secrets/scrub.ts';
import { systemMachine } from '../round/machine.ts';
import type { Engine } from './engine-port.ts';
import type { Terminal } from './terminal.ts';
import { openCandidates } from './wiring/candidates.ts';
import { chainReport, listingOf, lockOwner, logError, readRun, repair } from './wiring/journal.ts';
import { withoutKeys } from './wiring/without-keys.ts';

/** The real engine for the command line. What a plain run does not need is loaded when asked for. */
export function createEngine(terminal: Terminal): Engine {
  const machine = systemMachine({ env: terminal.env, nodePath: process.execPath });
  const engine: Engine = {
    openModel: (request) => openCandidates(request, terminal),
    listModels: async (request) =>
      (await import('./wiring/list-models.ts')).listModels(request, terminal),
    runGoal: ({ hiddenFiles = [], ...request }) =>
      runGoal({ ...request, machine: { ...machine, fs: withoutFiles(machine.fs, hiddenFiles) } }),
    readRun: (workspace) => readRun(machine, workspace),
    listRuns: (workspace) => listingOf(machine, workspace),
    lockOwner: (workspace) => lockOwner(machine, workspace),
    verifyChain: (workspace) => chainReport(machine, workspace),
    planUndo: async (workspace) => (await import('./wiring/undo.ts')).undoPlan(machine, workspace),
    undo: async (request) => (await import('./wiring/undo.ts')).undo(machine, request),
    repair: (request) => Promise.resolve(repair(machine, request)),
    embeddedStatus: async () =>
      (await import('./wiring/embedded.ts')).embeddedStatus(machine, terminal),
    setupEmbedded: async (request) =>
      (await import('./wiring/embedded.ts')).setupEmbedded(machine, terminal, request),
    setupOllama: async (request) =>
      (await import('./wiring/ollama.ts')).setupOllama(terminal, request),
    programs: (workspace) => machine.processes(workspace, () => false),
    logError: (workspace, error) => logError(machine, workspace, error),
  };
  return withoutKeys(engine, keysIn(terminal.env));
}
