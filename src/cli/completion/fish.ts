/** Pure: the completion for fish, from 3.0 on. */

import type { Offers } from '../../options/kinds.ts';
import { PROGRAM_NAMES } from '../process/program-name.ts';
import { known, NO_COMMAND, type Offered, type OfferedOption, wordsWithValue } from './offered.ts';

/** Stands for the command behind a goal. */
const GOAL = '-goal';

export function fishScript(offered: Offered): string {
  const { commands, options } = offered;
  const lines = [
    ...HEAD,
    `            case ${quoted(wordsWithValue(offered))}`,
    ...FIRST_WORD,
    `            case ${quoted(commands.map(({ name }) => name))}`,
    ...TAIL,
    ...commands.flatMap(({ name, about, isShown }) =>
      isShown
        ? complete([NO_COMMAND], `-a ${fishQuoted(fishQuoted(name))} -d ${fishQuoted(about)}`)
        : [],
    ),
    ...known(commands).map(({ name, offers }) => complete([name], behind(offers))),
    ...options.flatMap((option) =>
      option.abouts.map(({ about, commands }) =>
        complete(commands, `${asSwitches(option)} -d ${fishQuoted(about)}`),
      ),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const [NAME, ...OTHERS] = PROGRAM_NAMES;

/** One word, whatever is in it. */
const fishQuoted = (word: string): string => `'${word.replace(/[\\']/g, '\\$&')}'`;

const quoted = (words: readonly string[]): string => words.map(fishQuoted).join(' ');

function complete(commands: readonly string[], rest: string): string {
  // What can be typed without a command can be typed behind a goal; commands cannot.
  const isOption = /^-[lsx] /.test(rest);
  const at = isOption && commands.includes(NO_COMMAND) ? [...commands, GOAL] : commands;
  return `complete -c ${NAME} -n ${fishQuoted(`__agent_at ${quoted(at)}`)} ${rest}`;
}

const asSwitches = ({ words, offers }: OfferedOption): string => {
  const switches = words.map((word) =>
    word.startsWith('--') ? `-l ${fishQuoted(word.slice(2))}` : `-s ${fishQuoted(word.slice(1))}`,
  );
  const value = offers === null ? '' : offers.length === 0 ? ' -x' : ` -r ${behind(offers)}`;
  return switches.join(' ') + value;
};

/** What \`-a\` is given is read a second time. */
const behind = (offers: Offers): string => {
  if (offers === 'files') return '-F';
  if (offers === 'folders') return '-f -a "(__fish_complete_directories)"';
  return `-f -a ${fishQuoted(quoted(offers))}`;
};

const HEAD = `# Completion of fish for ${NAME}, made by its command: completion fish

function __agent_verb
    set -l words (commandline -opc)
    set -e words[1]
    set -l pending ''
    for word in $words
        if test -n "$pending"
            set pending ''
            continue
        end
        switch $word`.split('\n');

const FIRST_WORD = `                set pending yes
            case - --
                echo ${GOAL}
                return
            case '-*'`.split('\n');

const TAIL = `                echo $word
                return
            case '*'
                echo ${GOAL}
                return
        end
    end
    echo ${NO_COMMAND}
end

function __agent_at
    contains -- (__agent_verb) $argv
end

complete -c ${NAME} -f
${OTHERS.map((name) => `complete -c ${name} -w ${NAME}`).join('\n')}`.split('\n');
