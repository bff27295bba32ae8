/** The texts of a run that rests, in the same words as at a terminal. */
import { type RunEnd, textsIn } from '../../run/result.ts';
import { inEnvelope } from '../../run/stream/in-order.ts';
import { resultBody } from '../../run/stream/result-body.ts';
import { withheldDiffs } from '../../run/withheld-diffs.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import { withheldPaths } from '../../schema/journal/swap.ts';
import type { RunState } from '../../schema/state.ts';
import type { StoredText } from '../../schema/text.ts';
import { notDoneBeside } from '../../steps/gate/not-done.ts';
import type { Said } from '../api/schemas.ts';
import type { ServerPlace } from '../place.ts';
import { JournalEvents, type JournalOf } from '../streams/journal-events.ts';

type RunPlace = Omit<JournalOf, 'isChat'>;

/** @param of where the run's journal is, for texts that are too long for the state */
export function saidBy(state: RunState, of: RunPlace): Said {
  const { answer, summary } = textsOf(state, of);
  return {
    answer: answer || null,
    report: summary || null,
    notDone: state.ended === null ? '' : notDoneBeside(state, state.ended.detail),
  };
}

function textsOf(state: RunState, of: RunPlace): ReturnType<typeof textsIn> {
  const textOf = (text: StoredText): string =>
    typeof text === 'string'
      ? text
      : // If a long text is lost, its beginning is used.
        (new JournalEvents({ ...of, isChat: false }).textOf(text) ?? `${text.head} …`);
  return textsIn({ state, textOf });
}

/**
 * The last event of a run that has ended or is paused, for a client that comes after the run's process.
 * `null`: the run goes on, or its state cannot be read.
 * @param isPaused true if the run is paused, and nobody is about to resume it
 */
export async function resultLater(
  { fs, engine }: Pick<ServerPlace, 'fs' | 'engine'>,
  { workspace, run }: Omit<RunPlace, 'fs'>,
  isPaused: () => boolean,
): Promise<StreamEvent | null> {
  const belief = engine.beliefIn(workspace, run);
  const outcome = belief.kind === 'none' ? null : outcomeOf(belief.state, isPaused);
  if (belief.kind === 'none' || outcome === null) return null;
  const { state } = belief;
  const { answer, summary } = textsOf(state, { fs, workspace, run });
  const kept = withheldPaths(state);
  const changes = kept.size === 0 ? [] : ((await engine.changes(workspace, { run })) ?? []);
  const withheld = await withheldDiffs([...changes].filter(({ path }) => kept.has(path)));
  const result = {
    ...outcome,
    answer,
    state,
    ...(summary === '' ? {} : { summary }),
    ...(withheld.files.length === 0 ? {} : { withheld }),
  };
  const elapsedMs = state.workedMs + (state.workedBefore ?? 0);
  const body = resultBody(result, { elapsedMs, workspace, resume: null });
  return inEnvelope({ body }, run);
}

function outcomeOf({ ended, paused }: RunState, isPaused: () => boolean): RunEnd | null {
  if (ended === null) return paused !== null && isPaused() ? { ending: 'paused', ...paused } : null;
  const { ending, detail } = ended;
  return ending === 'undone' ? { ending: 'already_finished', detail: ending } : { ending, detail };
}
