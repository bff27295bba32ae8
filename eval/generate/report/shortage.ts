import { type Evidence, missed, reached, type Verdict } from '../../goal.ts';
import type { Generator } from '../generator.ts';
import { inLanguage, withBug } from '../input/talks.ts';
import {
  endedWell,
  firstOf,
  hasWord,
  linesOf,
  namesWithFigures,
  play,
  put,
  read,
} from '../look.ts';
import { BOTH, code, type Target, target } from '../programs-made.ts';
import type { Random } from '../random.ts';
import { GOODS } from '../words.ts';

interface Item {
  readonly name: string;
  readonly stock: number;
  readonly wanted: number;
}

interface Plan {
  readonly made: Target;
  readonly stock: string;
  readonly orders: string;
  readonly output: string;
}

/** Some are short, some are not, one is just enough. */
function itemsOf(random: Random, length: number): Item[] {
  return random.sample(GOODS, length).map((name, at) => {
    const stock = random.int(5, 40);
    return {
      name,
      stock,
      wanted: stock + ([random.int(3, 20), 0, -random.int(1, 4)][at % 3] as number),
    };
  });
}

const filesOf = ({ stock, orders }: Plan, items: readonly Item[]) => ({
  [stock]: code(['article,pieces', ...items.map((one) => `${one.name},${one.stock}`)]),
  // An order in two parts for the first of them.
  [orders]: code([
    'article,pieces',
    ...items.flatMap(({ name, wanted }, at) =>
      at === 0 ? [`${name},2`, `${name},${wanted - 2}`] : [`${name},${wanted}`],
    ),
  ]),
});

const isShort = ({ stock, wanted }: Item): boolean => wanted > stock;

function judgeText(text: string | null, items: readonly Item[]): Verdict {
  if (text === null) return missed('there is no report');
  const short = items.filter(isShort);
  const seen = namesWithFigures(
    text,
    short.map(({ name, stock, wanted }) => [name, wanted - stock] as const),
  );
  if (!seen.reached) return seen;
  const other = items.find((one) => !isShort(one) && hasWord(text, one.name));
  if (other !== undefined) return missed(`there is enough of ${other.name}`);
  const count = linesOf(text).length;
  return count <= short.length + 4 ? reached('every figure is right') : missed(`${count} lines`);
}

const judgeShortage =
  (plan: Plan, variants: readonly (readonly Item[])[]) =>
  (evidence: Evidence): Promise<Verdict> =>
    firstOf(plan.made.candidates(evidence), async (path) => {
      for (const items of variants) {
        put(evidence, { ...filesOf(plan, items), [plan.output]: null });
        const failure = endedWell(await play(evidence, path));
        if (failure !== null) return missed(`${path}: ${failure}`);
        const seen = judgeText(read(evidence, plan.output), items);
        if (!seen.reached) return seen;
      }
      return reached(`${path} writes right reports`);
    });

const programOf = ({ made, stock, orders, output }: Plan) =>
  inLanguage(
    made,
    code([
      'import csv',
      `stock = {row["article"]: int(row["pieces"]) for row in csv.DictReader(open("${stock}"))}`,
      'wanted = {}',
      `for row in csv.DictReader(open("${orders}")):`,
      '    wanted[row["article"]] = wanted.get(row["article"], 0) + int(row["pieces"])',
      `with open("${output}", "w") as report:`,
      '    for name, count in wanted.items():',
      '        if count > stock.get(name, 0):',
      '            report.write(f"{name}: {count - stock.get(name, 0)}\\n")',
    ]),
    code([
      'const fs = require("fs");',
      'const read = (file) => fs.readFileSync(file, "utf8").trim().split("\\n").slice(1).map((line) => line.split(","));',
      `const stock = Object.fromEntries(read("${stock}"));`,
      'const wanted = {};',
      `for (const [name, pieces] of read("${orders}")) wanted[name] = (wanted[name] ?? 0) + Number(pieces);`,
      'const short = Object.entries(wanted).filter(([name, count]) => count > Number(stock[name]));',
      `fs.writeFileSync("${output}", short.map(([name, count]) => name + ": " + (count - stock[name]) + "\\n").join(""));`,
    ]),
  );

/** Two tables against each other, by a program. */
export const shortage: Generator = {
  name: 'shortage',
  kind: 'report',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const items = itemsOf(random, random.int(6, 8));
    const made = target(random, random.pick(['shortage', 'missing', 'reorder']));
    const [stock = '', orders = ''] = random.pick([
      ['stock.csv', 'orders.csv'],
      ['have.csv', 'need.csv'],
      ['data/stock.csv', 'data/orders.csv'],
    ]);
    const output = random.pick(['missing.txt', 'shortage.txt', 'to_buy.txt']);
    const plan = { made, stock, orders, output };
    const goal = random.pick([
      `Write ${made.inWords} that compares ${stock} with ${orders} and writes ${output}: a line for every article of which more is ordered than there is, with how many pieces are missing. An article can be ordered several times.`,
      `Which articles run short? ${made.inWords} shall read ${stock} (what we have) and ${orders} (what is wanted, sometimes in several lines for one article) and write "ARTICLE: MISSING" lines to ${output}, only for those that do not suffice.`,
    ]);
    const good = programOf(plan);
    const isPython = made.language === 'python';
    return {
      goal,
      given: filesOf(plan, items),
      judge: judgeShortage(plan, [items, itemsOf(random, 5)]),
      good: { files: good },
      bad: [
        { files: withBug(good, 'count > ', 'count >= ') },
        {
          files: isPython
            ? withBug(good, 'wanted.get(row["article"], 0) + ', '')
            : withBug(good, '(wanted[name] ?? 0) + ', ''),
        },
      ],
    };
  },
};
