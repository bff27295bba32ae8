import type { Generator } from '../generator.ts';
import { linesOf, namesWithFigures } from '../look.ts';
import { BOTH, code, target } from '../programs-made.ts';
import type { Random } from '../random.ts';
import { PEOPLE } from '../words.ts';
import { inLanguage, JS_LINES, talkJudge, withBug } from './talks.ts';

function ballot(random: Random): { lines: string[]; counts: [string, number][] } {
  const counts = random
    .sample(PEOPLE, 3)
    .map((name, at): [string, number] => [name, [4, 2, 1][at] ?? 1]);
  const votes = counts.flatMap(([name, count]) => Array.from({ length: count }, () => name));
  return { lines: random.sample(votes, votes.length), counts };
}

/** Reads names until a word and counts them. */
export const votes: Generator = {
  name: 'votes',
  kind: 'input',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const stop = random.pick(['end', 'stop', 'done']);
    const made = target(random, random.pick(['votes', 'ballot', 'count_votes']));
    const winner = random.pick(['Winner', 'Elected', 'Chosen']);
    const goal = random.pick([
      `Write ${made.inWords} that reads names from standard input, one a line, until the line "${stop}". Then it prints every name with its number of votes ("NAME: COUNT") and, as the last line, "${winner}: NAME" for the one with the most.`,
      `We vote by typing names. I need ${made.inWords} for that: it takes one name after the other, ${stop} ends it. It then shows a line like "${random.pick(PEOPLE)}: 3" for each name and finally the line "${winner}: " with the name that has the most votes.`,
    ]);
    const ballots = [ballot(random), ballot(random)];
    const good = inLanguage(
      made,
      code([
        'counts = {}',
        'while True:',
        '    name = input().strip()',
        `    if name == "${stop}":`,
        '        break',
        '    counts[name] = counts.get(name, 0) + 1',
        'for name, count in counts.items():',
        '    print(f"{name}: {count}")',
        `print("${winner}:", max(counts, key=counts.get))`,
      ]),
      code([
        JS_LINES,
        'const counts = {};',
        'for (const name of lines) {',
        `  if (name === '${stop}') break;`,
        '  counts[name] = (counts[name] ?? 0) + 1;',
        '}',
        'for (const [name, count] of Object.entries(counts)) console.log(name + ": " + count);',
        `console.log('${winner}:', Object.keys(counts).sort((a, b) => counts[b] - counts[a])[0]);`,
      ]),
    );
    const isPython = made.language === 'python';
    return {
      goal,
      judge: talkJudge(
        made,
        ballots.map(({ lines, counts }) => ({
          how: { stdin: `${[...lines, stop].join('\n')}\n` },
          fault: (output) => {
            const seen = namesWithFigures(output, counts);
            if (!seen.reached) return seen.why;
            const last = linesOf(output).at(-1) ?? '';
            return last.endsWith(`${winner}: ${counts[0]?.[0]}`) ? null : `it ends with ${last}`;
          },
        })),
      ),
      good: { files: good },
      bad: [
        {
          files: isPython
            ? withBug(good, 'max(counts', 'min(counts')
            : withBug(good, 'counts[b] - counts[a]', 'counts[a] - counts[b]'),
        },
        { files: isPython ? withBug(good, ' + 1', '') : withBug(good, ' + 1', '') },
      ],
    };
  },
};
