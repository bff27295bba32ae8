import type { HostEnvironment } from '../host-environment.ts';
import { infosOf, type ListedInfo, listedModel } from '../models/list-infos.ts';
import { withCommandKey } from './command-key.ts';
import { hostedAccount } from './hosted-account.ts';
import { hostedProvider } from './open-hosted.ts';
import type { HostedRow, ListedModel, Listing } from './provider-row.ts';

/** What an API offers for this key. Throws E_USAGE without one. */
export async function listHosted(
  row: HostedRow,
  baseUrl: string | null,
  place: HostEnvironment,
  signal: AbortSignal,
): Promise<Listing> {
  const account = hostedAccount(row, baseUrl, await withCommandKey(row, place, signal));
  const infos = await infosOf(await hostedProvider(row, account), signal);
  const models = infos.map((info) => listedModel(`${row.name}/${info.model}`, info, priceOf(info)));
  return { where: await row.address(account), models, problem: '', next: '' };
}

/** A server that needs no key is free. */
const priceOf = ({ price }: ListedInfo): ListedModel['price'] =>
  price?.input === 0 && price.output === 0 ? 'free' : (price ?? null);
