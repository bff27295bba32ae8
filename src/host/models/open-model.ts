import type { OpenModelRequest } from '../engine-port.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { withCommandKey } from '../providers/command-key.ts';
import { hostedAccount } from '../providers/hosted-account.ts';
import { openHosted } from '../providers/open-hosted.ts';
import type { OpenedModel } from '../providers/provider-row.ts';
import { PROVIDER_NAMES, rowOf } from '../providers/providers.ts';
import { withOtherWay } from './first-model.ts';
import { withMeant } from './near-miss.ts';

const HOSTED = PROVIDER_NAMES.map(rowOf).flatMap((row) => (row.kind === 'hosted' ? [row] : []));

/** Loads only the provider that is asked for, and lets it choose the model. */
export async function openModel(
  { choice, host, baseUrl, report, signal }: Omit<OpenModelRequest, 'fallbacks'>,
  place: HostEnvironment,
): Promise<OpenedModel> {
  const row = rowOf(choice.provider);
  const request = { model: choice.model, host, baseUrl, report, signal };
  if (row.kind !== 'hosted') {
    const isUnasked = choice.model === null && host === null;
    const begunAt = host ?? choice.baseUrl ?? null;
    return await row.open({ ...request, host: begunAt }, place).catch((error: unknown) => {
      if (isUnasked) throw withOtherWay(error, row.label, HOSTED, place);
      const isName = row.kind === 'local' && row.hostVariable !== undefined;
      throw isName && choice.model !== null ? withMeant(error, choice.model, HOSTED) : error;
    });
  }
  const keyed = await withCommandKey(row, place, signal);
  return await openHosted(row, hostedAccount(row, baseUrl, keyed), request);
}
