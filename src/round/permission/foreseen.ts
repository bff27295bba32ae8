/**
 * Notes permissions that a model says it would need, together with those that it tried to use, so that one
 * command grants them all.
 */

import { type ReadCall, readCall } from '../../tools/calls/read-call.ts';
import { policyRequestOf } from '../../tools/decision.ts';
import { commandCall } from '../../tools/toolset.ts';
import type { RunPorts } from '../run-ports.ts';
import { notePermissionRequest } from './ask-person.ts';
import { type QuestionPort, questionFor } from './permission-request.ts';

type ForeseenPort = QuestionPort &
  Pick<RunPorts, 'context' | 'tools' | 'toolContext' | 'policy' | 'asking'>;

const MAX = 20;

/** Notes nothing when a person can be asked or everything is allowed. */
export async function noteForeseen({ valid }: ReadCall, run: ForeseenPort): Promise<void> {
  const { tools, toolContext: context, asking } = run;
  if (asking.person !== null || asking.isYes || valid.kind === 'invalid') return;
  for (const cmd of (valid.tool.foresees?.(valid.args) ?? []).slice(0, MAX)) {
    const call = commandCall(tools, { cmd });
    if (call !== null)
      await noteUnlessAllowed(readCall({ id: '', ...call }, { tools, context }), run);
  }
}

async function noteUnlessAllowed({ valid, line }: ReadCall, run: ForeseenPort): Promise<void> {
  if (valid.kind === 'invalid') return;
  const decision = run.policy.decideNow(policyRequestOf(valid.tool, valid.args, 'model', line));
  if (decision.kind !== 'ask') return;
  const question = await questionFor({ ...valid, line }, decision, run);
  if (question !== 'missing') notePermissionRequest(question, run, 'foreseen');
}
