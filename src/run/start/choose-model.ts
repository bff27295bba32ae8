/** Chooses the model that a run begins or continues with: the one in effect, otherwise the first that answers. */
import { interrupted } from '../../lib/interruptible.ts';
import { raced } from '../../lib/raced.ts';
import { type Candidate, candidateText, nameOf } from '../../llm/failover/candidate.ts';
import { createFailover, type Failover } from '../../llm/failover/failover.ts';
import { candidateIndex } from '../../llm/failover/roles.ts';
import { type ModelInfo, ProviderError } from '../../llm/provider.ts';
import type { CandidateName, RunEvent } from '../../schema/events/events.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';
import type { RunSettings } from '../../schema/state.ts';
import type { RunRequest } from '../options.ts';

type InEffect = Pick<RunSettings, 'provider' | 'model' | 'profile' | 'modelRole'> | null;

interface ModelSelection
  extends Pick<RunRequest, 'candidates' | 'signal'>,
    Partial<Pick<RunRequest, 'roles' | 'template'>> {
  /** The most attempts of a turn over all candidates; left out: the default of a run. */
  readonly maxAttempts?: number | undefined;
  emit(event: Extract<RunEvent, { readonly type: 'model_switched' }>): void;
}

export interface ChosenModel {
  readonly failover: Failover;
  readonly candidate: Candidate;
  readonly info: ModelInfo;
  /** Why the preferred candidate was not chosen; empty if it was. */
  readonly why: string;
  /** The model that will work on the chosen one's plan; it determines the driver. */
  readonly works?: { readonly candidate: Candidate; readonly info: ModelInfo };
  /** Candidates that could not be described. */
  readonly failed: readonly { readonly name: CandidateName; readonly status: TurnStatus }[];
}

/**
 * Throws the preferred candidate's `ProviderError` when no candidate can be described.
 * @param settings the settings in effect; `null` when a run begins
 */
export async function chooseFromCandidates(
  settings: InEffect,
  selection: ModelSelection,
): Promise<ChosenModel> {
  const { candidates, emit, signal, maxAttempts } = selection;
  const planner = settings === null ? await plannerOf(selection) : null;
  const start = planner?.start ?? startFor(settings, selection);
  const works = planner === null ? {} : { works: planner.works };
  const failover = createFailover(candidates, start, maxAttempts);
  const order = [start, ...candidates.keys()].filter((at, place, all) => all.indexOf(at) === place);
  const failed: ChosenModel['failed'][number][] = [];
  let refused: { readonly candidate: Candidate; readonly error: ProviderError } | null = null;
  for (const index of order) {
    const candidate = candidates[index];
    if (!candidate) continue;
    try {
      const info = await described(candidate, signal);
      failover.use(index);
      if (refused === null) return { failover, candidate, info, why: '', failed, ...works };
      const [from, to] = [nameOf(refused.candidate), nameOf(candidate)];
      const status = refused.error.status.kind;
      emit({ type: 'model_switched', from, to, why: refused.error.message, attempt: 1, status });
      const why = `${candidateText(from)}: ${refused.error.status.kind}`;
      return { failover, candidate, info, why, failed, ...works };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      failed.push({ name: nameOf(candidate), status: error.status });
      refused ??= { candidate, error };
    }
  }
  throw refused?.error ?? new Error('A run needs a model.');
}

async function described({ provider, model }: Candidate, signal: AbortSignal): Promise<ModelInfo> {
  try {
    return await raced(provider.describe(model, signal), signal, giveUp);
  } catch (error) {
    throw signal.aborted ? interrupted() : error;
  }
}

function startFor(settings: InEffect, { candidates, roles }: ModelSelection): number {
  const at = settings?.modelRole === 'plan' && roles ? candidateIndex(roles.plan, candidates) : -1;
  return at < 0 ? indexInEffect(candidates, settings) : at;
}

/** A given plan needs no planning model. */
async function plannerOf({ candidates, roles, template, signal }: ModelSelection) {
  if (!roles || template) return null;
  const start = candidateIndex(roles.plan, candidates);
  const candidate = candidates[candidateIndex(roles.work, candidates)];
  // A resume may name only one of the two models.
  if (start < 0 || !candidate) return null;
  const works = { candidate, info: await described(candidate, signal) };
  return { start, works };
}

function giveUp(): never {
  throw interrupted();
}

/** A resumed run continues with its model if that is still a candidate. */
function indexInEffect(candidates: readonly Candidate[], settings: InEffect): number {
  const named = candidates.flatMap((candidate, index) =>
    candidate.provider.name === settings?.provider && candidate.model === settings.model
      ? [{ index, profile: candidate.profile }]
      : [],
  );
  return (named.find(({ profile }) => profile === settings?.profile) ?? named[0])?.index ?? 0;
}
