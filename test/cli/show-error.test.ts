import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { explainError, shownErrorText } from '../../src/cli/show-error.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import { fakeEngine, fakeTerminal } from './support.ts';

const systemError = (code: string) =>
  Object.assign(new Error(`${code}: something, open 'x'`), { code, syscall: 'open' });

test.each([
  ['EMFILE', 8],
  ['ENFILE', 8],
  ['ENOMEM', 8],
  ['ENOSPC', 8],
  ['EDQUOT', 8],
  ['EFBIG', 8],
  ['EIO', 8],
  ['EBUSY', 8],
  ['EACCES', 2],
  ['EPERM', 2],
  ['EROFS', 2],
  ['ENOTDIR', 2],
  ['ELOOP', 2],
  ['ENAMETOOLONG', 2],
])('%s of the system is told with a next step, and is no bug', (code, exitCode) => {
  const error = systemError(code);
  const shown = explainError(error, 'agent');
  expect(shown).toMatchObject({ exitCode, isInternal: false });
  expect(shownErrorText(shown, error, false, 'agent')).toMatch(/^Error: .*\n {2}Next: .+\n$/);
});

test('what the system says of our own mistakes stays one', () => {
  expect(explainError(systemError('EBADF'), 'agent')).toMatchObject({
    exitCode: 1,
    isInternal: true,
  });
});

test('where the state is not in its place the way back is the next step alone', async () => {
  const terminal = fakeTerminal({ isTerminal: false });
  const parts = {
    openModel: () => {
      throw new TardigradeError('E_STATE_GONE', 'It was taken away.', 'Move it back.');
    },
  };
  const exitCode = await main(['a goal', '--model', 'ollama:m', '--json'], terminal, async () =>
    fakeEngine({ parts }),
  );
  expect(exitCode).toBe(8);
  expect(terminal.stderr.text()).toBe('Error: It was taken away.\n  Next: Move it back.\n');
  expect(JSON.parse(terminal.stdout.text())).toMatchObject({
    exitCode: 8,
    resume: null,
    error: { code: 'E_STATE_GONE' },
  });
});
