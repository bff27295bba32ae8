/**
 * Hands over from the planning model to the working model. Its conversation begins with the goal; the plan
 * comes with the first subtask.
 * 1. The first record drops the old conversation and begins the new one in one step. If the run is cut off
 *    after it, the step repeats and says nothing twice.
 * 2. The settings come last: until then the run still counts as one that has to change over.
 */
import { nameOf } from '../../llm/failover/candidate.ts';
import { candidateIndex } from '../../llm/failover/roles.ts';
import { withHint } from '../../schema/model/turn.ts';
import { settingsOf } from '../../steps/select.ts';
import { driverIn, driverViewOf, type ViewPort } from '../driver-view.ts';
import { describe, type FailoverPort, recordSwitch } from './failover.ts';
import { sendToModel } from './send-to-model.ts';

export async function beginWork(run: FailoverPort & ViewPort): Promise<void> {
  const { context, failover, signal } = run;
  const { conversation, models } = context.state;
  if (conversation.at(-1)?.cause !== 'survey') {
    const from = conversation[0]?.seq;
    const begun = from === undefined ? {} : { rewindTo: from };
    sendToModel(run, {
      cause: 'survey',
      text: driverIn(run).goalToWork(driverViewOf(run)),
      ...begun,
    });
  }
  const at = candidateIndex(models?.work ?? '', failover.candidates);
  const candidate = failover.candidates[at];
  if (candidate === undefined)
    return stay(run, `${models?.work} is not among the models that can be asked`);
  context.sync('request');
  const info = await describe(run, candidate);
  if (signal.aborted) return;
  if ('status' in info) {
    context.record({ type: 'candidate_failed', ...nameOf(candidate), status: info.status });
    return stay(run, `${models?.work} cannot be used: ${withHint(info)}`);
  }
  failover.use(at);
  recordSwitch(run, candidate, info, 'the plan is made: this model works by it', true);
}

/** The planning model also does the work. */
function stay({ context, emit }: FailoverPort, why: string): void {
  emit({ type: 'notice', level: 'warning', text: `The model that planned goes on: ${why}` });
  const { modelRole: _before, ...settings } = settingsOf(context.state);
  context.record({ type: 'settings_changed', ...settings, why });
}
