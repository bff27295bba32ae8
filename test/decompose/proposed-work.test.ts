import { expect, it } from 'vitest';
import { faultOfWork } from '../../src/decompose/proposed-work.ts';

it('an output that the proof required does not go without a reason', () => {
  const tasks = [{ description: 'the work', subtasks: [{ do: 'make it right' }] }];
  const before = { cmd: 'node main.js', prints: 'Total: 25' };
  const fault = (proof: object, why?: string) =>
    faultOfWork({ tasks, proof: { cmd: 'node main.js', ...proof }, why }, before);
  expect(fault({})).toBe(
    'The proof was node main.js with the output "Total: 25": say in why it is another one now.',
  );
  expect(fault({ prints: ' ' })).not.toBeNull();
  expect(fault({}, 'the goal does not ask for it')).toBeNull();
  expect(fault({ prints: 'Total: 25', stdin: '5' })).toBeNull();
  const read = { cmd: 'node main.js', stdin: '3' };
  expect(faultOfWork({ tasks, proof: { ...read, stdin: '2' } }, read)).toContain(
    'with the input "3": say in why it is another one now',
  );
});
