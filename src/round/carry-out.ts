/** What carrying out a call of the model or a check of the engine needs. */

import { type CopyPort, plainDeps } from '../evidence/trials/in-copy.ts';
import { rehearse } from '../evidence/trials/rehearse.ts';
import type { CarryOutDeps } from '../tools/execute.ts';
import { type GuardPort, guarding } from './files/guard-files.ts';
import { type DecidePort, withAnswers } from './permission/with-answers.ts';
import type { RunPorts } from './run-ports.ts';

export type CarryOutPort = CopyPort &
  DecidePort &
  GuardPort &
  Pick<RunPorts, 'beforeImages' | 'policy' | 'scratch' | 'world'>;

export const carryOutDeps = (run: CarryOutPort): CarryOutDeps => ({
  ...plainDeps(run),
  watch: guarding(run),
  decide: withAnswers(run, run.policy.decide),
  rehearse: (call, id) => rehearse(call, id, run, withAnswers(run, run.scratch.policy.decide)),
});
