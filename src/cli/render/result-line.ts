import { adviceIn } from '../../lib/errors.ts';
import { given } from '../../lib/given.ts';
import { exitCodeOfResult, isResumable } from '../exit-codes.ts';
import { commandFiles } from './command-files.ts';
import { filesWritten, type Outcome } from './summary.ts';
import { usageFields } from './usage.ts';

/** Pure: the last line of `--json`. */
export function resultLine(
  outcome: Pick<Outcome, 'result' | 'elapsedMs' | 'workspace' | 'resume'>,
): { readonly [key: string]: unknown } {
  const { result } = outcome;
  const { state } = result;
  const exitCode = exitCodeOfResult(result);
  return {
    type: 'result',
    exitCode,
    ending: result.ending,
    why: result.ending === 'paused' ? result.why : null,
    detail: result.detail,
    hint: null,
    ...(result.ending === 'paused' ? given({ hint: result.hint, ...adviceIn(result) }) : {}),
    goal: state.goal,
    run: state.run,
    answer: result.answer,
    summary: result.summary ?? null,
    rounds: state.counters.rounds,
    turns: state.counters.turns,
    actions: state.counters.actions,
    files: filesWritten(state),
    needs: state.ended?.needs ?? null,
    lost: state.ended?.lost ?? [],
    byCommands: commandFiles(state),
    ...usageFields(state.usage),
    elapsedMs: Math.round(outcome.elapsedMs),
    workspace: outcome.workspace,
    resume: isResumable(exitCode) ? outcome.resume : null,
    error: null,
  };
}
