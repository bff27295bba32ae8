import { oneFile, type Row, rowsOf } from '../data.ts';
import type { Files, Generator } from '../generator.ts';
import { inLanguage, withBug } from '../input/talks.ts';
import { sameLines } from '../look.ts';
import { BOTH, code, type Target, target } from '../programs-made.ts';
import { followsJudge } from './follows.ts';

interface Plan {
  readonly made: Target;
  readonly file: string;
  readonly nameKey: string;
  readonly countKey: string;
  readonly limit: number;
}

const programOf = ({ made, file, nameKey, countKey, limit }: Plan): Files =>
  inLanguage(
    made,
    code([
      'import json',
      `entries = json.load(open("${file}"))`,
      `for name in sorted(entry["${nameKey}"] for entry in entries if entry["${countKey}"] > ${limit}):`,
      '    print(name)',
    ]),
    code([
      `const entries = JSON.parse(require("fs").readFileSync("${file}", "utf8"));`,
      `const names = entries.filter((entry) => entry.${countKey} > ${limit}).map((entry) => entry.${nameKey});`,
      'for (const name of names.sort()) console.log(name);',
    ]),
  );

/** Picks records of a JSON file and prints their names in order. */
export const above: Generator = {
  name: 'above',
  kind: 'reads',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const file = random.pick(['parts.json', 'catalogue.json', 'shop.json']);
    const [nameKey, countKey] = random.pick([
      ['title', 'left'],
      ['label', 'pieces'],
      ['part', 'units'],
    ] as const);
    const limit = random.int(20, 40);
    const draw = (length: number): Row[] => {
      const [edge, low, high, ...rest] = rowsOf(random, length) as [Row, Row, Row, ...Row[]];
      // One stands on the edge, one is on each side.
      return random.sample(
        [{ ...edge, count: limit }, { ...low, count: 3 }, { ...high, count: limit + 1 }, ...rest],
        length,
      );
    };
    const json = (rows: readonly Row[]): string =>
      `${JSON.stringify(
        rows.map(({ name, group, count }) => ({ [nameKey]: name, town: group, [countKey]: count })),
        null,
        2,
      )}\n`;
    const rows = draw(8);
    const given = oneFile(file, json(rows));
    const made = target(random, random.pick(['plenty', 'above', 'pick']), given);
    const goal = random.pick([
      `Write ${made.inWords} that reads ${file} and prints the ${nameKey} of every entry whose ${countKey} is more than ${limit}, sorted by the alphabet, one a line.`,
      `${file} has a list of objects. ${made.inWords} please, which shows in alphabetical order those ${nameKey}s that have over ${limit} ${countKey} (exactly ${limit} does not count). One per line, nothing else.`,
    ]);
    const variant = (list: readonly Row[]) => {
      const names = list.filter(({ count }) => count > limit).map(({ name }) => name);
      return {
        files: oneFile(file, json(list)),
        check: (text: string) => sameLines(text, names.sort()),
      };
    };
    const good = programOf({ made, file, nameKey, countKey, limit });
    const isPython = made.language === 'python';
    return {
      goal,
      given,
      judge: followsJudge(made, [variant(rows), variant(draw(6))]),
      good: { files: good },
      bad: [
        { files: withBug(good, `> ${limit}`, `>= ${limit}`) },
        {
          files: isPython
            ? withBug(good, 'json.load(', 'json.loads(')
            : withBug(good, `> ${limit}`, '> 0'),
        },
      ],
    };
  },
};
