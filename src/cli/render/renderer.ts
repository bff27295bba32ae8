import type { Terminal } from '../process/terminal.ts';
import type { Renderer, RendererOptions } from './contract.ts';
import { LiveRenderer } from './live.ts';
import { createPlainRenderer } from './plain.ts';
import { createStyle } from './text/style.ts';

const SILENT: Renderer = { observe: () => {}, stop: () => {} };

export function createRenderer(terminal: Terminal, options: RendererOptions): Renderer {
  if (options.verbosity === 'quiet') return SILENT;
  const { stderr, env, platform } = terminal;
  const style = createStyle(env, platform, stderr.isTerminal);
  const isLive = stderr.isTerminal && !options.isMixed && env.TERM !== 'dumb' && !env.CI;
  return isLive
    ? new LiveRenderer(terminal, style, options)
    : createPlainRenderer(terminal, style, options);
}
