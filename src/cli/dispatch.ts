/**
 * Maps a valid command line to its command. The engine and all commands form one bundle, because finding and opening
 * many small files takes longer than reading them.
 */
import type { CommandName } from '../options/commands.ts';
import type { CommandAction } from './command-context.ts';
import { adoptCommand } from './commands/adopt.ts';
import { approveCommand, denyCommand } from './commands/answer.ts';
import { applyCommand } from './commands/apply.ts';
import { configCommand } from './commands/config.ts';
import { diffCommand } from './commands/diff.ts';
import { doctorCommand } from './commands/doctor.ts';
import { historyCommand } from './commands/history.ts';
import { mcpCommand } from './commands/mcp.ts';
import { modelsCommand } from './commands/models.ts';
import { planCommand } from './commands/plan.ts';
import { repairCommand } from './commands/repair.ts';
import { runCommand } from './commands/run.ts';
import { runsCommand } from './commands/runs.ts';
import { setupCommand } from './commands/setup.ts';
import { showCommand } from './commands/show.ts';
import { statusCommand } from './commands/status.ts';
import { undoCommand } from './commands/undo.ts';
import { demoCommand } from './demo/demo.ts';

export { createEngine } from '../host/create-engine.ts';

/** Conversations are a bundle of their own: a run does not need them. */
function lazily(name: 'chatCommand' | 'sessionsCommand' | 'exportCommand'): CommandAction {
  return async (context) => (await import('./chat/commands.ts'))[name](context);
}

export const COMMAND_ACTIONS: { readonly [Name in CommandName]: CommandAction } = {
  run: runCommand,
  ask: runCommand,
  resume: async (context) =>
    context.invocation.fleet === undefined && context.invocation.fleetRun === null
      ? runCommand(context)
      : (await import('./fleet/person.ts')).resumeInFleet(context),
  status: statusCommand,
  attach: async (context) => (await import('./attach/command.ts')).attachCommand(context),
  plan: planCommand,
  templates: async (context) => (await import('./templates/command.ts')).templatesCommand(context),
  diff: diffCommand,
  history: historyCommand,
  show: showCommand,
  runs: runsCommand,
  stats: async (context) => (await import('./commands/stats.ts')).statsCommand(context),
  chat: lazily('chatCommand'),
  sessions: lazily('sessionsCommand'),
  export: lazily('exportCommand'),
  undo: undoCommand,
  apply: applyCommand,
  adopt: adoptCommand,
  approve: approveCommand,
  deny: denyCommand,
  config: configCommand,
  mcp: mcpCommand,
  models: modelsCommand,
  doctor: doctorCommand,
  repair: repairCommand,
  setup: setupCommand,
  demo: demoCommand,
  submit: async (context) => (await import('./fleet/person.ts')).submitCommand(context),
  worker: async (context) => (await import('./fleet/worker.ts')).workerCommand(context),
  serve: async (context) => (await import('./serve/command.ts')).serveCommand(context),
  acp: async (context) => (await import('./acp/command.ts')).acpCommand(context),
  update: async (context) => (await import('./update/command.ts')).updateCommand(context),
  completion: async (context) =>
    (await import('./completion/command.ts')).completionCommand(context),
};
