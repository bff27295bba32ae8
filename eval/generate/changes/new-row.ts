import { csvOf, rowsOf } from '../data.ts';
import type { Generator } from '../generator.ts';
import { becomes } from './texts.ts';

/** A row comes into its place in a CSV file, and another one gets a new figure. */
export const newRow: Generator = {
  name: 'new-row',
  kind: 'changes',
  languages: ['text'],
  kept: true,
  make: (random) => {
    const file = random.pick(['stock.csv', 'depot.csv', 'shelf.csv']);
    const heads = random.pick([
      ['article', 'town', 'pieces', 'price'],
      ['good', 'branch', 'number', 'cents'],
    ] as const);
    const drawn = rowsOf(random, random.int(7, 11)).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    );
    const at = random.int(2, drawn.length - 2);
    const added = drawn[at] as (typeof drawn)[number];
    const before = drawn.filter((row) => row !== added);
    const raised = before[random.int(0, before.length - 1)] as (typeof drawn)[number];
    const amount = random.int(61, 99);
    const after = drawn.map((row) => (row === raised ? { ...row, count: amount } : row));
    const goal = random.pick([
      `${file} is sorted by ${heads[0]}. Add ${added.name} (${heads[1]} ${added.group}, ${heads[2]} ${added.count}, ${heads[3]} ${added.price}) where it belongs, and set the ${heads[2]} of ${raised.name} to ${amount}.`,
      `We got ${added.count} ${added.name}s in ${added.group} at ${added.price} each: put a row for that into ${file}, keep it in alphabetical order. Also there are ${amount} ${raised.name}s now (${heads[2]}).`,
    ]);
    const last = [...after.filter((row) => row !== added && row.name !== added.name), added];
    return {
      goal,
      given: { [file]: csvOf(before, heads) },
      mayChange: [file],
      judge: becomes({ [file]: csvOf(after, heads) }),
      good: { files: { [file]: csvOf(after, heads) } },
      bad: [
        { files: { [file]: csvOf(last, heads) } },
        { files: { [file]: csvOf(drawn, heads) } },
        { files: { [file]: csvOf(after, heads).split('\n').slice(1).join('\n') } },
      ],
    };
  },
};
