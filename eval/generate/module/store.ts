import type { Call } from '../calls.ts';
import { testPath } from '../functions/function.ts';
import type { Generator } from '../generator.ts';
import { withBug } from '../input/talks.ts';
import { BOTH, capital, code, named, nameIn, type ProgramLanguage } from '../programs-made.ts';
import { GOODS, SUBJECTS } from '../words.ts';
import { idleTests, madeTask } from './made.ts';

interface Plan {
  readonly language: ProgramLanguage;
  readonly stem: string;
  readonly kind: string;
  readonly put: string;
  readonly take: string;
  readonly count: string;
  readonly goods: readonly [string, string];
  readonly many: number;
  readonly few: number;
}

const moduleOf = ({ language, kind, put, take, count }: Plan): string =>
  language === 'python'
    ? code([
        `class ${kind}:`,
        '    def __init__(self):',
        '        self.counts = {}',
        '',
        `    def ${put}(self, name, number):`,
        `        self.counts[name] = self.${count}(name) + number`,
        '',
        `    def ${take}(self, name, number):`,
        `        if self.${count}(name) < number:`,
        '            raise ValueError("not enough")',
        '        self.counts[name] -= number',
        '',
        `    def ${count}(self, name):`,
        '        return self.counts.get(name, 0)',
      ])
    : code([
        `class ${kind} {`,
        '  counts = {};',
        `  ${put}(name, number) {`,
        `    this.counts[name] = this.${count}(name) + number;`,
        '  }',
        `  ${take}(name, number) {`,
        `    if (this.${count}(name) < number) throw new Error("not enough");`,
        '    this.counts[name] -= number;',
        '  }',
        `  ${count}(name) {`,
        '    return this.counts[name] ?? 0;',
        '  }',
        '}',
        `module.exports = { ${kind} };`,
      ]);

const testsOf = ({ language, stem, kind, put, take, count, goods: [a, b] }: Plan): string =>
  language === 'python'
    ? code([
        `from ${stem} import ${kind}`,
        '',
        '',
        'def test_counts():',
        `    stock = ${kind}()`,
        `    stock.${put}("${a}", 5)`,
        `    stock.${take}("${a}", 2)`,
        `    assert stock.${count}("${a}") == 3`,
        `    assert stock.${count}("${b}") == 0`,
      ])
    : code([
        "const test = require('node:test');",
        "const assert = require('node:assert');",
        `const { ${kind} } = require('./${stem}.js');`,
        "test('counts', () => {",
        `  const stock = new ${kind}();`,
        `  stock.${put}("${a}", 5);`,
        `  stock.${take}("${a}", 2);`,
        `  assert.strictEqual(stock.${count}("${a}"), 3);`,
        `  assert.strictEqual(stock.${count}("${b}"), 0);`,
        '});',
      ]);

function callsFor(plan: Plan): Call[] {
  const { language, kind, put, take, count, many, few } = plan;
  const [a, b] = plan.goods;
  const made = language === 'python' ? `m.${kind}()` : `new m.${kind}()`;
  /** Calls methods of one object in turn; the value is the last one's. */
  const steps = (...calls: string[]): string =>
    language === 'python'
      ? `(lambda s: (${calls.join(', ')})[-1])(${made})`
      : `((s) => [${calls.join(', ')}].at(-1))(${made})`;
  const s = {
    put: (name: string, number: number) => `s.${put}("${name}", ${number})`,
    take: (name: string, number: number) => `s.${take}("${name}", ${number})`,
    count: (name: string) => `s.${count}("${name}")`,
  };
  return [
    {
      expression: steps(s.put(a, many), s.put(b, 1), s.take(a, few), s.put(a, 1), s.count(a)),
      value: many - few + 1,
    },
    { expression: `${made}.${count}("${b}")`, value: 0 },
    { expression: steps(s.put(a, few), s.take(a, few), s.count(a)), value: 0 },
    { expression: steps(s.put(a, few), s.take(a, many)) },
    { expression: `${made}.${take}("${b}", 1)` },
  ];
}

/** A class that keeps counts and refuses to give out more than there is. */
export const store: Generator = {
  name: 'store',
  kind: 'module',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const language = random.pick(BOTH);
    const stem = random.pick(['store', 'depot', random.pick(SUBJECTS)]);
    const [put, take] = random.pick([
      ['put', 'take'],
      ['add', 'remove'],
      ['receive', 'issue'],
    ] as const);
    const goods = random.sample(GOODS, 2) as [string, string];
    const [many, few] = [random.int(6, 20), random.int(2, 5)];
    const [kind, count] = [`${capital(stem)}Stock`, nameIn(language, ['count', 'of'])];
    const plan = { language, stem, kind, put, take, count, goods, many, few };
    const [path, test] = [named(language, stem), testPath(stem, language)];
    const refusal = language === 'python' ? 'raises a ValueError' : 'throws an Error';
    const [a] = goods;
    const goal = random.pick([
      `Write ${path} with a class ${kind} and tests for it. ${put}(name, number) adds so many of a thing (say ${many} ${a}s), ${take}(name, number) takes them away and ${refusal} when there are not enough (nothing is changed then), ${count}(name) says how many there are, 0 for things it never saw.`,
      `A small module with tests please: ${path}, class ${kind}, made without arguments. Methods: ${put}(name, number); ${take}(name, number), which ${refusal} if fewer are there; ${count}(name), for example ${many - few} after ${put}("${a}", ${many}) and ${take}("${a}", ${few}), and 0 for an unknown name.`,
    ]);
    const right = { [path]: moduleOf(plan) };
    const tests = { [test]: testsOf(plan) };
    return madeTask({
      goal,
      language,
      stem,
      calls: callsFor(plan),
      right: { ...right, ...tests },
      wrong: [
        { ...withBug(right, ' < number', ' < 0'), ...tests },
        { ...right, [test]: idleTests(stem, language) },
      ],
    });
  },
};
