/** The conversation behind an editor's session, whose model's server may go away and come back. */
import { expect, test } from 'vitest';
import type { EditorPlace } from '../../src/server/acp/contract.ts';
import { EditorTalk } from '../../src/server/acp/editor-talk.ts';
import type { OpenTalk } from '../../src/server/sessions/talk-port.ts';

function opened() {
  const log: string[] = [];
  const server = { isThere: true };
  const place = {
    servers: async () => ({ entries: {}, leftOut: [], waiting: 0 }),
    modelOf: () => '',
    talk: {
      open: async ({ session, model = 'usual' }: { session: string | null; model?: string }) => {
        if (!server.isThere || model === 'none') throw new Error(`No ${model} is there.`);
        log.push(`${model} opens`);
        return {
          ...{ model, session: { id: session ?? 's', state: { settings: null } } },
          close: async () => void log.push(`${model} closes`),
        } as unknown as OpenTalk;
      },
    },
  } as unknown as EditorPlace;
  const talk = new EditorTalk({
    ...{ place, at: { workspace: '/w', named: [] } },
    ...{ ask: async () => 'none' as const, observe: () => {}, pause: () => false },
  });
  const ready = () => talk.getReady(async () => 'none', new AbortController().signal);
  return { talk, server, log, ready };
}

test('goes on with its former model where the chosen one cannot be opened', async () => {
  const { talk, log, ready } = opened();
  await talk.open(null);
  await expect(talk.change({ model: 'none' })).rejects.toThrow('No none is there.');
  await ready();
  expect(log).toEqual(['usual opens', 'usual closes', 'usual opens']);
});

test('opens again at the next prompt where no model could be opened', async () => {
  const { talk, server, log, ready } = opened();
  await talk.open(null);
  server.isThere = false;
  await expect(talk.change({ model: 'other' })).rejects.toThrow('No other is there.');
  await expect(ready()).rejects.toThrow('No usual is there.');
  server.isThere = true;
  await ready();
  await ready();
  expect(log).toEqual(['usual opens', 'usual closes', 'usual opens']);
  await talk.close();
});
