/** What a client may do with a run. */

import { folderId } from '../../host/user/known-folders.ts';
import type { QueuedRun } from '../../host/work-files.ts';
import { defined } from '../../lib/defined.ts';
import { type ErrorCode, TardigradeError } from '../../lib/errors.ts';
import type { Counted, Done } from '../../live/protocol.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { parseRules } from '../../policy/rules/parse.ts';
import { openPlanQuestion } from '../../round/plan/plan-question.ts';
import { checkGoal } from '../../run/start/checked-options.ts';
import { BY_PAGE } from '../../schema/journal/permissions.ts';
import { yesOrNo } from '../../shown/answers.ts';
import { ruleWords } from '../../tools/registry.ts';
import type {
  Approval,
  Diff,
  FileDiff,
  ResumeBody,
  RunBegun,
  RunBody,
  RunSummary,
  TypedCommand,
} from '../api/run-schemas.ts';
import { nameForToday, requestIdentity } from '../http/once.ts';
import { busyRefusal, ServerRefusal, unknownRefusal } from '../http/problem.ts';
import type { ServerPlace } from '../place.ts';
import { mustWorkIn } from '../roots.ts';
import type { RunFeed } from '../streams/feed.ts';
import type { Catalogue } from './catalogue.ts';
import { fileDiffOf } from './file-diff.ts';
import { canGoOn, limitsToGoOn } from './next-steps.ts';
import type { RunQueue } from './queue.ts';
import { typedOptions } from './typed.ts';

export interface RunParts {
  readonly place: ServerPlace;
  readonly queue: RunQueue;
  readonly catalogue: Catalogue;
  feedOf(run: RunSummary): RunFeed;
}

/** @param key the client's name for the request; the run gets the same name however often it is requested */
export function queueRun(parts: RunParts, body: RunBody, key: string | null): RunBegun {
  const { place, queue, catalogue } = parts;
  const { workspace: named, goal, ...options } = body;
  refuseUnusable(place, body);
  const workspace = catalogue.folder(named);
  const now = place.clock.now();
  const begun = place.engine.listRuns(workspace);
  const run =
    key === null
      ? nameOf(place)
      : nameForToday(requestIdentity(workspace, key, body), { now, begun });
  if (!queue.has(run) && !begun.some(({ id }) => id === run)) {
    catalogue.note(workspace);
    queue.add({ run, workspace, goal, words: [...typedOptions(options)], at: now });
  }
  return begunOf(parts, { run, workspace });
}

/** Throws E_USAGE now for what the process would refuse later, when nobody waits for its words any more. */
function refuseUnusable(
  { fs: { platform } }: ServerPlace,
  { goal, allow = [], deny = [] }: RunBody,
): void {
  checkGoal(goal);
  parseRules([...allow, ...deny], { words: ruleWords(), platform });
}

/** The command line that would do the same. */
export function typedStart({ place, catalogue }: RunParts, body: RunBody): TypedCommand {
  const { workspace, goal, ...options } = body;
  const folder = [longFlag(OPTIONS.workspace), catalogue.folder(workspace)];
  return { command: place.typed(['run', goal, ...typedOptions(options), ...folder]) };
}

/**
 * The run's limits hold if the request names none. Throws if another process works on the run, or if the run
 * is over.
 */
export function queueResume(parts: RunParts, run: RunSummary, body: ResumeBody): RunBegun {
  const { place, queue } = parts;
  const { id, path, number, standing, lastAt } = run;
  const isAtWork = standing === 'queued' || standing === 'starting' || standing === 'running';
  // The journal still says paused until the process for the first resume has opened it.
  if (isAtWork || queue.isOpening(id, lastAt))
    throw busyRefusal('That run is worked on already.', 'Follow it: GET /api/runs/{run}/events.');
  if (!canGoOn(standing))
    throw busyRefusal(`That run is over: ${standing}.`, 'Begin a new one: POST /api/runs.');
  const belief = place.engine.beliefIn(path, id);
  if (belief.kind === 'foreign') throw place.engine.foreignRun(path, false, id);
  mustWorkIn(place, path);
  const isCurrent = place.engine.readRun(path)?.run === id;
  const which = isCurrent || number === null ? [] : [String(number)];
  const limits = belief.kind === 'own' ? limitsToGoOn(belief.state) : {};
  const all = [...which, ...typedOptions({ ...limits, ...body })];
  queue.add({ run: id, workspace: path, goal: null, words: all, at: place.clock.now() });
  return begunOf(parts, { run: id, workspace: path });
}

function begunOf(
  { queue }: RunParts,
  { run, workspace }: Pick<QueuedRun, 'run' | 'workspace'>,
): RunBegun {
  const place = queue.placeOf(run);
  const state = place === null ? 'starting' : 'queued';
  return { id: run, workspace: folderId(workspace), state, place: place ?? 0 };
}

const nameOf = ({ random }: ServerPlace): string => Buffer.from(random(8)).toString('hex');

export function pauseRun(parts: RunParts, run: RunSummary): Promise<void> {
  if (parts.queue.drop(run.id)) return Promise.resolve();
  return sent(parts, run, { do: 'pause' });
}

export const say = (parts: RunParts, run: RunSummary, text: string): Promise<void> =>
  sent(parts, run, { do: 'say', text });

async function sent(
  parts: RunParts,
  run: RunSummary,
  request: { readonly do: 'pause' } | { readonly do: 'say'; readonly text: string },
): Promise<void> {
  mustWorkIn(parts.place, run.path);
  const following = await parts.feedOf(run).connected();
  if (following === null) throw notListening(run);
  const done = await following.send(request);
  if (done.how === 'refused')
    throw busyRefusal(done.why, 'See where it stands: GET /api/runs/{run}.');
}

const notListening = ({ standing }: RunSummary): ServerRefusal =>
  busyRefusal(
    standing === 'running' || standing === 'starting'
      ? 'That run does not listen yet.'
      : 'Nobody works on that run.',
    'Try again in a moment, or resume it.',
  );

type Answered = { readonly how: 'taken' | 'left'; readonly allowed: boolean };

/** Reads both forms of an answer. */
export function readApproval(approval: Approval) {
  if ('answer' in approval) {
    const { answer: kind, why = '', input } = approval;
    return { kind, why, ...(kind === 'no' ? {} : defined({ input })) };
  }
  return {
    kind: approval.approved ? ('once' as const) : ('no' as const),
    why: approval.reason ?? '',
  };
}

/** Throws if the question is not open, another answer came first, or the run is outside the roots. */
export async function approve(
  parts: RunParts,
  run: RunSummary,
  id: string,
  approval: Approval,
): Promise<Answered> {
  mustWorkIn(parts.place, run.path);
  const { kind, why, input } = { input: undefined, ...readApproval(approval) };
  const allowed = kind !== 'no';
  const feed = parts.feedOf(run);
  const following = await feed.connected();
  const asked = feed.questions.get(id);
  const isOpen = asked !== undefined;
  // The process at work may belong to a build that accepts no other input.
  if (input !== undefined && asked?.input === undefined) throw cannotChange();
  if (following !== null && (isOpen || isAsked(parts, run, id) !== 'noted')) {
    const done = await following.send({
      do: 'answer',
      id,
      kind,
      why,
      ...defined({ input }),
      door: 'page',
    });
    // If a run ended before it read this answer, its journal holds the answer that counted.
    if (done.how === 'refused') isAsked(parts, run, id);
    return approvalAnswer(done, allowed);
  }
  const noted = isAsked(parts, run, id);
  if (noted === 'plan') throw notListening(run);
  if (noted === null) throw noQuestion();
  if (kind === 'run' || kind === 'always')
    throw busyRefusal(
      'Nobody works on that run, so only this one call can be allowed.',
      'Answer once.',
    );
  // If no process works, an answer goes to the current run of the folder.
  if (parts.place.engine.readRun(run.path)?.run !== run.id)
    throw busyRefusal('Another run has begun in that folder since.', 'Resume this one first.');
  parts.place.engine.answer({ workspace: run.path, id, allowed, why, giver: BY_PAGE });
  return { how: 'left', allowed };
}

export const cannotChange = (): ServerRefusal =>
  busyRefusal('What that call gets cannot be changed.', 'Answer it is, or say no with a word.');

const noQuestion = (): ServerRefusal =>
  unknownRefusal('such question', 'GET /api/runs/{run} lists those that are open.');

/** The kind of the open question, from the journal; `null`: it was never asked, or is answered. */
function isAsked({ place }: RunParts, { path, id: run }: RunSummary, id: string) {
  const belief = place.engine.beliefIn(path, run);
  if (belief.kind === 'none') return null;
  if (belief.kind === 'foreign') throw place.engine.foreignRun(path, false, run);
  const { permissions, ended } = belief.state;
  const before = permissions?.answers.find((one) => one.id === id);
  const open = ended === null ? permissions?.open.find((one) => one.id === id) : undefined;
  if (open !== undefined) return open.isNoted ? ('noted' as const) : ('asked' as const);
  if (before !== undefined) throw wasAnswered(before);
  // Only a run at work takes an answer about its plan.
  return openPlanQuestion(belief.state)?.id === id ? ('plan' as const) : null;
}

export function approvalAnswer(done: Done, allowed: boolean): Answered {
  if (done.how === 'taken') return { how: 'taken', allowed };
  if (done.how === 'late') throw wasAnswered(done.counted);
  throw notDoneError(done, 'Look at it again.');
}

export function notDoneError(done: Exclude<Done, { how: 'taken' | 'late' }>, hint: string): Error {
  if (done.how === 'refused') return new ServerRefusal('E_GONE', done.why, hint);
  return new TardigradeError(done.code as ErrorCode, done.message, done.hint);
}

export const wasAnswered = (counted: Counted): ServerRefusal =>
  new ServerRefusal(
    'E_ANSWERED',
    `It was answered before: ${yesOrNo(counted)}.`,
    'The first answer counts.',
  );

/** Files with counts; a single file with its patch. */
export async function readDiff(
  { place }: RunParts,
  run: RunSummary,
  path: string | null,
): Promise<Diff> {
  const selection = { run: run.id, ...(path === null ? {} : { file: path }) };
  const belief = place.engine.beliefIn(run.path, run.id);
  const files: FileDiff[] = [];
  for (const one of (await place.engine.changes(run.path, selection)) ?? []) {
    const state = belief.kind === 'none' ? null : belief.state;
    files.push(await fileDiffOf(one, state, path !== null));
    await place.clock.breathe?.();
  }
  return { files };
}
