/** What a question suggests is what would answer it: every rule that it offers allows the call it was made for. */

import { expect, test } from 'vitest';
import { allowedWith, typedRule } from '../../src/policy/words-of.ts';
import { dice, fc } from '../support/dice.ts';
import { type PolicyPlace, policyIn } from './support.ts';

const PLACES: readonly PolicyPlace[] = [
  {},
  { platform: 'win32' },
  { platform: 'darwin', isSandboxed: true },
  {
    files: {
      init: 'x',
      'a.txt': 'x',
      'package.json': '{"scripts":{"build":"tsc","go":"rm -r dist"}}',
      'sub/a.txt': 'x',
    },
  },
];

const word = fc.oneof(
  fc.constantFrom('init', 'install', 'run', 'build', 'go', '-m', '-C', 'sub', '.', 'a.txt'),
  fc.constantFrom('--', '*', 'a*', "it's", 'a b', 'x:y', '../out', '/etc/hosts', '-q', '$HOME'),
  fc.string({ maxLength: 6 }).filter((text) => !text.includes('\0')),
);
const program = fc.constantFrom(
  ...['git', 'npm', 'npx', 'pip', 'cargo', 'make', 'curl', 'docker', 'rm', 'mv', 'cat', 'tool'],
  ...['./tool', 'sub/tool', 'sh', 'env', 'timeout', 'python', 'node', 'init', 'tar', 'sed'],
);

const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;
const line = fc
  .tuple(program, fc.array(word, { maxLength: 4 }))
  .map(([name, args]) => [name, ...args.map(quoted)].join(' '));
const folder = fc.constantFrom(undefined, 'sub');

test('every rule that a question about a command suggests allows that command', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PLACES), line, folder, (place, cmd, at) => {
      const said = policyIn(place).judgeLine(cmd, at);
      if (said.kind !== 'ask') return;
      const rules = said.wants.flatMap(({ rule }) => rule ?? []);
      if (rules.length < said.wants.length || rules.length === 0) return;
      for (const allow of [rules, rules.map(typedRule)]) {
        const after = policyIn({ ...place, rules: { user: { allow } } }).judgeLine(cmd, at);
        expect([cmd, allow, after.kind]).toEqual([cmd, allow, 'allow']);
      }
    }),
    { numRuns: dice(40, 5000) },
  );
});

test.each([
  ['git commit -m x', 'run_cmd(git commit *)'],
  ['npm install zod', 'run_cmd(npm install *)'],
  ['ssh prod uptime', 'run_cmd(ssh prod uptime)'],
  ['curl localhost', 'run_cmd(curl localhost)'],
  ['git config user.name x', 'run_cmd(git config user.name x)'],
  ['git checkout main', 'run_cmd(git checkout main)'],
  ['tool prod', 'run_cmd(tool prod)'],
])('a question about %s offers no more than a verb, or its exact words', (cmd, rule) => {
  const said = policyIn({}).judgeLine(cmd);
  expect(said.kind === 'ask' && said.wants.map((want) => want.rule)).toEqual([rule]);
});

test.each([
  ['win32', `run_cmd('.\\bin\\tool' "it's")`, `--allow "'.\\bin\\tool' \\"it's\\""`],
  ['win32', 'run_cmd(cmd /c dir)', '--allow "cmd /c dir"'],
  ['linux', `run_cmd(echo "it's" '$HOME')`, `--allow 'echo "it'\\''s" '\\''$HOME'\\'''`],
  ['linux', "run_cmd('a b')", `--allow 'run_cmd('\\''a b'\\'')'`],
  ['linux', 'run_cmd(git commit *)', "--allow 'git commit *'"],
] as const)('on %s the shell hands over the rule %s as it is', (platform, rule, typed) => {
  expect(allowedWith([rule], platform)).toBe(`The user can allow it with ${typed}.`);
});
