import type { CommandContext } from './command-context.ts';

/** What is typed counts as it is; what files say never takes from what there was before. */
export function sandboxOf({
  invocation,
  configured,
}: Pick<CommandContext, 'invocation' | 'configured'>) {
  const { sandbox } = invocation;
  if (sandbox === null) return {};
  return configured.typed.sandbox === undefined ? { sandboxAtLeast: sandbox } : { sandbox };
}
