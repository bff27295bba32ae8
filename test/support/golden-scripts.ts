// Models for golden runs: at their work, or with an answer for every turn.
import { diligentModel, type PlannedWork, planJson, type Wanted, wantedBy } from './models.ts';
import type { Script, ScriptedCall, ScriptedReply } from './scripted-provider.ts';

/** A goal that states what shows it. */
export const GREETS = 'Write hello.py: python hello.py prints "hello"';

type Reply = ScriptedReply | string;

export const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });

export const calls = (...all: readonly ScriptedCall[]): ScriptedReply => ({ calls: all });

export const write = (path: string, content: string): ScriptedCall =>
  call('write_file', { path, content });

export const run = (cmd: string, more: Record<string, unknown> = {}): ScriptedCall =>
  call('run_cmd', { cmd, ...more });

export const done = (more: Record<string, unknown> = {}): ScriptedCall =>
  call('mark_subtask_complete', { success: true, reason: 'it is done', ...more });

/** Plans the work; in its turns it says these things one after the other, then that it is done. */
export function inTurns(work: PlannedWork, turns: readonly Reply[]): Script {
  let turn = 0;
  return (request) => {
    if (wantedBy(request) === 'plan') return planJson(work);
    turn += 1;
    return turns[turn - 1] ?? calls(done());
  };
}

/** At its work, but for the first answers of a kind, which are these. */
export function firstAnswers(
  work: PlannedWork,
  answers: { readonly [kind in Wanted]?: readonly Reply[] },
): Script {
  const given: Record<Wanted, number> = { plan: 0, tools: 0, action: 0, content: 0 };
  const diligent = diligentModel(work);
  return (request, n) => {
    const wanted = wantedBy(request);
    given[wanted] += 1;
    return answers[wanted]?.[given[wanted] - 1] ?? diligent(request, n);
  };
}

export const writes = (file: string, purpose: string) => ({ action: 'write_file', file, purpose });

export const runs = (cmd: string, purpose: string) => ({ action: 'run_cmd', cmd, purpose });

export const reads = (file: string, purpose: string) => ({ action: 'read_file', file, purpose });
