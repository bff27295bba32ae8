import { shownAddress } from '../lib/addresses.ts';
import { limitWords } from './limits.ts';
import type { Invocation } from './options.ts';
import { commandLine } from './quote.ts';
import { timeoutWords } from './timeouts.ts';

type ResumeWords = Pick<Invocation, 'workspaceOption' | 'model' | 'host' | 'baseUrl'> &
  Partial<Pick<Invocation, 'limits' | 'record' | 'fallbacks' | 'timeouts' | 'config'>>;

/** The command that goes on with this run, as short as it can be and still be right. */
export function resumeCommand(words: ResumeWords, platform: NodeJS.Platform): string {
  const { workspaceOption, model, host, baseUrl, limits, record = null } = words;
  const { fallbacks = [], timeouts = {}, config = null } = words;
  return commandLine(
    [
      'agent',
      'resume',
      ...(workspaceOption === null ? [] : ['--workspace', workspaceOption]),
      ...(config === null ? [] : ['--config', config]),
      ...(model === null ? [] : ['--model', model]),
      ...(host === null ? [] : ['--host', shownAddress(host)]),
      ...(baseUrl === null ? [] : ['--base-url', shownAddress(baseUrl)]),
      ...fallbacks.flatMap((fallback) => ['--fallback', fallback]),
      ...timeoutWords(timeouts),
      ...(limits === undefined ? [] : limitWords(limits)),
      ...(record === null ? [] : ['--record', record]),
    ],
    platform,
  );
}
