import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judge, lay } from '../../eval/evaluate.ts';
import { GOALS } from '../../eval/goals.ts';
import { has, PROGRAMS } from './python.ts';
import { SAMPLES } from './samples.ts';

test('every goal has a sample that reaches it and one that does not', () => {
  for (const { name } of GOALS) {
    const verdicts = SAMPLES.filter(({ goal }) => goal === name).map(({ reached }) => reached);
    expect(new Set(verdicts), name).toEqual(new Set([true, false]));
  }
});

for (const sample of SAMPLES) {
  const goal = GOALS.find(({ name }) => name === sample.goal);
  const lacking = goal?.needs.find((need) => !has[need]);
  test
    .skipIf(lacking !== undefined)
    .concurrent(
      `${sample.goal}: ${sample.title} is ${sample.reached ? 'reached' : 'missed'}`,
      async ({ expect }) => {
        const workspace = mkdtempSync(join(tmpdir(), 'tardigrade-oracle-'));
        try {
          lay(workspace, { ...goal!.given, ...sample.files });
          const verdict = await judge(goal!, {
            workspace,
            answer: sample.answer ?? null,
            programs: PROGRAMS,
          });
          expect(verdict.why).toMatch(sample.why);
          expect(verdict.reached).toBe(sample.reached);
        } finally {
          rmSync(workspace, { recursive: true, force: true });
        }
      },
    );
}
