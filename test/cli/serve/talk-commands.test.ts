import { expect, test } from 'vitest';
import { commandIn } from '../../../src/cli/serve/talk-commands.ts';

test.each(['/constructor', '/nothing', 'text'])('%s is no command', async (line) => {
  const at = { context: { terminal: { clock: {} } }, session: { note: () => {} } } as never;
  await expect(commandIn(at, line, {} as never)).rejects.toMatchObject({ code: 'E_USAGE' });
});
