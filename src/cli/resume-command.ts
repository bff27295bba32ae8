import type { Invocation } from './options.ts';
import { commandLine } from './quote.ts';

/** The command that goes on with this run, as short as it can be and still be right. */
export function resumeCommand(
  { workspaceOption, model, host }: Pick<Invocation, 'workspaceOption' | 'model' | 'host'>,
  platform: NodeJS.Platform,
): string {
  return commandLine(
    [
      'agent',
      'resume',
      ...(workspaceOption === null ? [] : ['--workspace', workspaceOption]),
      ...(model === null ? [] : ['--model', model]),
      ...(host === null ? [] : ['--host', host]),
    ],
    platform,
  );
}
