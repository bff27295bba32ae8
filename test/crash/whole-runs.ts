/** What holds for whole runs in one process, and more: `npm test` takes a sample, here are many dice and every kill. */
import { spawnSync } from 'node:child_process';
import type { FaultReport } from './contract.ts';

const FILES = [
  'test/contract/steps.test.ts',
  'test/contract/requests.test.ts',
  'test/contract/conversations.test.ts',
  'test/e2e/strong-models.test.ts',
  'test/run/no-harm-no-lie.test.ts',
  'test/round/random.test.ts',
  'test/round/nothing-shrinks.test.ts',
  'test/server/any-schedule.test.ts',
  'test/sessions/random.test.ts',
  'test/context-manager/fold/fold.test.ts',
  'test/run/recovery/resume.test.ts',
  'test/round/overflow.test.ts',
  'test/round/overflow-subtask.test.ts',
  'test/round/person.test.ts',
  'test/undo/property.test.ts',
  'test/undo/restore.test.ts',
  'test/journal/framing.test.ts',
  'test/journal/torn-group.test.ts',
  'test/workspace/jail.test.ts',
  'test/llm/text-tool-calls/corpus.test.ts',
  'test/languages/go/requests.test.ts',
  'test/contract/format-1.test.ts',
  'test/contract/format-2.test.ts',
  'test/contract/recorded-talks.test.ts',
  'test/contract/waits.test.ts',
  'test/fleet/contract.test.ts',
  'test/languages/javascript/emptied-types.test.ts',
  'test/decompose/brief/read-brief.test.ts',
  'test/policy/attack-paths.test.ts',
  'test/policy/attacks.test.ts',
  'test/policy/suggested.test.ts',
  'test/round/files/guard-files.test.ts',
  'test/round/change-driver.test.ts',
  'test/round/closing-text.test.ts',
  'test/round/faults.test.ts',
  'test/round/plan/tests-before-plan.test.ts',
  'test/round/survey.test.ts',
  'test/round/whole-calls.test.ts',
  'test/round/whole-files.test.ts',
  'test/run/candidates.test.ts',
  'test/run/nothing-lost.test.ts',
  'test/run/weigh-killed.test.ts',
  'test/cli/project-settings.test.ts',
  'test/context-manager/loop-detector.test.ts',
  'test/contract/calls.test.ts',
  'test/eval/generators.test.ts',
  'test/policy/rules/grammar.test.ts',
  'test/run/every-subtask.test.ts',
  'test/run/few-handles.test.ts',
  'test/run/own-tests.test.ts',
  'test/run/ten-languages.test.ts',
  'test/lib/schemas/fits.test.ts',
  'test/llm/recorded/recording-file.test.ts',
  'test/run/settle-several.test.ts',
  'test/undo/swap.test.ts',
  'test/run/agree-plan.test.ts',
  'test/run/withheld-diffs.test.ts',
  'test/run/children/children.test.ts',
  'test/run/since-end.test.ts',
  'test/run/template.test.ts',
  'test/run/models-by-role.test.ts',
  'test/run/with-tests.test.ts',
  'test/evidence/trials/rehearse.test.ts',
  'test/host/library/agent/many.test.ts',
  'test/journal/lock/lock.test.ts',
  'test/round/hosted-faults.test.ts',
  'test/round/permission/answer.test.ts',
  'test/round/same-output.test.ts',
  'test/round/thinking-models.test.ts',
  'test/undo/commands.test.ts',
  'test/workspace/before-images/copies.test.ts',
];

/** Each in the test runner, as a process of its own; a case is a test. */
export function crashWholeRuns(): FaultReport[] {
  return FILES.map((file) => {
    const args = ['node_modules/vitest/vitest.mjs', 'run', file, '--testTimeout', '1200000'];
    const { status, stdout } = spawnSync(process.execPath, args, {
      env: { ...process.env, RANDOM_RUNS: '200', EVERY_KILL: '1', NO_COLOR: '1' },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    const cases = Number(/(\d+) passed/.exec(stdout)?.[1] ?? 0);
    const isWell = status === 0 && cases > 0;
    return { kind: file, cases, violations: isWell ? [] : [stdout.slice(-4000)] };
  });
}
