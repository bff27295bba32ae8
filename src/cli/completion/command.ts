/** `agent completion [SHELL]`: prints the script for a shell, or how to install it in the current shell. */

import { SHELLS, type Shell } from '../../options/commands.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { COMPLETING, PROGRAM_NAMES } from '../process/program-name.ts';

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

const [NAME, ...OTHERS] = PROGRAM_NAMES;
const head = (shell: Shell): string =>
  `# Completion of ${shell} for ${NAME}, made by its command: completion ${shell}`;

/** For bash 3.2 and later. 63 is a question mark: bash lists what matches and inserts nothing. */
const BASH = `${head('bash')}

_agent_completion() {
  local typed="\${COMP_WORDS[COMP_CWORD]}" prefix='' word about line at
  local -a words=("\${COMP_WORDS[@]:1:COMP_CWORD}") abouts=()
  COMPREPLY=()
  while IFS=$'\\t' read -r word about; do
    if [[ $word != :* ]]; then
      COMPREPLY+=("$word")
      abouts+=("$about")
      continue
    fi
    # Bash takes --flag=value apart, unless it is told not to.
    [[ $typed == '=' ]] && typed=''
    [[ $typed == --*=* ]] && prefix="\${typed%%=*}=" && typed="\${typed#*=}"
    compopt -o filenames 2>/dev/null
    [[ $word == :files ]] && at=-f || at=-d
    while IFS= read -r line; do
      COMPREPLY+=("$prefix$line")
    done < <(compgen "$at" -- "$typed")
  done < <("\${COMP_WORDS[0]}" ${COMPLETING} "\${words[@]/#/.}" 2>/dev/null)
  if [[ \${COMP_TYPE:-} == 63 && \${#abouts[@]} -gt 1 ]]; then
    for at in "\${!abouts[@]}"; do
      [[ -n \${abouts[at]} ]] || continue
      printf -v line '%-24s %s' "\${COMPREPLY[at]}" "\${abouts[at]}"
      COMPREPLY[at]="\${line:0:\${COLUMNS:-80}-1}"
    done
  fi
}

complete -F _agent_completion ${PROGRAM_NAMES.join(' ')}
`;

/** Goes into a folder of `fpath` as `_agent`, or is evaluated after \`compinit\`. */
const ZSH = `#compdef ${PROGRAM_NAMES.join(' ')}
${head('zsh')}

_agent() {
  local word about line
  local -a offered shown typed
  typed=("\${(@Q)words[2,CURRENT]}")
  while IFS=$'\\t' read -r word about; do
    if [[ $word == :* ]]; then
      [[ $PREFIX == --*=* ]] && compset -P 1 '*='
      if [[ $word == :files ]]; then _files; else _files -/; fi
      return
    fi
    line=$word
    [[ -n $about ]] && printf -v line '%-24s %s' "$word" "$about"
    offered+=("$word")
    shown+=("$line")
  done < <("\${words[1]}" ${COMPLETING} "\${(@)typed/#/.}" 2>/dev/null)
  (( $#offered )) && compadd -l -d shown -a offered
}

if [[ \${funcstack[1]} == _agent ]]; then
  _agent "$@"
else
  compdef _agent ${PROGRAM_NAMES.join(' ')}
fi
`;

/** For fish 3.0 and later. */
const FISH = `${head('fish')}

function __agent_offers
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l prefix (string match -r '^--[^=]*=' -- "$typed")
    set -l path (string replace -r '^--[^=]*=' '' -- "$typed")
    for line in ($words[1] ${COMPLETING} .$words[2..-1] ".$typed" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$path" | string replace -r -- '^' "$prefix"
            case :folders
                __fish_complete_directories "$path" | string replace -r -- '^' "$prefix"
            case '*'
                echo $line
        end
    end
end

complete -c ${NAME} -f -a '(__agent_offers)'
${OTHERS.map((name) => `complete -c ${name} -w ${NAME}`).join('\n')}
`;

/** For PowerShell 5 and later, which offers files itself if nothing else is offered. */
const POWERSHELL = `${head('powershell')}
Register-ArgumentCompleter -Native -CommandName ${PROGRAM_NAMES.join(', ')} -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $elements = $commandAst.CommandElements
    $before = @($elements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { ".$($_.Extent.Text)" })
    & $elements[0].Extent.Text ${COMPLETING} @before ".$wordToComplete" 2>$null | ForEach-Object {
        $word, $about = $_ -split "\`t", 2
        if ($word -eq ':folders') {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete) | Where-Object { $_.ResultType -eq 'ProviderContainer' }
        } elseif ($word -ne ':files') {
            if (-not $about) { $about = $word }
            [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
        }
    }
}
`;

/**
 * The script that each shell runs at a tab. It asks the program what may come next. The program answers with one line
 * per word: the word, a tab, a description. `:files` and `:folders` leave the completion to the shell. Each typed
 * word is passed with a dot before it, because some shells pass no empty words.
 */
export const SCRIPTS: { readonly [Name in Shell]: string } = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};
