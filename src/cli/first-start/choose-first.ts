/** Decides whether a start must ask for a model; the code that asks is loaded only then. */
import type { ModelChoice } from '../../host/engine-port.ts';
import { rowOf, USUAL_PROVIDER } from '../../host/providers/providers.ts';
import type { CommandContext } from '../command-context.ts';
import { isPersonThere } from '../questions/person-there.ts';

/** No option, variable, settings file or run names a model. */
export function isNobodysChoice(
  { provider, model }: ModelChoice,
  { invocation, terminal }: Pick<CommandContext, 'invocation' | 'terminal'>,
): boolean {
  const row = rowOf(provider);
  const variable = row.kind === 'local' ? row.modelVariable : undefined;
  const isNamed = variable !== undefined && (terminal.env[variable] ?? '') !== '';
  const typed = invocation.model ?? invocation.host ?? invocation.baseUrl;
  return provider === USUAL_PROVIDER && model === null && typed === undefined && !isNamed;
}

/**
 * The exit code of the start that the person's choice led to; `null`: no question is asked and this start
 * continues.
 */
export async function chooseFirst(
  context: CommandContext,
  choice: ModelChoice,
): Promise<number | null> {
  if (!isPersonThere(context.terminal, context.invocation)) return null;
  if (!isNobodysChoice(choice, context)) return null;
  const { firstStart } = await import('./first-start.ts');
  return await firstStart(context);
}
