/** What a plan that writes Go must hold: its tests run only in a module. Pure. */
import type { PlannedWork, PlanRules } from '../plan-rules.ts';
import { isData, isSource, isTest } from './files.ts';
import { MODULE_FILE } from './running.ts';

export const plan: PlanRules = {
  fault: (work) =>
    lacksModule(work)
      ? `No subtask writes go.mod, without which no test is run: keep ${work.changes.join(', ')} and add a write_file of the file ${MODULE_FILE}.`
      : null,
};

/** Where sources are there already, the module may be that of a folder above. */
function lacksModule({ changes, files, proof }: PlannedWork): boolean {
  const runsTests = changes.some(isTest) || /\bgo test\b/.test(proof);
  const hasModule = [...changes, ...files].some(isData);
  return runsTests && changes.some(isSource) && !hasModule && !files.some(isSource);
}
