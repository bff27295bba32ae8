import type { Files, Generator } from '../generator.ts';
import { BOTH, code, type Target, target } from '../programs-made.ts';
import { inLanguage, JS_LINES, talkJudge, withBug } from './talks.ts';

const FACTS = ['smallest', 'largest', 'average'] as const;

const programOf = (made: Target, separator: string, order: readonly string[]): Files =>
  inLanguage(
    made,
    code([
      `numbers = [int(part) for part in input().split("${separator}")]`,
      'average = sum(numbers) / len(numbers)',
      'facts = {"smallest": min(numbers), "largest": max(numbers), "average": f"{average:.1f}"}',
      `for fact in ${JSON.stringify(order)}:`,
      '    print(f"{fact}: {facts[fact]}")',
    ]),
    code([
      JS_LINES,
      `const numbers = lines[0].split('${separator}').map(Number);`,
      'const average = numbers.reduce((a, b) => a + b, 0) / numbers.length;',
      'const facts = { smallest: Math.min(...numbers), largest: Math.max(...numbers), average: average.toFixed(1) };',
      `for (const fact of ${JSON.stringify(order)}) console.log(fact + ': ' + facts[fact]);`,
    ]),
  );

/** Reads numbers from one line and prints what they are like. */
export const spread: Generator = {
  name: 'spread',
  kind: 'input',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const separator = random.pick([' ', ',', ';']);
    const called = { ' ': 'spaces', ',': 'commas', ';': 'semicolons' }[separator];
    const order = random.sample(FACTS, 3);
    const made = target(random, random.pick(['spread', 'numbers', 'measure']));
    const facts = (numbers: readonly number[]): string[] => {
      const values = {
        smallest: String(Math.min(...numbers)),
        largest: String(Math.max(...numbers)),
        average: (numbers.reduce((one, other) => one + other, 0) / numbers.length).toFixed(1),
      };
      return order.map((fact) => `${fact}: ${values[fact]}`);
    };
    const numbers = (): number[] =>
      [random.int(5, 20), random.int(21, 60), random.int(1, 4), random.int(61, 99)].map(
        (number) => number * 2,
      );
    const example = numbers();
    const goal = random.pick([
      `Write ${made.inWords} that reads one line of whole numbers separated by ${called} and prints three lines: ${facts(example).join(' / ')} (this is for ${example.join(separator)}). The average always has one decimal.`,
      `Please make ${made.inWords}. Input: a single line on stdin, for example "${example.join(separator)}". Output for it:\n${facts(example).join('\n')}\nThe average is shown with exactly one digit behind the point.`,
    ]);
    const cases = [example, numbers(), [random.int(2, 4) * 2, random.int(5, 40) * 2]];
    const good = programOf(made, separator, order);
    const isPython = made.language === 'python';
    return {
      goal,
      judge: talkJudge(
        made,
        cases.map((list) => ({
          how: { stdin: `${list.join(separator)}\n` },
          // A prompt may stand before the first fact.
          fault: (output) => {
            const wanted = facts(list);
            const missing = wanted.find((fact) => !new RegExp(`${fact}\\s*(\\n|$)`).test(output));
            return missing === undefined ? null : `"${missing}" is not printed`;
          },
        })),
      ),
      good: { files: good },
      bad: [
        {
          files: isPython
            ? withBug(good, 'max(numbers)', 'numbers[-2]')
            : withBug(good, 'Math.max(...numbers)', 'numbers[numbers.length - 2]'),
        },
        { files: isPython ? withBug(good, ':.1f', ':g') : withBug(good, '.toFixed(1)', '') },
      ],
    };
  },
};
