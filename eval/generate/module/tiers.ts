import { testPath } from '../functions/function.ts';
import type { Generator } from '../generator.ts';
import { withBug } from '../input/talks.ts';
import { BOTH, code, IN_WORDS, named, nameIn, type ProgramLanguage } from '../programs-made.ts';
import { SUBJECTS } from '../words.ts';
import { idleTests, madeTask } from './made.ts';

interface Plan {
  readonly language: ProgramLanguage;
  readonly stem: string;
  readonly price: string;
  readonly group: string;
  readonly child: number;
  readonly senior: number;
  readonly low: number;
  readonly full: number;
  readonly less: number;
}

const moduleOf = ({ language, price, group, child, senior, low, full, less }: Plan): string =>
  language === 'python'
    ? code([
        `def ${price}(age):`,
        '    if age < 0:',
        '        raise ValueError("negative age")',
        `    if age < ${child}:`,
        `        return ${low}`,
        `    return ${less} if age >= ${senior} else ${full}`,
        '',
        '',
        `def ${group}(ages):`,
        `    prices = [${price}(age) for age in ages]`,
        '    return sum(prices) - (min(prices) if len(prices) >= 4 else 0)',
      ])
    : code([
        `function ${price}(age) {`,
        '  if (age < 0) throw new Error("negative age");',
        `  if (age < ${child}) return ${low};`,
        `  return age >= ${senior} ? ${less} : ${full};`,
        '}',
        `function ${group}(ages) {`,
        `  const prices = ages.map(${price});`,
        '  const sum = prices.reduce((one, other) => one + other, 0);',
        '  return prices.length >= 4 ? sum - Math.min(...prices) : sum;',
        '}',
        `module.exports = { ${price}, ${group} };`,
      ]);

const testsOf = ({ language, stem, price, group, senior, full, less }: Plan): string =>
  language === 'python'
    ? code([
        `from ${stem} import ${group}, ${price}`,
        '',
        '',
        'def test_prices():',
        `    assert ${price}(${senior}) == ${less}`,
        `    assert ${group}([30, 30]) == ${2 * full}`,
      ])
    : code([
        "const test = require('node:test');",
        "const assert = require('node:assert');",
        `const { ${group}, ${price} } = require('./${stem}.js');`,
        "test('prices', () => {",
        `  assert.equal(${price}(${senior}), ${less});`,
        `  assert.equal(${group}([30, 30]), ${2 * full});`,
        '});',
      ]);

/** A rule in tiers and one that uses it. */
export const tiers: Generator = {
  name: 'tiers',
  kind: 'module',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const language = random.pick(BOTH);
    const stem = random.pick(['tickets', 'entry', `${random.pick(SUBJECTS)}_fees`]);
    const [child, senior] = [random.int(5, 13), random.int(60, 70)];
    const [low, full, less] = [random.int(2, 4), random.int(9, 20), random.int(5, 8)];
    const price = nameIn(language, [random.pick(['ticket', 'entry']), 'price']);
    const group = nameIn(language, [random.pick(['group', 'family']), 'price']);
    const path = named(language, stem);
    const refusal = language === 'python' ? 'a ValueError is raised' : 'an Error is thrown';
    const goal = random.pick([
      `Make ${path}, with tests. ${price}(age) is ${low} below ${child}, ${less} from ${senior} on and ${full} in between; for a negative age ${refusal}. ${group}(ages) adds up the prices of a list of ages, from four people on the cheapest of them is free.`,
      `${IN_WORDS[language]} module ${path} plus a test file for it. Function ${price}(age): younger than ${child} pays ${low}, ${senior} and older pays ${less}, everybody else ${full}, negative ages are an error (${refusal}). Function ${group}(ages): the sum for all ages in the list; groups of 4 or more do not pay for the one with the lowest price.`,
    ]);
    const plan = { language, stem, price, group, child, senior, low, full, less };
    const [right, tests] = [moduleOf(plan), testsOf(plan)];
    const test = testPath(stem, language);
    const files = { [path]: right, [test]: tests };
    const call = (name: string, arg: string, value?: number) => ({
      expression: `m.${name}(${arg})`,
      ...(value === undefined ? {} : { value }),
    });
    return madeTask({
      goal,
      language,
      stem,
      calls: [
        call(price, String(child - 1), low),
        call(price, String(child), full),
        call(price, String(senior), less),
        call(price, '-1'),
        call(group, `[30, 31, ${child - 1}, 40]`, 3 * full),
        call(group, `[30, ${senior}, 2]`, full + less + low),
        call(group, '[30, 30, 30, 30, 30]', 4 * full),
      ],
      right: files,
      wrong: [
        { ...files, ...withBug({ [path]: right }, '>= 4', '> 4') },
        { ...files, [test]: idleTests(stem, language) },
      ],
    });
  },
};
