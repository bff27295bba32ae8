import type { Generator } from '../generator.ts';
import { hasFigure } from '../look.ts';
import { BOTH, code, target } from '../programs-made.ts';
import { UNITS } from '../words.ts';
import { inLanguage, JS_LINES, talkJudge, withBug } from './talks.ts';

/** Asks for a number of one unit and says how many of another that is. */
export const convert: Generator = {
  name: 'convert',
  kind: 'input',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const [large, small] = random.pick(UNITS);
    const each = random.int(7, 48);
    const made = target(random, random.pick(['convert', `${large}s`, 'units']));
    const example = random.int(2, 6);
    const goal = random.pick([
      `Write ${made.inWords} that asks for a number of ${large}s and prints how many ${small} that is. A ${large} holds ${each} ${small}, so ${example} gives ${example * each}.`,
      `1 ${large} = ${each} ${small}. Make ${made.inWords}: it reads a number of ${large}s from the user (halves like 2.5 are allowed) and prints the number of ${small}.`,
      `${made.inWords} which converts ${large}s to ${small}. The number is typed in by the user. There are ${each} ${small} in one ${large}; for ${example} it should print ${example * each} ${small}.`,
    ]);
    const amounts = [example, random.int(11, 40), random.int(50, 90)];
    const good = inLanguage(
      made,
      code([
        `amount = float(input("How many ${large}s? "))`,
        `print(f"{amount * ${each}:g} ${small}")`,
      ]),
      code([
        JS_LINES,
        'const amount = Number(lines[0]);',
        `console.log(amount * ${each}, '${small}');`,
      ]),
    );
    return {
      goal,
      judge: talkJudge(
        made,
        amounts.map((amount) => ({
          how: { stdin: `${amount}\n` },
          fault: (output) =>
            hasFigure(output, amount * each) ? null : `${amount * each} is not printed`,
        })),
      ),
      good: { files: good },
      bad: [
        { files: withBug(good, `amount * ${each}`, String(example * each)) },
        { files: withBug(good, `amount * ${each}`, `amount / ${each}`) },
      ],
    };
  },
};
