import type { Generator } from '../generator.ts';
import { linesOf, sameLines } from '../look.ts';
import { BOTH, COMMAND, code, target } from '../programs-made.ts';
import { inLanguage, talkJudge, withBug } from './talks.ts';

const COINS = [
  [50, 20, 5, 1],
  [40, 10, 2, 1],
  [60, 12, 3, 1],
  [25, 10, 5, 1],
] as const;

/** Pays an amount, given as an argument, with as few coins as possible. */
export const change: Generator = {
  name: 'change',
  kind: 'input',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const coins = random.pick(COINS);
    const made = target(random, random.pick(['change', 'coins', 'pay']));
    const lines = (amount: number): string[] => {
      let left = amount;
      return coins.flatMap((coin) => {
        const count = Math.floor(left / coin);
        left %= coin;
        return count === 0 ? [] : [`${count} x ${coin}`];
      });
    };
    const example = random.int(70, 99);
    const shown = lines(example).join(', then ');
    const goal = random.pick([
      `Write ${made.inWords} that is called with an amount ("${COMMAND[made.language]} ${made.path} ${example}") and prints how to pay it, largest coin first and always as many of it as fit. There are coins of ${coins.join(', ')}. One line for each coin that is used, for ${example}: ${shown}.`,
      `Coins here are worth ${[...coins].reverse().join(', ')}. I want ${made.inWords} that takes an amount as its only command line argument and prints lines "COUNT x COIN", from the largest coin down, using the largest ones as often as possible; coins that are not needed have no line. Example for ${example}: ${shown}`,
    ]);
    const amounts = [example, coins[0] * random.int(2, 4), random.int(101, 300), 7];
    const good = inLanguage(
      made,
      code([
        'import sys',
        'left = int(sys.argv[1])',
        `for coin in [${coins.join(', ')}]:`,
        '    if left // coin > 0:',
        '        print(f"{left // coin} x {coin}")',
        '    left = left % coin',
      ]),
      code([
        'let left = Number(process.argv[2]);',
        `for (const coin of [${coins.join(', ')}]) {`,
        '  const count = Math.floor(left / coin);',
        '  if (count > 0) console.log(count + " x " + coin);',
        '  left = left % coin;',
        '}',
      ]),
    );
    return {
      goal,
      judge: talkJudge(
        made,
        amounts.map((amount) => ({
          how: { args: [String(amount)] },
          fault: (output) => {
            const seen = sameLines(linesOf(output).join('\n'), lines(amount));
            return seen.reached ? null : seen.why;
          },
        })),
      ),
      good: { files: good },
      bad: [{ files: withBug(good, ', 1]', ', 2]') }, { files: withBug(good, '> 0', '> 1') }],
    };
  },
};
