// node scripts/run.mjs test/support/plain-loop-main.ts BASE_URL MODEL GOAL: the loop in the current folder.
import http from 'node:http';
import { type AskModel, plainLoop } from './plain-loop.ts';

const [base = '', model = '', goal = ''] = process.argv.slice(2);

/** No time limit: a person may be answering. */
const ask: AskModel = ({ messages, tools }) =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({ model, messages, tools, max_completion_tokens: 32_768 });
    const request = http.request(
      `${base}/chat/completions`,
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve(JSON.parse(Buffer.concat(parts).toString()).choices[0].message),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });

const said = await plainLoop(goal, process.cwd(), ask);
console.log(said ?? 'It came to no end.');
process.exitCode = said === null ? 1 : 0;
