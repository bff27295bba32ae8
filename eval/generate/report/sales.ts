import { type Evidence, missed, reached, type Verdict } from '../../goal.ts';
import { csvOf, oneFile, type Row, rowsOf, sums, total } from '../data.ts';
import type { Generator } from '../generator.ts';
import { inLanguage, withBug } from '../input/talks.ts';
import {
  endedWell,
  firstOf,
  hasFigure,
  linesOf,
  namesWithFigures,
  play,
  put,
  read,
} from '../look.ts';
import { BOTH, code, type Target, target } from '../programs-made.ts';

interface Plan {
  readonly made: Target;
  readonly file: string;
  readonly output: string;
  readonly heads: readonly string[];
}

const worth = ({ count, price }: Row): number => count * price;

function judgeReport(text: string | null, rows: readonly Row[]): Verdict {
  if (text === null) return missed('there is no report');
  const places = sums(rows, ({ group }) => group, worth);
  const seen = namesWithFigures(text, places);
  if (!seen.reached) return seen;
  const all = total(rows.map(worth));
  const isTotalled = linesOf(text).some((line) => /total/i.test(line) && hasFigure(line, all));
  return isTotalled ? reached('every figure is right') : missed(`the total ${all} is missing`);
}

const judgeSales =
  ({ made, file, output, heads }: Plan, variants: readonly (readonly Row[])[]) =>
  (evidence: Evidence): Promise<Verdict> => {
    // What the run itself left must be right for the data that were given.
    const left = judgeReport(read(evidence, output), variants[0] ?? []);
    if (!left.reached) return Promise.resolve(left);
    return firstOf(made.candidates(evidence), async (path) => {
      for (const rows of variants) {
        put(evidence, { ...oneFile(file, csvOf(rows, heads)), [output]: null });
        const failure = endedWell(await play(evidence, path));
        if (failure !== null) return missed(`${path}: ${failure}`);
        const seen = judgeReport(read(evidence, output), rows);
        if (!seen.reached) return seen;
      }
      return reached(`${path} writes right reports`);
    });
  };

const programOf = ({ made, file, output }: Plan) =>
  inLanguage(
    made,
    code([
      'import csv',
      'sums = {}',
      `for row in list(csv.reader(open("${file}")))[1:]:`,
      '    sums[row[1]] = sums.get(row[1], 0) + int(row[2]) * int(row[3])',
      `with open("${output}", "w") as report:`,
      '    for place, worth in sums.items():',
      '        report.write(f"{place}: {worth}\\n")',
      '    report.write(f"Total: {sum(sums.values())}\\n")',
    ]),
    code([
      'const fs = require("fs");',
      'const sums = {};',
      `for (const line of fs.readFileSync("${file}", "utf8").trim().split("\\n").slice(1)) {`,
      '  const row = line.split(",");',
      '  sums[row[1]] = (sums[row[1]] ?? 0) + Number(row[2]) * Number(row[3]);',
      '}',
      'const all = Object.values(sums).reduce((a, b) => a + b, 0);',
      'const lines = Object.entries(sums).map((entry) => entry.join(": "));',
      `fs.writeFileSync("${output}", lines.concat("Total: " + all).join("\\n") + "\\n");`,
    ]),
  );

const textOf = (rows: readonly Row[]): string =>
  code([
    ...sums(rows, ({ group }) => group, worth).map(([place, figure]) => `${place}: ${figure}`),
    `Total: ${total(rows.map(worth))}`,
  ]);

/** A program that writes a report on sales, and the report. */
export const sales: Generator = {
  name: 'sales',
  kind: 'report',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const file = random.pick(['sales.csv', 'orders.csv', 'data/sales.csv']);
    const output = random.pick(['report.md', 'report.txt', 'summary.txt']);
    const heads = ['article', 'town', 'pieces', 'price'];
    const rows = rowsOf(random, random.int(7, 12));
    const given = oneFile(file, csvOf(rows, heads));
    const made = target(random, random.pick(['report', 'make_report', 'summarise']), given);
    const plan = { made, file, output, heads };
    const goal = random.pick([
      `Write ${made.inWords} that turns ${file} into ${output}: the turnover (pieces times price) of each town, one line a town, and a line "Total" with all of them. Run it once so that ${output} is there.`,
      `From ${file} I want a report in ${output}. For every town what was sold there (pieces * price added up), and then the total. ${made.inWords} should make it, so that I can repeat this with new numbers; leave me the report for today's.`,
    ]);
    const good = programOf(plan);
    const isPython = made.language === 'python';
    return {
      goal,
      given,
      judge: judgeSales(plan, [rows, rowsOf(random, 5)]),
      good: { files: { ...good, [output]: textOf(rows) } },
      bad: [
        { files: good },
        {
          files: {
            ...(isPython
              ? withBug(good, 'int(row[2]) * ', '')
              : withBug(good, 'Number(row[2]) * ', '')),
            [output]: textOf(rows),
          },
        },
        { files: { [output]: textOf(rows) } },
      ],
    };
  },
};
