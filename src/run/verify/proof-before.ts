/** Decides whether the proof runs before the work, to see it fail. */
import { driverOf } from '../../drivers/driver-of.ts';
import { isTestPath } from '../../languages/languages.ts';
import { runsTests } from '../../languages/testing/test-runs.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { Proof } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { toolNamed } from '../../tools/toolset.ts';
import { VERDICT_LIMITS } from '../../workspace/copy-limits.ts';

const MAX_FILES = VERDICT_LIMITS.files;

/**
 * Existing tests run once before the first call that may change something. A failure then and a pass later show
 * that the work was done.
 */
export function isProofDueBefore(run: RunPorts, call: ToolCall | null): boolean {
  const { tools, world } = run;
  const { state } = run.context;
  const proof = state.plan?.proof;
  const isSeen = state.isProofSeenBefore || state.testsBeforePlan?.offset != null;
  if (!proof || isSeen || !runsTests(proof.cmd)) return false;
  if (call === null) return isUntouched(state) && world.files(MAX_FILES).some(isTestPath);
  const { name, args } = call;
  const { touches = 'nothing', isReadOnly } = toolNamed(tools, name) ?? {};
  if (touches === 'nothing' || touches === 'reads' || isReadOnly) return false;
  // A free driver's model may already have run commands before its plan, including the proof.
  const isLooking = driverOf(state.settings).callsTools && state.changedAt === 0;
  if (isLooking && state.commands.some(({ cmd }) => cmd === proof.cmd)) return false;
  if (isLooking && (isOf(proof, args) || looksAlone(run, args))) return false;
  const isRunAlready = !isLooking && state.counters.commands > 0;
  return !isRunAlready && isUntouched(state) && world.files(MAX_FILES).some(isTestPath);
}

const isUntouched = ({ files }: RunState): boolean =>
  Object.values(files).every((file) => !file.written);

/** True if the call is the proof itself: then it shows the result before the first change. */
const isOf = (proof: Proof, { cmd, stdin, cwd, background }: ToolCall['args']): boolean =>
  cmd === proof.cmd && stdin === proof.stdin && !cwd && background !== true;

/** True for a command that only looks. Tests do not count, because they may leave files behind. */
const looksAlone = ({ policy }: RunPorts, { cmd, cwd }: ToolCall['args']): boolean =>
  typeof cmd === 'string' &&
  !runsTests(cmd) &&
  policy.isReadOnly(cmd, typeof cwd === 'string' ? cwd : undefined);
