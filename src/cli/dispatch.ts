import type { CommandAction } from './command-context.ts';
import type { CommandName } from './command-line.ts';

/** Loads the one command that is asked for. */
export async function commandOf(name: CommandName): Promise<CommandAction> {
  switch (name) {
    case 'run':
    case 'resume':
      return (await import('./commands/run.ts')).runCommand;
    case 'status':
      return (await import('./commands/status.ts')).statusCommand;
    case 'plan':
      return (await import('./commands/plan.ts')).planCommand;
    case 'history':
      return (await import('./commands/history.ts')).historyCommand;
    case 'runs':
      return (await import('./commands/runs.ts')).runsCommand;
    case 'undo':
      return (await import('./commands/undo.ts')).undoCommand;
    case 'models':
      return (await import('./commands/models.ts')).modelsCommand;
    case 'doctor':
      return (await import('./commands/doctor.ts')).doctorCommand;
    case 'repair':
      return (await import('./commands/repair.ts')).repairCommand;
    case 'setup':
      return (await import('./commands/setup.ts')).setupCommand;
    case 'demo':
      return (await import('./demo/demo.ts')).demoCommand;
    default:
      return name satisfies never;
  }
}
