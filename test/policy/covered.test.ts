/** Open questions that the rules of a person answer. */
import { expect, it } from 'vitest';
import { policyIn } from './support.ts';

const BUILD = ['run_cmd(make build)'];

it.each<[string, readonly string[], readonly string[], readonly string[], object | null]>([
  ['no rule is of it', BUILD, ['run_cmd(make test)'], [], null],
  ['a rule is the same', BUILD, BUILD, [], { allowed: true, rule: BUILD[0] }],
  ['a rule is wider', BUILD, ['run_cmd(make *)'], [], { allowed: true, rule: 'run_cmd(make *)' }],
  ['a rule holds it back', BUILD, BUILD, ['run_cmd(make *)'], { allowed: false }],
  ['only one of two is covered', [...BUILD, 'edit(a.md)'], BUILD, [], null],
  ['each has its rule', [...BUILD, 'edit(a.md)'], [...BUILD, 'edit'], [], { allowed: true }],
  ['every host is', ['web_fetch(a.test)'], ['web_fetch'], [], { allowed: true }],
  ['another host is', ['web_fetch(a.test)'], ['web_fetch(b.test)'], [], null],
  ['reading is, where it edits', ['edit(a.md)'], ['read'], [], null],
  ['nothing is asked', [], BUILD, [], null],
])('where %s', (_, asked, allow, deny, answer) => {
  const said = policyIn({ rules: { user: { allow, deny } } }).rulesCover(asked);
  if (answer === null) expect(said).toBeNull();
  else expect(said).toMatchObject(answer);
});
