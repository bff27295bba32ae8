/** Pure: the completion for zsh. It is put into a folder of `fpath` as `_agent`, or evaluated after `compinit`. */

import type { Offers } from '../../options/kinds.ts';
import { PROGRAM_NAMES } from '../process/program-name.ts';
import { known, NO_COMMAND, type Offered, wordsWithValue } from './offered.ts';
import { caseOf, posixQuoted } from './posix.ts';

export function zshScript(offered: Offered): string {
  const { commands, options } = offered;
  const lines = [
    ...HEAD,
    `      (${caseOf(wordsWithValue(offered))}) pending=$word ;;`,
    ...FIRST_WORD,
    `            (${caseOf(commands.map(({ name }) => name))}) verb=$word ;;`,
    ...VALUES,
    ...known(options).map(({ words, offers }) => `      (${caseOf(words)}) ${offer(offers)} ;;`),
    '    esac',
    '  elif [[ $PREFIX == -* ]]; then',
    ...options.flatMap(({ long, abouts }) =>
      abouts.map(
        ({ about, commands }) =>
          `    case $verb in (${caseOf(commands)}) _agent_offer ${posixQuoted(long)} ${posixQuoted(about)} ;; esac`,
      ),
    ),
    '  elif [[ -z $first ]]; then',
    ...commands.flatMap(({ name, about, isShown }) =>
      isShown ? `    _agent_offer ${posixQuoted(name)} ${posixQuoted(about)}` : [],
    ),
    '  elif (( operands == 0 )); then',
    '    case $verb in',
    ...known(commands).map(({ name, offers }) => `      (${caseOf([name])}) ${offer(offers)} ;;`),
    '    esac',
    ...TAIL,
  ];
  return `${lines.join('\n')}\n`;
}

const offer = (offers: Offers): string => {
  if (offers === 'files') return '_files';
  if (offers === 'folders') return '_files -/';
  return offers.map((word) => `_agent_offer ${posixQuoted(word)} ''`).join('; ');
};

const HEAD = `#compdef ${PROGRAM_NAMES.join(' ')}
# Completion of zsh for ${PROGRAM_NAMES[0]}, made by its command: completion zsh

_agent_offer() {
  local line=$1
  [[ -n $2 ]] && printf -v line '%-24s %s' "$1" "$2"
  offered+=("$1")
  shown+=("$line")
}

_agent() {
  local pending='' verb='${NO_COMMAND}' first='' word
  local -i at operands=0
  local -a offered shown
  for ((at = 2; at < CURRENT; at++)); do
    word=\${(Q)words[at]}
    if [[ -n $pending ]]; then
      pending=''
      continue
    fi
    case $word in`.split('\n');

const FIRST_WORD = `      (--) return 1 ;;
      (-?*) ;;
      (*)
        if [[ -n $first ]]; then
          operands+=1
        else
          first=$word
          case $word in`.split('\n');

const VALUES = `            (*) operands=1 ;;
          esac
        fi
        ;;
    esac
  done
  if [[ -z $pending && $PREFIX == --*=* ]]; then
    pending=\${PREFIX%%=*}
    compset -P 1 '*='
  fi
  if [[ -n $pending ]]; then
    case $pending in`.split('\n');

const TAIL = `  fi
  (( $#offered )) && compadd -l -d shown -a offered
}

if [[ \${funcstack[1]} == _agent ]]; then
  _agent "$@"
else
  compdef _agent ${PROGRAM_NAMES.join(' ')}
fi`.split('\n');
