import { expect, test } from 'vitest';
import { runTalkCommand } from '../../../src/cli/serve/talk-commands.ts';

test.each(['/constructor', '/nothing', 'text'])('%s is no command', async (line) => {
  const at = { context: { terminal: { clock: {} } }, session: { note: () => {} } } as never;
  await expect(runTalkCommand(at, line, {} as never)).rejects.toMatchObject({ code: 'E_USAGE' });
});
