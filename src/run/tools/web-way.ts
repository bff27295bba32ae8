/** Whether a run has a way to the web, and what of it may be used unasked. */

import type { Run } from '../../round/run.ts';
import type { WebWay } from '../../tools/web/ports.ts';
import type { Machine } from '../machine.ts';
import type { RunRequest } from '../options.ts';

/** `null`: it has. */
export function whyNoWeb({ web }: Pick<RunRequest, 'web'>, isSandboxed: boolean): string | null {
  if (isSandboxed)
    return 'Commands are confined here and have no network, so no page of the web is read either.';
  return web === 'on' ? null : 'Pages of the web are not read in this run.';
}

/** Each redirect is judged as an address that was asked for. */
export const webWayOf = (
  { web }: Pick<Machine, 'web'>,
  { policy, asking }: Pick<Run, 'policy' | 'asking'>,
): WebWay | undefined =>
  web && {
    ...web,
    mayFetch: (address) => {
      const { kind } = policy.decideNow({
        ...{ tool: '', touches: 'network', reaches: [], args: {}, asker: 'model' },
        target: { kind: 'address', text: address },
      });
      return kind === 'allow' || (kind === 'ask' && asking.isYes);
    },
  };
