import { expect, test } from 'vitest';
import type { RunPorts } from '../../../src/round/run-ports.ts';
import { holding } from '../../../src/run/start/equip.ts';
import { testWorld } from '../../support/test-machine.ts';

test('a full disk while programs in the background end leaves nothing else running or open', async () => {
  const did: string[] = [];
  const background = { close: () => Promise.reject(new Error('no space left')) };
  const processes = { endDaemons: async () => void did.push('daemons') };
  const opened = {
    isOurs: () => true,
    context: {
      ...{ journal: { watch: { reason: () => null }, isDurable: true }, state: { intents: {} } },
      sync: () => {},
    },
    close: () => void did.push('closed'),
  };
  const request = { machine: testWorld().machine(), signal: new AbortController().signal };
  const held = holding(opened, request, async ({ held, close }) => {
    held.run = { background, toolContext: { processes } } as unknown as RunPorts;
    await close();
  });
  await expect(held).rejects.toThrow('no space left');
  expect(did).toEqual(['daemons', 'closed']);
});
