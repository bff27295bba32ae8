import { limitWords } from './limits.ts';
import type { Invocation } from './options.ts';
import { commandLine } from './quote.ts';

type ResumeWords = Pick<Invocation, 'workspaceOption' | 'model' | 'host' | 'baseUrl'> &
  Partial<Pick<Invocation, 'limits' | 'record'>>;

/** The command that goes on with this run, as short as it can be and still be right. */
export function resumeCommand(words: ResumeWords, platform: NodeJS.Platform): string {
  const { workspaceOption, model, host, baseUrl, limits, record = null } = words;
  return commandLine(
    [
      'agent',
      'resume',
      ...(workspaceOption === null ? [] : ['--workspace', workspaceOption]),
      ...(model === null ? [] : ['--model', model]),
      ...(host === null ? [] : ['--host', host]),
      ...(baseUrl === null ? [] : ['--base-url', baseUrl]),
      ...(limits === undefined ? [] : limitWords(limits)),
      ...(record === null ? [] : ['--record', record]),
    ],
    platform,
  );
}
