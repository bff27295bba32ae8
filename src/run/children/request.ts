/** The request that opens a child: the parent's request, with its own folder and its share of the limits. */
import { recordLeft } from '../../round/permission/ask-person.ts';
import type { AskPerson, LeftAnswers } from '../../round/permission/person.ts';
import type { Emit } from '../../schema/events/events.ts';
import type { RunState } from '../../schema/state.ts';
import type { Child } from '../../schema/state-parts/children.ts';
import { openChildren } from '../../steps/children.ts';
import type { RunRequest } from '../options.ts';
import { folderOf } from './begin.ts';
import type { ParentRun } from './contract.ts';
import { tellOf } from './permissions.ts';
import { shareOf } from './shares.ts';

interface Opening {
  /** The state of the child, once it is open. */
  state(): RunState;
}

export function requestFor(
  parent: ParentRun,
  child: Child,
  { wants: _wants, parent: _parent, ...request }: RunRequest,
  { state }: Opening,
): RunRequest {
  const { context, limits, signal } = parent;
  return {
    ...request,
    ...{ goal: null, run: child.run, workspace: folderOf(parent, child.run), keep: true },
    ...{ again: false, forceUnlock: false, agreePlan: false, agree: false, template: null },
    ...{ inbox: null, askPlan: null, backupFolder: null, servers: {}, signal },
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
