import { missed } from '../../goal.ts';
import { oneFile } from '../data.ts';
import type { Generator } from '../generator.ts';
import { inLanguage, withBug } from '../input/talks.ts';
import { expectThat, hasFigure } from '../look.ts';
import { BOTH, code, target } from '../programs-made.ts';
import type { Random } from '../random.ts';
import { ADJECTIVES, GOODS, PEOPLE } from '../words.ts';
import { followsJudge } from './follows.ts';

const VERBS = ['borrowed', 'lost', 'repaired', 'painted', 'sold', 'found'] as const;

function diary(random: Random, word: string): string[] {
  const others = GOODS.filter((good) => good !== word);
  const line = (good: string): string =>
    `${random.pick(PEOPLE)} ${random.pick(VERBS)} the ${random.pick(ADJECTIVES)} ${good}`;
  const lines = [
    ...Array.from({ length: random.int(3, 5) }, () => line(word)),
    ...Array.from({ length: random.int(4, 7) }, () => line(random.pick(others))),
  ];
  return random.sample(lines, lines.length);
}

const longestOf = (lines: readonly string[]): number =>
  Math.max(...lines.map((line) => line.length));

/** Counts the lines of a text that mention a word, and measures the longest line. */
export const mentions: Generator = {
  name: 'mentions',
  kind: 'reads',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const word = random.pick(GOODS);
    const file = random.pick(['diary.txt', 'notes.txt', 'journal.txt', 'log/book.txt']);
    const lines = diary(random, word);
    const given = oneFile(file, code(lines));
    const made = target(random, random.pick(['mentions', 'look', 'lines']), given);
    const goal = random.pick([
      `Write ${made.inWords} that reads ${file} and prints two lines: how many of its lines mention the word "${word}", and how many characters its longest line has.`,
      `There is a text in ${file}. ${made.inWords} should print (1) the number of lines with ${word} in them and (2), on the next line, the length of the longest line.`,
    ]);
    const variant = (list: readonly string[]) => ({
      files: oneFile(file, code(list)),
      check: (text: string) => {
        const count = list.filter((line) => line.includes(word)).length;
        const [first = '', second = ''] = text.trim().split('\n');
        if (!hasFigure(first, count)) return missed(`it says ${first}, not ${count}`);
        const length = longestOf(list);
        return expectThat(hasFigure(second, length), `it says ${second}, not ${length}`);
      },
    });
    const good = inLanguage(
      made,
      code([
        `lines = open("${file}").read().splitlines()`,
        `print(len([line for line in lines if "${word}" in line]))`,
        'print(max(len(line) for line in lines))',
      ]),
      code([
        `const lines = require("fs").readFileSync("${file}", "utf8").trim().split("\\n");`,
        `console.log(lines.filter((line) => line.includes("${word}")).length);`,
        'console.log(Math.max(...lines.map((line) => line.length)));',
      ]),
    );
    const isPython = made.language === 'python';
    const count = lines.filter((line) => line.includes(word)).length;
    return {
      goal,
      given,
      judge: followsJudge(made, [variant(lines), variant(diary(random, word).slice(1))]),
      good: { files: good },
      bad: [
        {
          files: isPython
            ? withBug(good, ` if "${word}" in line`, '')
            : withBug(good, `.filter((line) => line.includes("${word}"))`, ''),
        },
        {
          files: inLanguage(
            made,
            `print(${count})\nprint(${longestOf(lines) + 1})\n`,
            `console.log(${count});\nconsole.log(${longestOf(lines) + 1});\n`,
          ),
        },
      ],
    };
  },
};
