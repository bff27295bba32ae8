/** The standing of one run, for a client: from its state, or from the request for it. */

import { statusOf } from '../../host/journals/run-status.ts';
import type { OpenQuestion } from '../../host/live/live-port.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { ruleInWords } from '../../policy/rules/say.ts';
import { openPlanQuestion } from '../../round/plan/plan-question.ts';
import { costSince } from '../../run/stream/result-body.ts';
import type { OpenPermissionRequest } from '../../schema/journal/permissions.ts';
import { NO_USAGE } from '../../schema/model/turn.ts';
import type { RunState } from '../../schema/state.ts';
import { turnsIn } from '../../schema/state-parts/children.ts';
import type { Question, RunDetail, RunSummary } from '../api/run-schemas.ts';
import type { ServerPlace } from '../place.ts';
import { mayWorkIn } from '../roots.ts';
import { canGoOn, hasNoRecord, nextSteps } from './next-steps.ts';
import type { RunQueue } from './queue.ts';
import { saidBy } from './said.ts';

export function runDetailOf(
  place: ServerPlace,
  queue: RunQueue,
  summary: RunSummary,
  asked: ReadonlyMap<string, OpenQuestion>,
): RunDetail {
  const { engine } = place;
  const { id, path } = summary;
  const belief = beliefIn(place, summary);
  if (belief === null)
    return {
      ...unopened(summary),
      place: queue.placeOf(id),
      // A run that is still starting may print errors; they are not failures.
      failure: hasNoRecord(summary) ? queue.early.failureOf(id) : null,
    };
  const { state, origin } = belief;
  const isCurrent = engine.readRun(path)?.run === id;
  const owner = isCurrent ? engine.lockOwner(path) : null;
  const { question: _, ...rest } = { question: null, ...summary };
  const status = statusOf(state, owner);
  const standing = isRequested(summary) && canGoOn(status) ? summary.standing : status;
  const isOurs = origin === 'own' && mayWorkIn(place, path);
  const typing = { typed: place.typed };
  return {
    ...unopened({ ...rest, standing }),
    ...ofState(state, asked),
    ...saidBy(state, { fs: place.fs, workspace: path, run: id }),
    place: standing === 'queued' ? queue.placeOf(id) : null,
    failure:
      queue.early.failedAt(id, summary.lastAt) !== null
        ? queue.early.failureOf(id)
        : standing === 'killed'
          ? queue.early.cutOffBy(id, summary.lastAt)
          : null,
    origin,
    mayGoOn: isOurs && canGoOn(standing),
    owner: owner === null ? null : { pid: owner.pid, isAlive: owner.isAlive },
    resume: state.ended === null ? place.typed(resumeWords(summary)) : null,
    next:
      origin === 'own'
        ? [...nextSteps(state, { run: { ...summary, standing }, mayGoOn: isOurs, ...typing })]
        : [],
  };
}

const isRequested = ({ standing }: RunSummary): boolean =>
  standing === 'queued' || standing === 'starting';

function beliefIn({ engine }: ServerPlace, summary: RunSummary) {
  const { path, id, number } = summary;
  // A run with a number has begun, so what waits or starts is its resume.
  if ((isRequested(summary) && number === null) || hasNoRecord(summary)) return null;
  const belief = engine.beliefIn(path, id);
  return belief.kind === 'none' ? null : { state: belief.state, origin: belief.kind };
}

function resumeWords({ path, number }: RunSummary): readonly string[] {
  const which = number === null ? [] : [String(number)];
  return ['resume', ...which, longFlag(OPTIONS.workspace), path];
}

/** A run that has no journal yet. */
function unopened(summary: RunSummary): RunDetail {
  const { questions: _count, ...of } = summary;
  return {
    ...of,
    origin: 'own',
    seq: 0,
    driver: null,
    model: null,
    plan: null,
    activeSubtask: null,
    limits: {},
    rounds: 0,
    turns: 0,
    actions: 0,
    workedMs: 0,
    usage: NO_USAGE,
    costUsd: null,
    unpricedTurns: 0,
    questions: [],
    paused: null,
    ended: null,
    answer: null,
    report: null,
    owner: null,
    notDone: '',
    needs: null,
    next: [],
    place: null,
    failure: null,
    resume: null,
    mayGoOn: false,
  };
}

function ofState(state: RunState, asked: ReadonlyMap<string, OpenQuestion>): Partial<RunDetail> {
  const { settings, plan, active, limits, counters, usage, paused, ended } = state;
  const open = ended === null ? (state.permissions?.open ?? []) : [];
  return {
    seq: state.seq,
    driver: settings?.driver ?? null,
    model:
      settings === null
        ? null
        : { provider: settings.provider, model: settings.model, contextWindow: settings.numCtx },
    plan,
    activeSubtask: active?.id ?? null,
    limits: { ...limits },
    rounds: counters.rounds,
    turns: turnsIn(state),
    actions: counters.actions,
    workedMs: state.workedMs + (state.workedBefore ?? 0),
    usage: usage.total,
    ...costSince(undefined, usage.cost),
    questions: [
      ...planAsked(state, asked),
      ...open.map((one) => questionOf(one, asked.get(one.id))),
    ],
    paused:
      paused === null ? null : { why: paused.why, detail: paused.detail, hint: paused.hint ?? '' },
    ended: ended === null ? null : { ending: ended.ending, detail: ended.detail },
    needs: state.givenUp?.needs ?? null,
  };
}

/** The question about a plan that waits for a yes, from the process at work or from the state for a resume. */
function planAsked(state: RunState, asked: ReadonlyMap<string, OpenQuestion>): readonly Question[] {
  const found = openPlanQuestion(state);
  if (found === null) return [];
  const now = state.paused === null ? asked.get(found.id) : undefined;
  if (now !== undefined) return [shownQuestion(now)];
  const { input: _, ...question } = found;
  return [{ ...shownQuestion(question), isNoted: state.paused !== null }];
}

export function questionOf(
  request: OpenPermissionRequest,
  asked: OpenQuestion | undefined,
): Question {
  const { id, tool, target, reason, rules, isNoted } = request;
  if (asked === undefined)
    return { id, tool, target, reason, rules: [...rules], allows: rules.map(ruleInWords), isNoted };
  return { ...shownQuestion(asked), isNoted };
}

export function shownQuestion(asked: OpenQuestion): Question {
  const { offered, argv, rules: _rules, ...rest } = asked;
  return {
    ...rest,
    rules: [...offered],
    allows: offered.map(ruleInWords),
    argv: argv === null ? null : [...argv],
    isNoted: false,
  };
}
