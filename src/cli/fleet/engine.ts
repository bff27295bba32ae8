/** Connects to the engine of a fleet by its address. */
import type { DurableEngine } from '../../fleet/contract.ts';
import { restateEngine } from '../../fleet/restate/client.ts';
import { temporalPlace } from '../../fleet/temporal/address.ts';
import type { TardigradeError } from '../../lib/errors.ts';
import { optionsFromVariables } from '../../options/read.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import type { CommandContext } from '../command-context.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { sdkPlaces } from './sdk-places.ts';

const USUAL_FLEET = 'http://127.0.0.1:8080';

type Named = Pick<CommandContext, 'invocation' | 'terminal'>;

export const addressOf = ({ invocation, terminal }: Named): string =>
  invocation.fleet ?? optionsFromVariables(terminal.env).fleet ?? USUAL_FLEET;

/** Throws E_USAGE if its SDK is not installed. */
export async function engineOf(context: CommandContext): Promise<DurableEngine> {
  const address = addressOf(context);
  const place = temporalPlace(address);
  if (place === null) return restateEngine(address);
  const { loadClientSdk } = await import('../../fleet/temporal/sdk.ts');
  const sdk = loadClientSdk(sdkPlaces(context));
  if (sdk === null) throw sdkMissing(context);
  const { temporalEngine } = await import('../../fleet/temporal/client.ts');
  return temporalEngine(sdk, place);
}

export function sdkMissing(context: Named): TardigradeError {
  const address = addressOf(context);
  const isTemporal = temporalPlace(address) !== null;
  const which = isTemporal ? ` ${longFlag(OPTIONS.fleet)} ${address}` : '';
  return usageError(
    `A fleet on ${isTemporal ? 'Temporal' : 'Restate'} needs its SDK, which is not installed.`,
    `Install it once: ${AGENT} setup fleet${which}`,
  );
}
