/** What a person may do next with a run that nobody works on: the steps that its terminal names, as data. Pure. */

import { listed } from '../../evidence/evidence.ts';
import { isRemembered, modelWords } from '../../host/models/model-spec.ts';
import { defined } from '../../lib/defined.ts';
import { durationWord } from '../../lib/text/duration.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { filesWritten } from '../../run/stream/changed-files.ts';
import { isSwapping, withheldPaths } from '../../schema/journal/swap.ts';
import type { Paused, RunState } from '../../schema/state.ts';
import { isLeftUntried } from '../../schema/state-parts/untried.ts';
import { rulesForNotDone } from '../../steps/gate/not-done.ts';
import type { NextStep, ResumeBody, RunBody, RunSummary } from '../api/run-schemas.ts';
import { typedOptions } from './typed.ts';

interface Place {
  readonly run: Pick<RunSummary, 'path' | 'number' | 'standing'>;
  /** False: a request may not act on it. */
  readonly mayGoOn: boolean;
  /** A command of this program as it can be typed here. */
  typed(words: readonly string[]): string;
}

export const canGoOn = (standing: RunSummary['standing']): boolean =>
  standing === 'paused' || standing === 'killed';

/** True if the process of a request has gone, and no journal has its run. */
export const hasNoRecord = ({ standing }: Pick<RunSummary, 'standing'>): boolean =>
  standing === 'not_begun' || standing === 'gone';

/** The first is the usual one. */
export function nextSteps(state: RunState, place: Place): readonly NextStep[] {
  const { run, mayGoOn } = place;
  if (canGoOn(run.standing)) return [resumeStep(state, place, mayGoOn)];
  if (run.standing === 'undoing') return [undoStep(place, 'This finishes it.')];
  if (run.standing !== 'unverified' && run.standing !== 'failed') return [];
  const toAllow = rulesForNotDone(state);
  const withheld = withheldPaths(state).size;
  const isChanged =
    filesWritten(state).length > 0 || Object.keys(state.commandChanges.files).length > 0;
  return [
    ...(isLeftUntried(state) ? [untriedStep(place)] : []),
    ...(withheld > 0 || isSwapping(state) ? [applyStep(place, withheld)] : []),
    ...(withheld === 0 && isChanged ? [undoStep(place)] : []),
    ...(run.standing === 'failed' || toAllow.length > 0 ? [againStep(state, place, toAllow)] : []),
  ];
}

/** The number says which run is meant, whatever has begun there since. */
function commandFor(verb: string, { run, typed }: Place, options: readonly string[] = []): string {
  const which = run.number === null ? [] : [String(run.number)];
  return typed([verb, ...which, ...options, longFlag(OPTIONS.workspace), run.path]);
}

const LIMITS = ['maxRounds', 'maxTokens', 'maxCost', 'maxTimeMs'] as const;

/**
 * A resume without limits would be unlimited, so it repeats the run's limits and raises the one that was
 * reached.
 */
export function limitsToGoOn({ limits, paused }: Pick<RunState, 'limits' | 'paused'>): ResumeBody {
  const raised = raisedBy(paused);
  return Object.fromEntries(
    LIMITS.flatMap((name) => {
      const value = raised?.name === name ? raised.value : limits[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function raisedBy(paused: Paused | null) {
  const name = LIMITS.find((one) => one === paused?.option);
  const value = Number(paused?.optionValue);
  return name !== undefined && value > 0 ? { name, value } : null;
}

function sayLimit(name: string, value: number): string {
  if (name === 'maxCost') return `$${value} in all`;
  if (name === 'maxTokens') return `${value} tokens in all`;
  return name === 'maxTimeMs' ? `${durationWord(value)} from now` : `${value} rounds from now`;
}

function within(limits: ResumeBody): string {
  const said = Object.entries(limits).map(([name, value]) => sayLimit(name, Number(value)));
  return said.length === 0 ? '' : `, with at most ${said.join(' and ')}`;
}

function resumeStep(state: RunState, place: Place, mayGoOn: boolean): NextStep {
  const body = limitsToGoOn(state);
  return {
    does: 'resume',
    words: `It goes on where it was${within(body)}.`,
    command: commandFor('resume', place, typedOptions(body)),
    body: mayGoOn ? { ...body } : null,
  };
}

const untriedStep = (place: Place): NextStep => ({
  does: 'resume',
  words: 'It makes the trials that were skipped.',
  command: commandFor('resume', place),
  body: null,
});

const applyStep = (place: Place, files: number): NextStep => ({
  does: 'apply',
  words:
    files === 0
      ? 'Its changes are only partly out of the folder: this finishes it.'
      : `Nothing proves its changes, so ${files === 1 ? 'a file is' : `${files} files are`} as before the run: this brings them in.`,
  command: commandFor('apply', place),
  body: place.mayGoOn ? {} : null,
});

const undoStep = (
  place: Place,
  words = 'Its changes are in the folder: this puts back what was there.',
): NextStep => ({
  does: 'undo',
  words,
  command: commandFor('undo', place),
  body: place.mayGoOn ? {} : null,
});

/** Longer goals are not typed. */
const LONGEST_TYPED = 200;
const isLong = (goal: string): boolean => /\n/.test(goal) || goal.length > LONGEST_TYPED;

function againStep(state: RunState, place: Place, toAllow: readonly string[]): NextStep {
  const { goal, limits, wants } = state;
  const { run, mayGoOn, typed } = place;
  const kept = limitsToGoOn({ limits, paused: null });
  const allow = toAllow.length === 0 ? undefined : [...toAllow];
  const asked = { ...kept, ...wishesOf(state), ...defined({ allow }) };
  const allowed = allow === undefined ? '' : `, allowed to do what was refused: ${listed(allow)}`;
  const command = [
    ...(wants === undefined ? [] : ['ask']),
    ...[longFlag(OPTIONS.again), goal, ...typedOptions(asked), longFlag(OPTIONS.workspace)],
  ];
  return {
    does: 'again',
    words: `The same goal starts over as a new run${within(kept)}${allowed}.`,
    command: isLong(goal) ? '' : typed([...command, run.path]),
    body: mayGoOn && wants === undefined ? { workspace: run.path, goal, ...asked } : null,
  };
}

/** The request with which the run was begun. What was allowed in it is asked about again. */
function wishesOf(state: RunState): Partial<RunBody> {
  const { permissions, agreement, withTests, keep, givenProof: proof } = state;
  const deny = (permissions?.rules ?? []).flatMap(({ allowed, rule }) =>
    allowed ? [] : (rule ?? []),
  );
  return defined({
    ...modelsOf(state),
    proof,
    withTests,
    keep,
    agreePlan: agreement === undefined ? undefined : true,
    deny: deny.length === 0 ? undefined : [...new Set(deny)],
    // Without this value the setting would count, which may be weaker.
    sandbox: permissions?.sandbox === 'require' ? ('require' as const) : undefined,
  });
}

/**
 * The models of a run, except one that is known only by a server's address, since a request has no address.
 */
function modelsOf(state: RunState): Pick<RunBody, 'model' | 'planModel'> {
  const { models, settings } = state;
  if (settings === null || settings.baseUrl !== undefined || !isRemembered(state)) return {};
  if (models === undefined) return { model: modelWords(settings) };
  return { model: models.work, planModel: models.plan };
}
