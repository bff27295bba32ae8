import type { Tone } from './style.ts';

/** A line that stays, above what is redrawn. */
export interface ShownLine {
  readonly text: string;
  readonly tone: Tone;
  readonly level: 'normal' | 'debug';
  /** Already shown in the redrawn frame; only a plain renderer prints it. */
  readonly inFrame?: boolean;
}

export const renderedLine = (text: string, tone: Tone = 'plain'): ShownLine => ({
  text,
  tone,
  level: 'normal',
});

/** For debugging the engine. */
export const debugLine = (text: string): ShownLine => ({ text, tone: 'dim', level: 'debug' });
