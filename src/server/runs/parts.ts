/** Pure: parts of where a run stands: its plan, and its facts. */

import type { RunState } from '../../schema/state.ts';
import type { LoopBlock } from '../../schema/state-parts/run-facts.ts';
import type { RunFacts, RunPlan } from '../api/run-schemas.ts';

export const planIn = ({ goal, plan, active, counters }: RunState): RunPlan => ({
  goal,
  plan,
  activeSubtask: active?.id ?? null,
  replans: counters.replans,
});

export function factsIn({ files, commands, recentErrors, proof, loop }: RunState): RunFacts {
  return {
    files: Object.entries(files).map(([path, { written, problems }]) => ({
      path,
      isWritten: written,
      problems: [...problems],
    })),
    commands: commands.map(({ cmd, subtask, status, exitCode, head }) => ({
      cmd,
      subtask,
      status,
      exitCode,
      head,
    })),
    errors: recentErrors.map(({ text, seq, isMended = false }) => ({ text, seq, isMended })),
    proof: proof === null ? null : { passed: proof.passed, text: proof.text },
    loops: {
      blocked: Object.values(loop.blocked).map(blockedCall),
      lifted: loop.lifted.map(blockedCall),
    },
  };
}

const blockedCall = ({ tool, target, rule, at }: LoopBlock) => ({ tool, target, rule, at });
