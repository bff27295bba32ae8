import type { RunEvent } from '../../schema/events.ts';
import type { Terminal } from '../terminal.ts';
import { createLiveRenderer } from './live.ts';
import { createPlainRenderer } from './plain.ts';
import { createStyle } from './style.ts';

export type Verbosity = 'quiet' | 'normal' | 'verbose';

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

const SILENT: Renderer = { observe: () => {}, stop: () => {} };

export function createRenderer(terminal: Terminal, options: RendererOptions): Renderer {
  if (options.verbosity === 'quiet') return SILENT;
  const { stderr, env, platform } = terminal;
  const style = createStyle(env, platform, stderr.isTerminal);
  const isLive = stderr.isTerminal && !options.isMixed && env.TERM !== 'dumb' && !env.CI;
  return isLive
    ? createLiveRenderer(terminal, style, options)
    : createPlainRenderer(terminal, style, options);
}
