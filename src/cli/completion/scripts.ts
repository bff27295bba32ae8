/**
 * The script that each shell runs at a tab. It asks the program what may come next. The program answers with one line
 * per word: the word, a tab, a description. `:files` and `:folders` leave the completion to the shell. Each typed word
 * is passed with a dot before it, because some shells pass no empty words.
 */
import type { Shell } from '../../options/commands.ts';
import { COMPLETING, PROGRAM_NAMES } from '../process/program-name.ts';

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

export const SCRIPTS: { readonly [Name in Shell]: string } = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};
