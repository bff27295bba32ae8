/** Pure: the completion for bash, from 3.2 on. It tells descriptions where it lists, and inserts none. */

import type { Offers } from '../../options/kinds.ts';
import { PROGRAM_NAMES } from '../process/program-name.ts';
import { known, NO_COMMAND, type Offered, wordsWithValue } from './offered.ts';
import { caseOf, posixQuoted } from './posix.ts';

export function bashScript(offered: Offered): string {
  const { commands, options } = offered;
  const lines = [
    ...HEAD,
    `      (${caseOf(wordsWithValue(offered))}) pending="$word" ;;`,
    ...FIRST_WORD,
    `            (${caseOf(commands.map(({ name }) => name))}) verb="$word" ;;`,
    ...VALUES,
    ...known(options).map(({ words, offers }) => `      (${caseOf(words)}) ${offer(offers)} ;;`),
    '    esac',
    `  elif [[ $typed == -* ]]; then`,
    ...options.flatMap(({ long, abouts }) =>
      abouts.map(
        ({ about, commands }) =>
          `    case "$verb" in (${caseOf(commands)}) _agent_offer ${posixQuoted(long)} ${posixQuoted(about)} ;; esac`,
      ),
    ),
    `  elif [[ -z $first ]]; then`,
    ...commands.flatMap(({ name, about, isShown }) =>
      isShown ? `    _agent_offer ${posixQuoted(name)} ${posixQuoted(about)}` : [],
    ),
    `  elif [[ $operands == 0 ]]; then`,
    `    case "$verb" in`,
    ...known(commands).map(({ name, offers }) => `      (${caseOf([name])}) ${offer(offers)} ;;`),
    '    esac',
    ...TAIL,
  ];
  return `${lines.join('\n')}\n`;
}

const offer = (offers: Offers): string => {
  if (offers === 'files') return '_agent_paths -f';
  if (offers === 'folders') return '_agent_paths -d';
  return offers.map((word) => `_agent_offer ${posixQuoted(word)} ''`).join('; ');
};

const HEAD = `# Completion of bash for ${PROGRAM_NAMES[0]}, made by its command: completion bash

_agent_offer() {
  [[ $1 == "$typed"* ]] || return 0
  COMPREPLY+=("$prefix$1")
  abouts+=("$2")
}

_agent_paths() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do
    COMPREPLY+=("$prefix$path")
  done < <(compgen "$1" -- "$typed")
}

_agent_completion() {
  local typed="\${COMP_WORDS[COMP_CWORD]}" prefix='' pending='' verb='${NO_COMMAND}' first='' operands=0
  local at word line
  local -a abouts=()
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if [[ -n $pending ]]; then
      # Bash takes --flag=value apart.
      [[ $word == '=' ]] || pending=''
      continue
    fi
    case "$word" in`.split('\n');

const FIRST_WORD = `      (--) return 0 ;;
      (-?*) ;;
      (*)
        if [[ -n $first ]]; then
          operands=$((operands + 1))
        else
          first="$word"
          case "$word" in`.split('\n');

const VALUES = `            (*) operands=1 ;;
          esac
        fi
        ;;
    esac
  done
  if [[ -n $pending ]]; then
    [[ $typed == '=' ]] && typed=''
  elif [[ $typed == --*=* ]]; then
    pending="\${typed%%=*}"
    prefix="$pending="
    typed="\${typed#*=}"
  fi
  if [[ -n $pending ]]; then
    case "$pending" in`.split('\n');

/** 63 is a question mark: what matches is listed, and nothing is inserted. */
const TAIL = `  fi
  if [[ \${COMP_TYPE:-} == 63 && \${#abouts[@]} -gt 1 ]]; then
    for at in "\${!abouts[@]}"; do
      [[ -n \${abouts[at]} ]] || continue
      printf -v line '%-24s %s' "\${COMPREPLY[at]}" "\${abouts[at]}"
      COMPREPLY[at]="\${line:0:\${COLUMNS:-80}-1}"
    done
  fi
}

complete -F _agent_completion ${PROGRAM_NAMES.join(' ')}`.split('\n');
