/** States of a guided run. */
import type { Plan, SubtaskStep } from '../../../src/schema/plan.ts';
import type { RunState } from '../../../src/schema/state.ts';
import {
  action,
  active,
  bareState,
  failed,
  file,
  planOf,
  RUN,
  round,
  subtask,
  WRITE,
} from '../../support/run-state.ts';

/** A plan of one subtask, which is under way. */
export const doing = (step?: SubtaskStep): Plan =>
  planOf([subtask('1.1', step, { status: 'in_progress' })]);

export const working = (more: Partial<RunState>): RunState =>
  bareState('guided', { plan: doing(WRITE), active: active(), ...more });

export const running = (more: Partial<RunState>): RunState =>
  working({ plan: doing(RUN), ...more });

/** The subtask's file is written, and nothing speaks against it. */
export const WRITTEN = {
  files: { 'hello.mjs': file() },
  active: active({ actions: [action('write_file', 'hello.mjs')], succeeded: 1 }),
};
/** The command of the subtask failed, and hello.mjs was written before. */
export const failing = (more: Partial<RunState> = {}): RunState =>
  running({
    active: active({ actions: [action('run_cmd', 'node hello.mjs')] }),
    commands: [failed('node hello.mjs')],
    files: { 'hello.mjs': file() },
    ...more,
  });
export const inRepair = { mainConversation: [], round: round({ origin: 'repair' as const }) };
/** The engine ends it: what shows it done is seen. */
export const ENDED = {
  do: 'open_round',
  origin: 'planned',
  calls: [{ id: 'planned_1', does: 'ends_subtasks', args: { success: true, reason: '' } }],
} as const;
