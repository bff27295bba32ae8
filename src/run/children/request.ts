/** The request that opens a child: the parent's request, with its own folder and its share of the limits. */

import { defined } from '../../lib/defined.ts';
import { recordLeft } from '../../round/permission/ask-person.ts';
import type { AskPerson, LeftAnswers } from '../../round/permission/person.ts';
import type { Emit } from '../../schema/events/events.ts';
import { allTokens } from '../../schema/model/usage.ts';
import type { RunState } from '../../schema/state.ts';
import type { Child } from '../../schema/state-parts/children.ts';
import { openChildren } from '../../steps/children.ts';
import { usualRounds } from '../../steps/rounds.ts';
import type { Limits } from '../../steps/step.ts';
import type { RunRequest } from '../options.ts';
import { childFolder } from './begin.ts';
import type { ParentRun } from './contract.ts';
import { tellOf } from './permissions.ts';

interface Opening {
  /** The state of the child, once it is open. */
  state(): RunState;
}

export function childRequestFor(
  parent: ParentRun,
  child: Child,
  { wants: _wants, parent: _parent, ...request }: RunRequest,
  { state }: Opening,
): RunRequest {
  const { context, limits, signal } = parent;
  return {
    ...request,
    goal: null,
    run: child.run,
    workspace: childFolder(parent, child.run),
    keep: true,
    again: false,
    forceUnlock: false,
    agreePlan: false,
    agree: false,
    template: null,
    inbox: null,
    askPlan: null,
    backupFolder: null,
    servers: {},
    signal,
    limits: shareOf(context.state, limits, child, {
      open: openChildren(context.state, limits),
      elapsedMs: parent.elapsedMs(),
    }),
    left: leftFor(parent, state),
    emit: emitFor(parent, child),
  };
}

/** Forwards only what is meant for people. The child's records stay in its own journal. */
const emitFor =
  (parent: ParentRun, { subtask }: Child): Emit =>
  (event) => {
    if (event.type === 'record') tellOf(event.record, parent);
    if (event.type === 'notice') parent.emit({ ...event, text: `${subtask}: ${event.text}` });
  };

/** Answers are left for the parent, the run that people know. The parent records them before a child acts on them. */
const leftFor = (parent: ParentRun, state: () => RunState): LeftAnswers => ({
  take: (record) => {
    recordLeft(parent);
    const open = new Set((state().permissions?.open ?? []).map(({ id }) => id));
    record((parent.context.state.permissions?.answers ?? []).filter(({ id }) => open.has(id)));
  },
});

/** A person is asked one question at a time. */
export function oneAtATime(ask: AskPerson | null): AskPerson | null {
  if (ask === null) return null;
  let last: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const mine = last.then(() =>
      signal.aborted ? ({ kind: 'none' } as const) : ask(question, signal),
    );
    last = mine;
    return mine;
  };
}

/**
 * A child may use, on top of what it has used already, an equal share of the rounds, tokens and money that are
 * left; time passes for all children at once. Without a limit of rounds each child has as many as any run.
 * @param open how many children have not ended, including those that have not begun
 */
export function shareOf(
  { usage, counters, settings }: Pick<RunState, 'usage' | 'counters' | 'settings'>,
  { maxRounds, maxTokens, maxCost, maxTimeMs }: Limits,
  { used, roundsBefore }: Pick<Child, 'used' | 'roundsBefore'>,
  { open, elapsedMs }: { readonly open: number; readonly elapsedMs: number },
): Limits {
  const each = (limit: number | undefined, spent: number): number | undefined =>
    limit === undefined ? undefined : Math.max(0, limit - spent) / open;
  const whole = (before: number, share: number | undefined): number | undefined =>
    share === undefined ? undefined : before + Math.floor(share);
  const cost = each(maxCost, usage.cost?.usd ?? 0);
  return defined({
    maxRounds:
      whole(used.rounds, each(maxRounds, counters.roundsSinceResume)) ??
      roundsBefore + usualRounds({ settings }),
    maxTokens: whole(allTokens(used.usage), each(maxTokens, allTokens(usage.total))),
    maxCost: cost === undefined ? undefined : (used.cost?.usd ?? 0) + cost,
    maxTimeMs:
      maxTimeMs === undefined ? undefined : used.workedMs + Math.max(0, maxTimeMs - elapsedMs),
  });
}
