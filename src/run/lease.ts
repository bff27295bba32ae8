/** A process takes up a run that another one began. */
import { isDeepStrictEqual } from 'node:util';
import { raiseFormat } from '../context-manager/raise-format.ts';
import { given } from '../lib/given.ts';
import { VERSION } from '../lib/version.ts';
import type { OpenedRun } from './open.ts';
import type { RunRequest } from './options.ts';

/** Does nothing for a run that has only just begun: its first record stands for token 1. */
export function takeLease(
  { context, isResumed }: Pick<OpenedRun, 'context' | 'isResumed'>,
  { machine, wants }: Pick<RunRequest, 'machine' | 'wants'>,
): void {
  if (!isResumed) return;
  raiseFormat(context);
  context.record({
    type: 'lease_taken',
    token: (context.state.lease?.token ?? 1) + 1,
    host: machine.identity.host,
    version: VERSION,
    ...given({ wants }),
  });
}

/** Limits that this process names hold from now on; others stay as they were. */
export function holdLimits(
  { context }: Pick<OpenedRun, 'context'>,
  { limits }: Pick<RunRequest, 'limits'>,
): void {
  const before = context.state.limits;
  const after = { ...before, ...limits };
  if (!isDeepStrictEqual(before, after)) context.record({ type: 'limits_set', ...after });
}
