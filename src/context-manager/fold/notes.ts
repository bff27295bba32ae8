/** Folds those notes that a later start needs. */
import { own } from '../../lib/own.ts';
import { TRIALS_SKIPPED } from '../../schema/evidence.ts';
import type { RecordOf } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import { withTestsBeforePlan } from './calls/actions.ts';

const OUTPUTS_KEPT = 20;

export function foldNote(state: RunState, { kind, data }: RecordOf<'note'>): RunState {
  if (kind === 'changed_meanwhile') return withChanges(state, data);
  if (kind === TRIALS_SKIPPED) return { ...state, areTrialsSkipped: true };
  if (kind === 'looked') return withTestsBeforePlan(state, { offset: null, failed: false });
  return kind === 'full_result' ? withOutput(state, data) : state;
}

/**
 * The proof and the verdict were based on files that someone has since changed. Each start finds a change again until the model
 * looks at the file, and the model is told once.
 */
function withChanges(state: RunState, { paths }: RecordOf<'note'>['data']): RunState {
  const found = Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  const { changedTold = {} } = state;
  const added = found.filter((path) => own(changedTold, path) !== knownHash(state, path));
  const changedMeanwhile = [...new Set([...(state.changedMeanwhile ?? []), ...added])];
  // A proof that passed did so with what the files were, so it is run again.
  const proof = state.proof?.passed ? null : state.proof;
  const finalProof = state.finalProof?.passed ? null : state.finalProof;
  return { ...state, verdict: null, proof, finalProof, changedMeanwhile };
}

/** The message that names the files was added. */
export function withChangesReported(
  state: RunState,
  { cause }: RecordOf<'message_added'>,
): RunState {
  if (cause !== 'resume') return state;
  const { changedMeanwhile = [], ...rest } = state;
  const told = changedMeanwhile.map((path) => [path, knownHash(state, path)]);
  return { ...rest, changedTold: { ...rest.changedTold, ...Object.fromEntries(told) } };
}

const knownHash = ({ files }: RunState, path: string): string => own(files, path)?.hash ?? '';

/** Records that a result was stored in full because the model saw only a part of it. */
export function withOutput<State extends Pick<RunState, 'outputs' | 'keptBytes'>>(
  state: State,
  { id, blob, bytes }: RecordOf<'note'>['data'],
): State {
  if (typeof id !== 'string' || typeof blob !== 'string') return state;
  const others = (state.outputs ?? []).filter((one) => one.id !== id);
  const keptBytes = (state.keptBytes ?? 0) + (typeof bytes === 'number' ? bytes : 0);
  return { ...state, keptBytes, outputs: [...others, { id, blob }].slice(-OUTPUTS_KEPT) };
}
