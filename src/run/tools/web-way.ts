/** Decides whether a run can reach the web, and what it may read without asking. */

import type { RunPorts } from '../../round/run-ports.ts';
import type { WebWay } from '../../tools/web/ports.ts';
import type { Machine } from '../machine.ts';
import type { RunRequest } from '../options.ts';

/** `null`: the run has web access. */
export function whyNoWeb({ web }: Pick<RunRequest, 'web'>, isSandboxed: boolean): string | null {
  if (isSandboxed)
    return 'Commands are confined here and have no network, so no page of the web is read either.';
  return web === 'on' ? null : 'Pages of the web are not read in this run.';
}

/** Every redirect is judged like a requested address. */
export const webWayOf = (
  { web }: Pick<Machine, 'web'>,
  { policy, asking }: Pick<RunPorts, 'policy' | 'asking'>,
): WebWay | undefined =>
  web && {
    ...web,
    mayFetch: (address) => {
      const { kind } = policy.decideNow({
        tool: '',
        touches: 'network',
        reaches: [],
        args: {},
        asker: 'model',
        target: { kind: 'address', text: address },
      });
      return kind === 'allow' || (kind === 'ask' && asking.isYes);
    },
  };
