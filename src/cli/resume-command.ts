import { shownAddress } from '../lib/addresses.ts';
import { DEFAULT_TEMPERATURE } from '../schema/config.ts';
import { limitWords } from './limits.ts';
import type { Invocation } from './options.ts';
import { commandLine } from './quote.ts';
import { timeoutWords } from './timeouts.ts';

type ResumeWords = Pick<Invocation, 'workspaceOption' | 'model' | 'host' | 'baseUrl'> &
  Partial<
    Pick<
      Invocation,
      | 'limits'
      | 'record'
      | 'log'
      | 'accounting'
      | 'fallbacks'
      | 'timeouts'
      | 'contextWindow'
      | 'allow'
      | 'config'
    >
  > &
  Partial<Pick<Invocation, 'temperature' | 'flags'>> & {
    /** The number of a run that is not the current one. */
    readonly otherRun?: number | null;
  };

/** The command that goes on with this run, as short as it can be and still be right. */
export function resumeCommand(words: ResumeWords, platform: NodeJS.Platform): string {
  const { workspaceOption, model, host, baseUrl, limits, record = null } = words;
  const { log = null, accounting = null } = words;
  const { fallbacks = [], timeouts = {}, contextWindow = null, allow = [] } = words;
  const { temperature = DEFAULT_TEMPERATURE, otherRun = null, config = null } = words;
  return commandLine(
    [
      'agent',
      'resume',
      ...(otherRun === null ? [] : [String(otherRun)]),
      ...(workspaceOption === null ? [] : ['--workspace', workspaceOption]),
      ...(config === null ? [] : ['--config', config]),
      ...(model === null ? [] : ['--model', model]),
      ...(host === null ? [] : ['--host', shownAddress(host)]),
      ...(baseUrl === null ? [] : ['--base-url', shownAddress(baseUrl)]),
      ...fallbacks.flatMap((fallback) => ['--fallback', fallback]),
      ...(contextWindow === null ? [] : ['--context', String(contextWindow)]),
      ...(temperature === DEFAULT_TEMPERATURE ? [] : ['--temperature', String(temperature)]),
      ...allow.flatMap((rule) => ['--allow', rule]),
      // Never remembered: who goes on with it sees it in the command.
      ...(words.flags?.has('yes') === true ? ['--yes'] : []),
      ...(words.flags?.has('shell') === true ? ['--shell'] : []),
      ...timeoutWords(timeouts),
      ...(limits === undefined ? [] : limitWords(limits)),
      ...(record === null ? [] : ['--record', record]),
      ...(log === null ? [] : ['--log', log]),
      ...(accounting === null ? [] : ['--accounting', accounting]),
    ],
    platform,
  );
}

/** The command that says yes to one call; of several the first, the others are listed by it. */
export function approveCommand(
  { workspaceOption }: Pick<Invocation, 'workspaceOption'>,
  ids: readonly string[],
  platform: NodeJS.Platform,
): string {
  const [id, ...others] = ids;
  return commandLine(
    [
      ...['agent', 'approve'],
      ...(id === undefined || others.length > 0 ? [] : [id.slice(0, 8)]),
      ...(workspaceOption === null ? [] : ['--workspace', workspaceOption]),
    ],
    platform,
  );
}
