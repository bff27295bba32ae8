// node many-clients.ts URL TOKEN COUNT PIECES: follows a stream so often, in a process of its own. Prints `connected` once every
// client has an answer, then what of the pieces came, and when.
import { get } from 'node:http';

const [url = '', token = '', count = '1', pieces = '1'] = process.argv.slice(2);
const delays: number[] = [];
let events = 0;
let connected = 0;
let ended = 0;

function follow(): void {
  const headers = { Authorization: `Bearer ${token}` };
  get(url, { headers, agent: false }, (response) => {
    connected += 1;
    if (connected === Number(count)) process.stdout.write('connected\n');
    let heard = 0;
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      const now = Date.now();
      const frames = (rest + text).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames.filter((one) => one.includes('"text_delta"'))) {
        const sent = [...frame.matchAll(/\b(\d{13}) /g)].map(([, at]) => Number(at));
        heard += sent.length;
        // What came before it listened is one piece.
        const [at = now] = sent;
        if (sent.length === 1) delays.push(now - at);
      }
      if (heard < Number(pieces)) return;
      events += Math.min(heard, Number(pieces));
      response.destroy();
      ended += 1;
      if (ended === Number(count)) report();
    });
  });
}

function report(): void {
  delays.sort((one, other) => one - other);
  const p99 = delays[Math.floor(delays.length * 0.99)];
  const median = delays[Math.floor(delays.length / 2)];
  process.stdout.write(`${JSON.stringify({ events, p99, median })}\n`);
  process.exit();
}

for (let at = 0; at < Number(count); at += 1) follow();
