/** Options of a fleet and its workers. */
import { flag, fleetAddress, freeText } from '../kinds.ts';
import type { OptionRow } from '../row.ts';

export const FLEET_ROWS = {
  fleet: {
    kind: fleetAddress,
    flag: '--fleet <address>',
    on: ['submit', 'worker', 'attach', 'approve', 'deny', 'resume', 'setup'],
    about:
      "the fleet's engine: Restate's ingress, or temporal://HOST:PORT/NAMESPACE (default: http://127.0.0.1:8080)",
    variable: 'TARDIGRADE_FLEET',
    isAddress: true,
  },
  tenant: {
    kind: freeText,
    flag: '--tenant <name>',
    on: ['submit'],
    about: 'whose run it is; tenants take turns (default: default)',
    usually: 'default',
  },
  home: {
    kind: freeText,
    flag: '--home <repository>',
    on: ['submit', 'worker'],
    about:
      'git repository that runs lie in, where machines share no folder; an address without a password',
  },
  /** Cancels the run that the goal names. */
  cancel: {
    kind: flag(),
    flag: '--cancel',
    on: ['submit'],
    about: 'stop the run of that goal; resume --fleet continues it',
  },
  listen: {
    kind: freeText,
    flag: '--listen <address>',
    on: ['worker'],
    about:
      'address where the engine reaches this worker (default: 127.0.0.1:9080); port 0 picks a free one',
    usually: '127.0.0.1:9080',
  },
  /** How a worker starts the processes in which its runs are open. */
  slices: {
    kind: flag(),
    flag: '--slices',
    on: ['worker'],
    about: 'internal: work for the worker that started this process',
  },
} as const satisfies { readonly [name: string]: OptionRow };
