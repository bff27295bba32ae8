/** What a plan that writes Python must hold: the tests that it runs. Pure. */
import type { PlannedWork, PlanRules } from '../plan-rules.ts';
import { owns } from './files.ts';

export const plan: PlanRules = {
  fault: (work) =>
    lacksTests(work)
      ? `No subtask writes the tests: keep ${work.changes.join(', ')} and add a write_file of a file test_NAME.py.`
      : null,
};

/** A test run as the proof needs a test: one that is there, or one that is planned. */
const lacksTests = ({ wantsTests, proof, changes, hasTests }: PlannedWork): boolean =>
  (wantsTests || /\bpytest\b|\bunittest\b/.test(proof)) && changes.some(owns) && !hasTests;
