/** A scripted model that leads: how it plans is told once, what it then does is the test's own. */
import type { ModelRequest } from '../../src/schema/turn.ts';
import { type PlannedWork, planJson } from './models.ts';
import type { Script, ScriptedCall } from './scripted-provider.ts';

/** Asked for a plan, or with a tool to set one, it plans; `script` is asked for all else. */
export const leading =
  (work: PlannedWork, script: Script): Script =>
  (request, n) => {
    if (!request.tools) return planJson(work);
    const sets = request.tools.some(({ name }) => name === SETS_PLAN) && !isPlanned(request);
    return sets ? { calls: [planCall(work)] } : script(request, n);
  };

const SETS_PLAN = 'set_plan';

const isPlanned = ({ messages }: ModelRequest): boolean =>
  messages.some(
    (message) =>
      message.role === 'assistant' &&
      message.toolCalls?.some(({ name }) => name === SETS_PLAN) === true,
  );

function planCall({ subtasks, verify }: PlannedWork): ScriptedCall {
  const steps = subtasks.map(({ file, purpose = '', cmd }) => ({
    do: [cmd, purpose].filter(Boolean).join(': '),
    ...(file === undefined ? {} : { files: [file] }),
  }));
  const tasks = [{ description: 'the work', subtasks: steps }];
  return { name: SETS_PLAN, args: { tasks, ...(verify ? { proof: verify } : {}) } };
}
