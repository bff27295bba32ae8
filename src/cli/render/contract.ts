import type { RunEvent } from '../../schema/events.ts';

export type Verbosity = 'quiet' | 'normal' | 'debug';

/** Shows a run on stderr while it works. */
export interface Renderer {
  observe(event: RunEvent): void;
  /** Takes the redrawn part off the screen and stops every timer; lines after it are safe. */
  stop(): void;
}

export interface RendererOptions {
  readonly verbosity: Verbosity;
  readonly goal: string;
  readonly maxRounds: number;
  /** True where stdout carries lines too while the run works: nothing may be redrawn then. */
  readonly isMixed?: boolean;
}
