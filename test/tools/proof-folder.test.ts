/** A proof that names a folder would be another command at the workspace folder. */
import { expect, test } from 'vitest';
import { setPlanTool } from '../../src/tools/builtin/set-plan.ts';
import { validateCall } from '../../src/tools/calls/validate-call.ts';

const tasks = [{ description: 'add', subtasks: [{ do: 'add it' }] }];
const read = (proof: object, isParallel = false) =>
  validateCall({ id: 'c', name: 'set_plan', args: { tasks, proof } }, [setPlanTool(isParallel)]);

test.each([
  [{ cmd: 'npm test', cwd: 'packages/a' }, 'npm --prefix packages/a test'],
  [{ cmd: 'go test ./...', cwd: './mod/' }, 'go test -C mod ./...'],
  [{ cmd: 'python3 -m pytest -q tests', workdir: 'services/a' }, 'python3 -m pytest services/a'],
])('the folder of a proof is not dropped: %j is to be spelled %s', (proof, example) => {
  for (const isParallel of [false, true]) {
    const { kind, message } = read(proof, isParallel) as { kind: string; message: string };
    expect(kind).toBe('invalid');
    expect(message).toContain(`in its cmd (as in ${example}). `);
    expect(message).toMatch(
      /^proof: it has no (?:cwd|workdir) and starts in the workspace folder\./,
    );
  }
});

test('of a command that nobody knows it only says that the folder is to be named', () => {
  const { message } = read({ cmd: './check', cwd: '../other' }) as { message: string };
  expect(message).toContain('name ../other in its cmd. The arguments are set_plan');
});

test('the workspace folder itself may be named, and other unknown words are dropped', () => {
  for (const cwd of ['', '.', './'])
    expect(read({ cmd: 'npm test', cwd, says: 'x' })).toMatchObject({
      ...{ kind: 'valid', args: { proof: { cmd: 'npm test' } } },
    });
});
