import { expect, it } from 'vitest';
import { takeTurn } from '../../../src/llm/turn/take-turn.ts';
import { saying } from '../../support/fake-openai-bodies.ts';
import { ManualClock, requestOf } from '../support.ts';
import { answering } from './support.ts';

const MINUTE = 60_000;

/** Time passes before the headers, then between them and the first word. */
async function askSlowServer(headersMs: number, firstWordMs: number, patience = {}) {
  const [headers, firstWord] = [gate(), gate()];
  const { provider, server } = await answering({
    stream: [':\n\n', saying('late')],
    beforeHeaders: headers.opened,
    beforeBody: firstWord.opened,
  });
  const clock = new ManualClock();
  const asked = takeTurn(provider, requestOf(), {
    signal: new AbortController().signal,
    clock,
    deadlines: patience,
  });
  await server.whenChat(1);
  clock.advance(headersMs);
  headers.open();
  clock.advance(firstWordMs);
  firstWord.open();
  return await asked;
}

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

it.each([
  ['headers after 400 s', 400_000, 0],
  ['a first word 20 minutes behind the headers', 0, 20 * MINUTE],
  ['headers after 400 s, and a first word 20 minutes behind them', 400_000, 20 * MINUTE],
])('%s: in time by default', async (_, headersMs, firstWordMs) => {
  const { status, message } = await askSlowServer(headersMs, firstWordMs);
  expect({ status, content: message.content }).toEqual({
    status: { kind: 'success' },
    content: 'late',
  });
});

it('both waits count together towards the time until the first word', async () => {
  const patience = { firstEventMs: 26 * MINUTE, idleMs: MINUTE };
  const { status, detail } = await askSlowServer(400_000, 20 * MINUTE, patience);
  expect(status).toEqual({ kind: 'timeout' });
  expect(detail).toContain('has said nothing for 1560 s');
});
