/** Asks the embedding program about a call, in addition to the rules. Pure except for that program's function. */
import { thrownText } from '../lib/callback.ts';
import type { CallDecision, PolicyRequest } from '../tools/decision.ts';
import type { Policy } from './policy.ts';

/** An embedding program's decision about a call, in addition to the rules. */
export type HostDecision = 'allow' | 'ask' | 'deny';

/**
 * Called synchronously with a call and the decision of the rules, perhaps more than once per call, but not for the
 * plan and the end of a run, which reach nothing. Its decision counts; without one, the rules decide. It cannot lift a
 * deny. If it throws, the call is denied.
 */
export type HostPolicy = (
  request: PolicyRequest,
  byRules: 'allow' | 'ask',
) => HostDecision | { readonly decision: HostDecision; readonly reason: string } | undefined;

/**
 * The same policy, which reports its first failure. It must answer synchronously: the result of a promise is
 * ignored.
 */
export function reportingPolicy(host: HostPolicy, warn: (why: string) => void): HostPolicy {
  let hasFailed = false;
  const fail = (why: string): void => {
    if (!hasFailed) warn(why);
    hasFailed = true;
  };
  return (request, byRules) => {
    try {
      const said: unknown = host(request, byRules);
      if (said instanceof Promise) fail('it answers with a promise, but must answer at once');
      return said as ReturnType<HostPolicy>;
    } catch (error) {
      fail(thrownText(error));
      throw error;
    }
  };
}

export function withHostPolicy(policy: Policy, host: HostPolicy | null): Policy {
  if (host === null) return policy;
  const decideNow: Policy['decideNow'] = (request) => {
    const byRules = policy.decideNow(request);
    return byRules.kind === 'deny' || isOfTheRun(request)
      ? byRules
      : joined(byRules, hostAnswer(host, request, byRules.kind));
  };
  return { ...policy, decideNow, decide: async (request) => decideNow(request) };
}

/**
 * True for calls that set the plan or end the run. They reach nothing, and without them a run could only go
 * on until its limit.
 */
const isOfTheRun = ({ touches, own, server }: PolicyRequest): boolean =>
  touches === 'nothing' && own === undefined && server === undefined;

interface HostAnswer {
  readonly decision: HostDecision;
  readonly reason: string;
}

const REASON = 'The program that this runs in holds it back.';

function hostAnswer(
  host: HostPolicy,
  request: PolicyRequest,
  byRules: 'allow' | 'ask',
): HostAnswer | null {
  try {
    const said = host(request, byRules);
    if (said === undefined) return null;
    // The policy must answer synchronously; the result of a promise is ignored.
    Promise.resolve<unknown>(said).catch(() => {});
    const { decision, reason } =
      typeof said === 'string' ? { decision: said, reason: REASON } : said;
    if (decision === 'allow' || decision === 'ask' || decision === 'deny')
      return { decision, reason };
    return {
      decision: 'deny',
      reason: 'The policy of the program gave neither allow, ask nor deny.',
    };
  } catch (error) {
    return { decision: 'deny', reason: `The policy of the program failed: ${thrownText(error)}` };
  }
}

function joined(
  byRules: Exclude<CallDecision, { kind: 'deny' }>,
  said: HostAnswer | null,
): CallDecision {
  if (said === null || said.decision === byRules.kind) return byRules;
  const { decision, reason } = said;
  switch (decision) {
    case 'allow':
      return { kind: 'allow', isAllowedByUser: true };
    case 'deny':
      return { kind: 'deny', reason, hint: 'Do without it.' };
    case 'ask':
      return {
        kind: 'ask',
        reason,
        hint: 'Only the user can allow it.',
        wants: [{ rule: null, isOffered: false }],
      };
    default:
      return decision satisfies never;
  }
}
