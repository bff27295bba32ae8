/** Shortens the conversation at a marked place, when the window is nearly full. */
import { compactionText, decideCompaction } from '../context-manager/compact-context.ts';
import { factsText, gatherFacts } from '../probe/facts.ts';
import type { Run } from './run.ts';
import { settingsOf } from './settings.ts';

/** True when the next request would come too close to the window and something can go. */
export const needsCompaction = (run: Run): boolean => decide(run, false).kind === 'compact';

/** The same after the provider refused a prompt as too long, whatever the estimate says. */
export const canRelieve = (run: Run): boolean => decide(run, true).kind === 'compact';

export function compact(run: Run): void {
  const { state } = run.context;
  const decision = decide(run, state.lastTurn?.status.kind === 'context_overflow');
  if (decision.kind !== 'compact') throw new Error('There is nothing to compact.');
  const facts = factsText(gatherFacts(state, run.world));
  const text = compactionText(state, facts, decision.summaryChars);
  const window = settingsOf(state).numCtx;
  run.emit({
    type: 'notice',
    level: 'info',
    text: `The conversation is shortened: ${decision.used} of ${window} tokens were used.`,
  });
  run.context.compactContext(decision.fromSeq, decision.toSeq, text);
}

function decide(run: Run, overflowed: boolean): ReturnType<typeof decideCompaction> {
  const { state } = run.context;
  const settings = settingsOf(state);
  const tools = settings.mode === 'native' ? JSON.stringify(run.definitions).length : 0;
  const fixedChars = settings.systemPrompt.length + tools;
  const { last, lastChars } = state.usage;
  const tokens = last ? last.input + last.cacheRead + last.cacheWrite : 0;
  return decideCompaction({
    conversation: state.conversation,
    fixedChars,
    numCtx: settings.numCtx,
    measured: tokens > 0 ? { tokens, chars: fixedChars + lastChars } : null,
    overflowed,
  });
}
