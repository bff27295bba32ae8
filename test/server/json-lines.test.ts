/** What a caller writes that is no message. */
import { expect, test } from 'vitest';
import { messageLines } from '../../src/server/json-lines.ts';

const MAX = 100;
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** @param pieces as they arrive */
async function heard(...pieces: readonly string[]) {
  const answers: unknown[] = [];
  const lines: string[] = [];
  const input = (async function* () {
    for (const piece of pieces) yield Buffer.from(piece);
  })();
  const rules = {
    mostBytes: MAX,
    isMessage: (value: unknown) => JSON.stringify(value) === PING,
    answer: (line: string) => answers.push(JSON.parse(line)),
  };
  for await (const line of messageLines(input, rules)) lines.push(line.toString());
  return { lines, answers };
}

test('messages pass as they were written, however they arrive', async () => {
  const said = [`${PING}\n`, `${PING}\r\n`, `${PING}\n`];
  for (const pieces of [said, [said.join('')], [...said.join('')]])
    expect(await heard(...pieces)).toEqual({ lines: said, answers: [] });
});

test.each([
  ['{"jsonrpc":"2.0","id":5,', null, -32_700],
  ['hello', null, -32_700],
  ['{"jsonrpc":"2.0","id":6,"method":"x","params":5}', 6, -32_602],
  ['{"jsonrpc":"2.0","id":"a","method":"x","params":"b"}', 'a', -32_602],
  ['{"jsonrpc":"2.0","id":8}', 8, -32_600],
  ['{"jsonrpc":"2.0","id":8,"method":9}', 8, -32_600],
  ['{"jsonrpc":"2.0","id":null,"method":"x"}', null, -32_600],
  ['{"jsonrpc":"2.0","id":{},"method":"x"}', null, -32_600],
  ['{"id":10,"method":"x"}', 10, -32_600],
  [`[${PING}]`, null, -32_600],
  ['7', null, -32_600],
  ['null', null, -32_600],
  [`"${'y'.repeat(MAX)}"`, null, -32_600],
])('%s is answered, and what follows is heard', async (line, id, code) => {
  const { lines, answers } = await heard(`${line}\n${PING}\n`);
  expect(lines).toEqual([`${PING}\n`]);
  expect(answers).toEqual([
    { jsonrpc: '2.0', id, error: { code, message: expect.stringMatching(/^[A-Z].*\.$/) } },
  ]);
});

test.each([
  ['nothing', ''],
  ['blanks', ' \r'],
  ['a notification', '{"jsonrpc":"2.0","method":"x","params":5}'],
  ['a response', '{"jsonrpc":"2.0","id":8,"result":5}'],
])('nobody waits for an answer to %s', async (_what, line) => {
  expect(await heard(`${line}\n${PING}\n`)).toEqual({ lines: [`${PING}\n`], answers: [] });
});

test('a line that never ends is answered once, and not kept', async () => {
  const piece = 'z'.repeat(MAX);
  expect((await heard(piece, piece, piece)).answers).toHaveLength(1);
  const { lines, answers } = await heard(PING, piece, piece, `${PING}\n${PING}\n`);
  expect(lines).toEqual([`${PING}\n`]);
  expect(answers).toHaveLength(1);
  expect(answers).toMatchObject([{ error: { message: 'A message has at most 100 bytes.' } }]);
});
