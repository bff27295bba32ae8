/** `agent completion [SHELL]`: prints the script for a shell, or how to install it in the current shell. */

import { SHELLS, type Shell } from '../../options/commands.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { SCRIPTS } from './scripts.ts';

const HOW: { readonly [Name in Shell]: (agent: string) => readonly [line: string, place: string] } =
  {
    bash: (agent) => [`eval "$(${agent} completion bash)"`, '~/.bashrc'],
    zsh: (agent) => [`eval "$(${agent} completion zsh)"`, '~/.zshrc, behind compinit'],
    fish: (agent) => [`${agent} completion fish | source`, '~/.config/fish/config.fish'],
    powershell: (agent) => [
      `${agent} completion powershell | Out-String | Invoke-Expression`,
      '$PROFILE',
    ],
  };

export async function completionCommand({
  invocation: { completes },
  terminal: { env, platform, stdout, program },
}: Pick<CommandContext, 'invocation' | 'terminal'>): Promise<number> {
  stdout.write(completes === null ? howTo(shellInUse(env, platform), program) : SCRIPTS[completes]);
  return EXIT.achieved;
}

/** @param inUse the current shell, if known */
function howTo(inUse: Shell | null, agent: string): string {
  const shells = inUse === null ? SHELLS : [inUse];
  const ways = shells.map((shell) => {
    const [line, place] = HOW[shell](agent);
    return `To complete commands and options in ${shell}, put this line into ${place}:\n\n  ${line}\n\n`;
  });
  const others = SHELLS.filter((shell) => !shells.includes(shell));
  const more = others.map((shell) => `${agent} completion ${shell}`).join(', ');
  return `${ways.join('')}${others.length === 0 ? '' : `Scripts of other shells: ${more}\n`}`;
}

/** The login shell; on Windows PowerShell, unless a shell sets a variable of its own. */
function shellInUse(
  env: CommandContext['terminal']['env'],
  platform: NodeJS.Platform,
): Shell | null {
  const name = /([a-z]+)(?:\.exe)?$/.exec(env.SHELL ?? '')?.[1] ?? '';
  const known = SHELLS.find((shell) => shell === (name === 'pwsh' ? 'powershell' : name));
  return known ?? (platform === 'win32' ? 'powershell' : null);
}
