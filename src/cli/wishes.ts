/** What a person wants of a run and of a conversation alike, as the options of the library. */
import { keptBytes } from '../host/config/kept-output.ts';
import type { CommandContext } from './command-context.ts';
import type { Invocation } from './options.ts';

type Context = Pick<CommandContext, 'invocation' | 'configured'>;

export function commonWishes(context: Context) {
  const { configured, invocation } = context;
  const { workspace, toolMode, timeouts, instructions } = invocation;
  const { contextWindow, effort, maxToolResultChars } = invocation;
  return {
    ...{ workspace, toolMode, instructions, deadlines: timeouts, rules: configured.rules },
    ...(contextWindow === null ? {} : { contextWindow }),
    ...(effort === null ? {} : { effort }),
    ...(maxToolResultChars === null ? {} : { maxToolResultChars }),
    keptOutput: keptBytes(configured.settings?.config.user?.form.keptOutput),
    ...sandboxOf(context),
  };
}

export const flagWishes = (flags: Invocation['flags']) => ({
  yes: flags.has('yes'),
  trustPrograms: flags.has('trustPrograms'),
  forceUnlock: flags.has('forceUnlock'),
});

/** What is typed counts as it is; what files say never takes from what there was before. */
function sandboxOf({ invocation: { sandbox }, configured }: Context) {
  if (sandbox === null) return {};
  return configured.typed.sandbox === undefined ? { sandboxAtLeast: sandbox } : { sandbox };
}
