/** Judges a line for a shell. Pure. */
import type { CallDecision } from '../tools/decision.ts';

/**
 * A denied part denies the line. Everything else needs a question, which no rule answers.
 * @param judge decides about the words of one command
 */
export function shellDecision(
  line: string,
  platform: NodeJS.Platform,
  judge: (words: readonly string[]) => CallDecision,
): CallDecision {
  const shell = platform === 'win32' ? ['powershell', '-Command'] : ['sh', '-c'];
  const said = judge([...shell, line]);
  if (said.kind === 'deny') return said;
  return {
    kind: 'ask',
    reason: 'A shell runs whatever stands in its line.',
    hint: 'Run one program without a shell, or do without.',
    wants: [{ rule: null, isOffered: false }],
  };
}
