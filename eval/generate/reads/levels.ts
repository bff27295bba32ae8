import { LEVELS, type LogLine, logOf, logText, oneFile } from '../data.ts';
import type { Files, Generator } from '../generator.ts';
import { inLanguage, withBug } from '../input/talks.ts';
import { sameLines } from '../look.ts';
import { BOTH, code, type Target, target } from '../programs-made.ts';
import { followsJudge } from './follows.ts';

const programOf = (made: Target, file: string, order: readonly string[]): Files =>
  inLanguage(
    made,
    code([
      `levels = [line.split()[1] for line in open("${file}") if line.strip()]`,
      `for level in ${JSON.stringify(order)}:`,
      '    print(f"{level}: {levels.count(level)}")',
    ]),
    code([
      `const lines = require("fs").readFileSync("${file}", "utf8").trim().split("\\n");`,
      'const levels = lines.map((line) => line.split(" ")[1]);',
      `for (const level of ${JSON.stringify(order)}) {`,
      '  console.log(level + ": " + levels.filter((one) => one === level).length);',
      '}',
    ]),
  );

/** Counts the lines of a log by their level. */
export const levels: Generator = {
  name: 'levels',
  kind: 'reads',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const file = random.pick(['server.log', 'events.log', 'logs/today.log']);
    const order = random.sample(LEVELS, 3);
    const lines = logOf(random, random.int(9, 16));
    const given = oneFile(file, logText(lines));
    const made = target(random, random.pick(['levels', 'count_levels', 'summary']), given);
    const result = (list: readonly LogLine[]): string[] =>
      order.map((level) => `${level}: ${list.filter((line) => line.level === level).length}`);
    const goal = random.pick([
      `Write ${made.inWords} that counts the lines of ${file} by level. It prints three lines, ${order.join(', ')} in this order, like "${order[0]}: 4". A level with no line is shown with 0.`,
      `${file} is our log; the second word of each line is its level. Make ${made.inWords} that prints how often each level comes up:\n${order.map((level) => `${level}: <number>`).join('\n')}\n(0 where it never does.)`,
    ]);
    const others = logOf(random, 11).filter(({ level }) => level !== order[1]);
    const variant = (list: readonly LogLine[]) => ({
      files: oneFile(file, logText(list)),
      check: (text: string) => sameLines(text, result(list)),
    });
    const good = programOf(made, file, order);
    const shown = result(lines);
    const printAll = code([
      'import collections',
      `counts = collections.Counter(line.split()[1] for line in open("${file}"))`,
      `for level in ${JSON.stringify(order)}:`,
      '    if counts[level]: print(f"{level}: {counts[level]}")',
    ]);
    return {
      goal,
      given,
      judge: followsJudge(made, [variant(lines), variant(others)]),
      good: { files: good },
      bad: [
        {
          files: inLanguage(
            made,
            printAll,
            code(shown.map((line) => `console.log(${JSON.stringify(line)});`)),
          ),
        },
        {
          files:
            made.language === 'python'
              ? withBug(good, 'levels.count(level)', 'levels.count(level) + 1')
              : withBug(good, '[1]', '[2]'),
        },
      ],
    };
  },
};
