// The fake Ollama as a process of its own, an outside witness of what was asked:
//   node scripts/run.mjs test/support/fake-ollama-main.ts --port N --script FILE.json --log FILE
// The log gets one line for each model call, on disk before the call is answered:
//   {"n":1,"turn":0,"name":"plan","sha256":"…","body":"…the raw request…"}
import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type FakeOllamaOptions, startFakeOllama } from './fake-ollama.ts';
import { FakeScript, modelsOf, scriptedReplies } from './fake-ollama-script.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    script: { type: 'string' },
    log: { type: 'string' },
  },
});

const script = values.script
  ? FakeScript.parse(JSON.parse(readFileSync(values.script, 'utf8')))
  : FakeScript.parse({ turns: [{ reply: { content: 'ok' } }] });

const log = values.log === undefined ? null : openSync(values.log, 'a');
const models = modelsOf(script);

let usedTurn = -1;
const reply = scriptedReplies(script.turns as Parameters<typeof scriptedReplies>[0], (turn) => {
  usedTurn = turn;
});

const options: FakeOllamaOptions = {
  port: Number(values.port),
  ...(models ? { models } : {}),
  ...(script.enforceWindow === undefined ? {} : { enforceWindow: script.enforceWindow }),
  ...(script.loadedWindow === undefined ? {} : { loadedWindow: script.loadedWindow }),
  script: (request, n, rawBody) => {
    const answer = reply(request, n);
    if (log !== null) {
      const sha256 = createHash('sha256').update(rawBody).digest('hex');
      const name = script.turns[usedTurn]?.name;
      writeSync(log, `${JSON.stringify({ n, turn: usedTurn, name, sha256, body: rawBody })}\n`);
      fdatasyncSync(log);
    }
    return answer;
  },
};

const server = await startFakeOllama(options);
process.stdout.write(`listening on ${server.url}\n`);
const stop = (): void => {
  void server.close().then(() => {
    if (log !== null) closeSync(log);
    process.exit(0);
  });
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
