import { expect, it } from 'vitest';
import { policyOfRepeats } from '../../src/policy/repeated.ts';
import type { CallDecision, PolicyRequest } from '../../src/tools/decision.ts';

const REQUEST: PolicyRequest = {
  ...{ tool: 'run', touches: 'process', target: null, reaches: [], args: {}, asker: 'engine' },
};
const SAID: { readonly [kind: string]: CallDecision } = {
  allow: { kind: 'allow', isUnsandboxed: true },
  ask: { kind: 'ask', reason: '', hint: '', wants: [] },
  deny: { kind: 'deny', reason: '', hint: '' },
};
const saying = (kind: string) => ({ decideNow: () => SAID[kind] as CallDecision });

it.each([
  ['allowed unasked', 'allow', 'allow', 'deny', false, 'allow'],
  ['allowed by a rule, and stays in the copy', 'allow', 'ask', 'allow', false, 'allow'],
  ['allowed by a rule, and leaves the copy', 'allow', 'ask', 'deny', false, 'deny'],
  ['asked about', 'ask', 'ask', 'ask', false, 'deny'],
  [
    'asked about, and a sandbox holds what is allowed in advance',
    'ask',
    'ask',
    'ask',
    true,
    'allow',
  ],
  ['the same, and leaves the copy', 'ask', 'ask', 'deny', true, 'deny'],
  ['denied', 'deny', 'deny', 'allow', true, 'deny'],
])('what is %s', async (_what, now, usual, inCopy, isSandboxedYes, wanted) => {
  const decide = policyOfRepeats({
    ...{
      policy: saying(now),
      withoutAllowRules: saying(usual),
      ofChildCopy: saying(inCopy),
      isSandboxedYes,
    },
  });
  const decision = await decide(REQUEST);
  expect(decision.kind).toBe(wanted);
  if (decision.kind === 'allow') expect(decision.isUnsandboxed).toBeUndefined();
});
