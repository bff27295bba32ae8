import type { Tone } from './style.ts';

/** A line that stays, above whatever is redrawn. */
export interface Line {
  readonly text: string;
  readonly tone: Tone;
  /** `debug`: what the engine does, for who looks into it. */
  readonly level: 'normal' | 'debug';
  /** Shown by the redrawn frame already; only a plain renderer prints it. */
  readonly inFrame?: boolean;
}

export const lineOf = (text: string, tone: Tone = 'plain'): Line => ({
  text,
  tone,
  level: 'normal',
});

/** For who looks into the engine. */
export const debugLine = (text: string): Line => ({ text, tone: 'dim', level: 'debug' });
