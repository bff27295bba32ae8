import { type Evidence, missed, type Verdict } from '../../goal.ts';
import { type Call, callsAnswer } from '../calls.ts';
import { commandFor } from '../fix/broken.ts';
import { testPath } from '../functions/function.ts';
import type { Generator } from '../generator.ts';
import { all, expectThat, put, read } from '../look.ts';
import { BOTH, code, named, nameIn, type ProgramLanguage } from '../programs-made.ts';
import { givenTestsPass } from '../tests-run.ts';
import { GOODS } from '../words.ts';

interface Plan {
  readonly language: ProgramLanguage;
  readonly stem: string;
  readonly constant: string;
  readonly value: number;
  readonly names: readonly [string, string];
}

/** Two functions with the same number in them; `shown` is how it is written. */
function moduleOf({ language, names: [boxes, rest] }: Plan, shown: string, head: string): string {
  return language === 'python'
    ? code([
        ...(head === '' ? [] : [head, '', '']),
        `def ${boxes}(pieces):`,
        `    return (pieces + ${shown} - 1) // ${shown}`,
        '',
        '',
        `def ${rest}(pieces):`,
        `    return pieces % ${shown}`,
      ])
    : code([
        ...(head === '' ? [] : [head, '']),
        `function ${boxes}(pieces) {`,
        `  return Math.ceil(pieces / ${shown});`,
        '}',
        '',
        `function ${rest}(pieces) {`,
        `  return pieces % ${shown};`,
        '}',
        '',
        `module.exports = { ${boxes}, ${rest} };`,
      ]);
}

function testsOf({ language, stem, value, names: [boxes, rest] }: Plan): string {
  return language === 'python'
    ? code([
        `from ${stem} import ${boxes}, ${rest}`,
        '',
        '',
        'def test_both():',
        `    assert ${boxes}(${value + 1}) == 2`,
        `    assert ${rest}(${value + 3}) == 3`,
      ])
    : code([
        "const test = require('node:test');",
        "const assert = require('node:assert');",
        `const { ${boxes}, ${rest} } = require('./${stem}.js');`,
        "test('both', () => {",
        `  assert.strictEqual(${boxes}(${value + 1}), 2);`,
        `  assert.strictEqual(${rest}(${value + 3}), 3);`,
        '});',
      ]);
}

const callsFor = ({ names: [boxes, rest] }: Plan, value: number): Call[] => [
  { expression: `m.${boxes}(${3 * value + 1})`, value: 4 },
  { expression: `m.${boxes}(${2 * value})`, value: 2 },
  { expression: `m.${rest}(${5 * value + 2})`, value: 2 },
];

/** With another value of the constant both functions answer otherwise. */
async function isFollowed(evidence: Evidence, plan: Plan, path: string): Promise<Verdict> {
  const text = read(evidence, path) ?? '';
  const places =
    text.replace(/(#|\/\/).*/g, '').match(new RegExp(`(?<![\\w.])${plan.value}(?![\\w.])`, 'g'))
      ?.length ?? 0;
  if (places !== 1) return missed(`${plan.value} stands ${places} times in ${path}`);
  const definition = new RegExp(`\\b(${plan.constant}\\s*=\\s*)${plan.value}\\b`);
  if (!definition.test(text)) return missed(`${plan.constant} is not ${plan.value}`);
  const other = plan.value + 4;
  put(evidence, { [path]: text.replace(definition, `$1${other}`) });
  const seen = await callsAnswer(evidence, path, callsFor(plan, other));
  put(evidence, { [path]: text });
  return expectThat(seen.reached, `not everything follows ${plan.constant}: ${seen.why}`);
}

/** A number that stands in several places gets a name. */
export const constant: Generator = {
  name: 'constant',
  kind: 'refactor',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const language = random.pick(BOTH);
    const good = random.pick(GOODS);
    const plan: Plan = {
      language,
      stem: random.pick(['packing', 'boxes', `${good}s`]),
      constant: random.pick(['PER_BOX', 'BOX_SIZE', 'CAPACITY']),
      value: random.int(11, 48),
      names: [nameIn(language, ['boxes', 'for']), nameIn(language, [good, 'left'])],
    };
    const { value, constant: called } = plan;
    const path = named(language, plan.stem);
    const test = testPath(plan.stem, language);
    const given = { [path]: moduleOf(plan, String(value), ''), [test]: testsOf(plan) };
    const goal = random.pick([
      `In ${path} the number ${value} is everywhere. Give it the name ${called} at the top of the file and use that instead. What the functions return does not change.`,
      `Replace the magic number ${value} in ${path} with a constant ${called}. ${commandFor(language)} has to stay green, the tests are not to be edited.`,
    ]);
    const sign = language === 'python' ? `${called} = ${value}` : `const ${called} = ${value};`;
    const right = moduleOf(plan, called, sign);
    return {
      goal,
      given,
      mayChange: [path],
      needs: language === 'python' ? ['python', 'pytest'] : [],
      judge: (evidence) =>
        all([
          () => callsAnswer(evidence, path, callsFor(plan, value)),
          () => isFollowed(evidence, plan, path),
          () => givenTestsPass(evidence, given, [test]),
        ]),
      good: { files: { [path]: right } },
      bad: [
        { files: { [path]: moduleOf(plan, String(value), sign) } },
        { files: { [path]: right.replace(`= ${value}`, `= ${value + 1}`) } },
      ],
    };
  },
};
