/** Shortens the conversation at a marked place, when the window is nearly full. */
import { compactionText, decideCompaction } from '../context-manager/compact-context.ts';
import { factsText, gatherFacts } from '../probe/facts.ts';
import type { Run } from './run.ts';
import { settingsOf } from './settings.ts';

/** True when the next request would come too close to the window and something can go. */
export const needsCompaction = (run: Run): boolean => decide(run).kind === 'compact';

export function compact(run: Run): void {
  const decision = decide(run);
  if (decision.kind !== 'compact') return;
  const facts = factsText(gatherFacts(run.context.state, run.world));
  const text = compactionText(run.context.state, facts, decision.summaryChars);
  run.emit({
    type: 'notice',
    level: 'info',
    text: `The conversation is shortened: ${decision.used} of ${settingsOf(run.context.state).numCtx} tokens were used.`,
  });
  run.context.compactContext(decision.fromSeq, decision.toSeq, text);
}

function decide(run: Run): ReturnType<typeof decideCompaction> {
  const { state } = run.context;
  const settings = settingsOf(state);
  const prompt = typeof settings.systemPrompt === 'string' ? settings.systemPrompt : '';
  const tools = settings.mode === 'native' ? JSON.stringify(run.definitions) : '';
  return decideCompaction({
    conversation: state.conversation,
    fixedChars: prompt.length + tools.length,
    numCtx: settings.numCtx,
    measured: null,
  });
}
