import type { Generator } from '../generator.ts';
import { code } from '../programs-made.ts';
import { ADJECTIVES, GOODS } from '../words.ts';
import { becomes } from './texts.ts';

/** A list under a heading is sorted and loses what stands in it twice; the lines around it stay. */
export const tidyList: Generator = {
  name: 'tidy-list',
  kind: 'changes',
  languages: ['text'],
  kept: true,
  make: (random) => {
    const path = random.pick([
      'shopping.md',
      'lists/cellar.md',
      'packing.md',
      'trip.txt',
      'store.txt',
    ]);
    const head = random.pick(['# What we need', '# To pack', '# In the cellar']);
    const foot = `Last looked at by ${random.pick(['the caretaker', 'the cook', 'both of us'])}.`;
    const goods = random
      .sample(GOODS, random.int(6, 9))
      .map((good) => `- ${random.pick(ADJECTIVES)} ${good}`);
    const twice = random.sample(goods, 2);
    const lines = random.sample([...goods, ...twice], goods.length + 2);
    const text = (list: readonly string[]): string => code([head, '', ...list, '', foot]);
    const sorted = [...goods].sort();
    const goal = random.pick([
      `Sort the list in ${path} by the alphabet and remove entries that are there twice. Heading and last line stay where they are.`,
      `${path}: the items should be in alphabetical order (by the whole line), each only once; leave the rest of the file alone`,
    ]);
    return {
      goal,
      given: { [path]: text(lines) },
      mayChange: [path],
      mayShrink: [path],
      judge: becomes({ [path]: text(sorted) }),
      good: { files: { [path]: text(sorted) } },
      bad: [
        { files: { [path]: text([...goods, ...twice].sort()) } },
        { files: { [path]: code(sorted) } },
      ],
    };
  },
};
