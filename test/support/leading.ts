/** A scripted model that leads: how it looks and plans is told once, what it then does is the test's own. */
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { type PlannedWork, planJson, setPlanArgs, wantedBy } from './models.ts';
import type { Script, ScriptedCall } from './scripted-provider.ts';

/** It makes its `looks`, a reply each, sets its plan, and is `script` from there on. */
export const leading =
  (work: PlannedWork, script: Script, looks: readonly (readonly ScriptedCall[])[] = []): Script =>
  (request, n) =>
    wantedBy(request) === 'plan'
      ? { calls: looks[repliesIn(request)] ?? [planCall(work)] }
      : script(request, n);

const repliesIn = ({ messages }: ModelRequest): number =>
  messages.filter(({ role }) => role === 'assistant').length;

export const planCall = (work: PlannedWork): ScriptedCall => ({
  name: 'set_plan',
  args: setPlanArgs(JSON.parse(planJson(work))),
});
