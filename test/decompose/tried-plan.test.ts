/** The plan of an answer that is whole files. */
import { expect, it } from 'vitest';
import { planOfFiles } from '../../src/decompose/tried-plan.ts';
import { planContext } from '../support/plan-context.ts';

const GREET = { path: 'greet.py', text: 'print("hello")\n' };

it.each([
  { argv: ['python', 'greet.py', 'Ada'], cmd: 'python greet.py Ada' },
  { argv: ['greet.py', 'Ada'], cmd: 'python greet.py Ada' },
  { argv: ['python', 'other.py'], cmd: 'python greet.py' },
  { argv: ['git', 'status'], cmd: 'python greet.py' },
  { argv: ['python', 'greet.py', 'Ada L'], cmd: 'python greet.py' },
])(
  'is proved by the call of the goal that runs one of its files, else by a run: $argv',
  ({ argv, cmd }) => {
    const example = { quote: argv.join(' '), input: { how: 'argv' as const, argv } };
    const plan = planOfFiles([GREET], planContext('Write greet.py'), {
      ...{ kind: 'work', examples: [example], keep: [], removes: [] },
    });
    expect(plan?.proof).toEqual({ cmd });
  },
);
