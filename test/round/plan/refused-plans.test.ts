/** A plan that cannot be used: its question is asked once more, and ends with the goal as the first time. */
import { describe, expect, it } from 'vitest';
import { planQuestionAgain } from '../../../src/prompts/plan.ts';
import type { ModelRequest } from '../../../src/schema/model/turn.ts';
import { planJson, wantedBy } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const GOAL = 'Write greet.py: python greet.py prints hello';

/** The plan questions of a run whose first plan lacks the file, and whose content never comes. */
async function planQuestions() {
  const asked: ModelRequest[] = [];
  const provider = scriptedProvider((request) => {
    if (wantedBy(request) !== 'plan') return 'I would rather not.';
    asked.push(request);
    const file = asked.length === 1 ? 'other.py' : 'greet.py';
    return planJson({ subtasks: [{ action: 'write_file', file, purpose: 'greets' }], files: {} });
  });
  await runIn(testWorld(), provider, { goal: GOAL, toolMode: 'json' });
  return asked.map(({ messages }) => messages.map(({ content }) => content).join('\n'));
}

const lastLines = (requests: readonly ModelRequest[]): readonly string[] =>
  requests.map(({ messages }) => messages.at(-1)?.content.split('\n').at(-1) ?? '');

describe('a plan that cannot be used', () => {
  it('is asked for in the words of its question and with its fault, before the goal and without the plan', async () => {
    const [first = '', second = ''] = await planQuestions();
    const fault =
      'A plan before this one could not be used. No subtask writes greet.py, which the goal names: keep the others and add it.';
    expect(second).toBe(first.replace(/GOAL: (?!.*GOAL: )/s, `${fault}\n$&`));
  });

  it('leaves the form of plans in view, so that a later plan is asked for without it', async () => {
    const [, , later = ''] = await planQuestions();
    expect(later).toContain('The plan did not work');
    expect(later.split('Plan a goal as tasks with subtasks.')).toHaveLength(2);
  });

  it('is asked for again where its question had to be shortened', async () => {
    let plans = 0;
    const provider = scriptedProvider(
      (request) => {
        if (wantedBy(request) !== 'plan') return 'I would rather not.';
        plans += 1;
        return plans === 1 ? { fails: { kind: 'context_overflow' } } : 'no plan';
      },
      { contextWindow: 2048 },
    );
    const { records } = await runIn(testWorld(), provider, { goal: GOAL, toolMode: 'json' });
    expect(records.some(({ type }) => type === 'compacted')).toBe(true);
    const causes = records.flatMap((one) => (one.type === 'message_added' ? [one.cause] : []));
    expect(causes).toContain('plan_refused');
    expect(lastLines(provider.requests)).toContain(`GOAL: ${GOAL}`);
  });

  it('loses nothing of a question that ends with something else', () => {
    const again = planQuestionAgain('Plan it.', 'a goal', 'It has no subtask.');
    expect(again).toBe(
      'Plan it.\nA plan before this one could not be used. It has no subtask.\nGOAL: a goal',
    );
  });
});
