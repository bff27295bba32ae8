import { startMessageProcess } from '../../processes/message-process.ts';
import type { StartEngine } from './engine-process.ts';
import type { EngineReply } from './protocol.ts';

/**
 * Starts the real engine process. `childScript` is the built `embedded-child.js`; `env` is its whole environment, which
 * may contain what graphics drivers read, but no secret.
 */
export function engineStarter(options: {
  readonly nodeExecutable: string;
  readonly childScript: string;
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
}): StartEngine {
  return (settings, listener) =>
    startMessageProcess(
      {
        nodeExecutable: options.nodeExecutable,
        script: options.childScript,
        args: [settings],
        cwd: options.cwd,
        env: options.env,
      },
      {
        onMessage: (message) => listener.onReply(message as EngineReply),
        onExit: listener.onExit,
      },
    );
}
