/** Who gave an answer and where, in the same words on a screen, the page and over the server. */
import { expect, test } from 'vitest';
import type { RecordOf } from '../../src/schema/records.ts';
import { answerWords } from '../../src/shown/answers.ts';

test('an answer is said with who gave it and where, and without ids', () => {
  const answer = (more: object) =>
    answerWords({
      type: 'approval_given',
      id: 'x',
      allowed: true,
      why: '',
      ...more,
    } as unknown as RecordOf<'approval_given'>);
  const person = { by: 'person', why: 'a person said yes' };
  expect([
    answer({ ...person, door: 'page', scope: 'call' }),
    answer({ ...person, door: 'attach', id: 'rule', scope: 'here', rule: 'run_cmd(npm *)' }),
    answer({ ...person, door: 'editor', allowed: false, why: 'not now' }),
    answer({ by: 'rule', why: 'edit(src/**)' }),
    answer({ door: 'window' }),
  ]).toEqual([
    'allowed once through the server',
    'allowed always in this folder from another terminal: run_cmd(npm *)',
    'refused in an editor (not now)',
    'allowed once by a rule (edit(src/**))',
    'allowed once through window',
  ]);
});
