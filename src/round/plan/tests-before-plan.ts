/** Runs the existing tests once before a plan: what fails now is what the plan is about. */
import { comparedToBefore } from '../../evidence/as-before.ts';
import { failuresIn, usersTestRun } from '../../languages/testing/given-tests.ts';
import { failureLines } from '../../languages/testing/short-failure.ts';
import { defined } from '../../lib/defined.ts';
import { judgeCommand } from '../../probe/command-verdict.ts';
import { testsFail, testsInconclusive, testsPass } from '../../prompts/survey.ts';
import type { ActionFacts, ToolResult } from '../../schema/actions.ts';
import type { RecordOf } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import { BEFORE_A_PLAN } from '../../schema/state-parts/run-facts.ts';
import { executeCheck } from '../../tools/execute.ts';
import { failed } from '../../tools/result.ts';
import { commandCall } from '../../tools/toolset.ts';
import { type CarryOutPort, carryOutDeps } from '../carry-out.ts';
import type { RunPorts } from '../run-ports.ts';

export type TestsPort = CarryOutPort & Pick<RunPorts, 'world' | 'installed'>;

/** Nobody asked for this run, so it must not take long. */
const TIMEOUT_SEC = 60;
const MAX_FILES = 500;
const MAX_FAILURES = 12;
const MAX_LINE = 200;

/**
 * Records the run as a check together with the message about it, so that a resumed run does not repeat the
 * tests. If it was cut off it is repeated, which is safe because a test run is the engine's own command.
 */
export async function runTestsBeforePlan(run: TestsPort): Promise<void> {
  const { context, world, installed } = run;
  const { state } = context;
  const tests = usersTestRun(world.files(MAX_FILES), installed);
  if (tests === null) {
    context.record({ type: 'note', kind: 'looked', data: {} });
    return;
  }
  const { cmd } = tests;
  const id = `look#${state.counters.replans}`;
  const call = commandCall(run.tools, { cmd, timeout_sec: TIMEOUT_SEC });
  const result = call
    ? await executeCheck(call, id, carryOutDeps(run))
    : failed('There is no tool to run commands with.');
  if (run.signal.aborted) return;
  const outcome = testsOutcome(cmd, result);
  context.record({
    type: 'check_ran',
    id: id in context.state.intents ? id : null,
    subtask: BEFORE_A_PLAN,
    check: { type: 'command_succeeds', cmd },
    proof: false,
    when: hasChanged(state) ? 'after' : 'before',
    ...outcome,
    facts: {
      ...factsOf(result),
      ...comparedToBefore(state, { cmd, folder: run.toolContext.workspace, ...ranOf(result) }),
    },
  });
}

const hasChanged = ({ files, counters }: RunState): boolean =>
  counters.actions > 0 || Object.values(files).some(({ written }) => written);

function testsOutcome(
  cmd: string,
  { status, output = '', facts, content }: ToolResult,
): Pick<RecordOf<'check_ran'>, 'passed' | 'red' | 'text'> {
  const exitCode = facts?.exitCode ?? null;
  const verdict = judgeCommand({ exitCode, output });
  if (status === 'ok' && verdict.passed) return { passed: true, text: testsPass(cmd) };
  const isRed = exitCode !== null && exitCode !== 0 && facts?.testsRan === undefined;
  if (!isRed) {
    const why = exitCode === 0 ? verdict.reason : (content.split('\n')[0] ?? '');
    return { passed: false, red: 'unknown', text: testsInconclusive(cmd, clip(why)) };
  }
  const failures = failuresIn(output).map(clip);
  const more = failures.length - MAX_FAILURES;
  const lines = [...failures.slice(0, MAX_FAILURES), ...(more > 0 ? [`and ${more} more`] : [])];
  const shown = lines.length > 0 ? lines : failureLines(output);
  return { passed: false, red: 'failing', text: testsFail(cmd, shown) };
}

const ranOf = ({ facts, output = '' }: ToolResult) => ({
  exitCode: facts?.exitCode ?? null,
  output,
});

const factsOf = ({ facts }: ToolResult): ActionFacts => {
  const { exitCode = null, failingTests, tests, testsRan } = facts ?? {};
  return { exitCode, ...defined({ failingTests, tests, testsRan }) };
};

const clip = (text: string): string =>
  text.length > MAX_LINE ? `${text.slice(0, MAX_LINE - 1)}…` : text;
