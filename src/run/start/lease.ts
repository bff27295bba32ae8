/** Records that a process takes up a run that another process began. */
import { isDeepStrictEqual } from 'node:util';
import { raiseFormat } from '../../context-manager/raise-format.ts';
import { defined } from '../../lib/defined.ts';
import { VERSION } from '../../lib/version.ts';
import type { OpenedRun } from '../open.ts';
import type { RunRequest } from '../options.ts';

/** The token is written to the lock first; a new run stores it nowhere else. */
export function takeLease(
  { context, isResumed, takeToken }: Pick<OpenedRun, 'context' | 'isResumed' | 'takeToken'>,
  {
    machine,
    wants,
    keep,
    withTests,
    worker,
  }: Pick<RunRequest, 'machine' | 'wants' | 'keep' | 'withTests'> & { readonly worker?: string },
): void {
  const token = takeToken();
  if (!isResumed) return;
  raiseFormat(context);
  context.record({
    type: 'lease_taken',
    token,
    host: machine.identity.host,
    ...defined({ worker }),
    version: VERSION,
    ...defined({ wants, keep: keep || undefined, withTests: withTests || undefined }),
  });
}

/** Limits that this process names apply from now on; the others stay as they were. */
export function recordLimits(
  { context }: Pick<OpenedRun, 'context'>,
  { limits }: Pick<RunRequest, 'limits'>,
): void {
  const before = context.state.limits;
  const after = { ...before, ...limits };
  if (!isDeepStrictEqual(before, after)) context.record({ type: 'limits_set', ...after });
}
