// node scripts/run.mjs scripts/store-plays.ts RUNS: what a model was asked and answered by hand, as
// GOAL-free and GOAL-loop with NNN.request.json, NNN.answer.json and said.txt, judged where it was played
// (GOAL-free/folder) and stored in test/fixtures/strong/recordings.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { STRONG_ORACLES } from '../test/support/strong-oracles.ts';
import {
  type Answer,
  costOf,
  LED_BY,
  type RecordedTurn,
  requestsOf,
  STRONG,
  STRONG_GOALS,
  type StrongRecording,
  strongText,
  type WireRequest,
} from '../test/support/strong-recordings.ts';

const [runs = ''] = process.argv.slice(2);
mkdirSync(join(STRONG, 'recordings'), { recursive: true });
for (const { name } of STRONG_GOALS)
  for (const ledBy of LED_BY) {
    const from = join(runs, `${name}-${ledBy}`);
    if (existsSync(join(from, 'said.txt'))) await store(name, ledBy, from);
  }

async function store(name: string, ledBy: string, from: string): Promise<void> {
  const folder = realpathSync(join(from, 'folder'));
  const recording = read(from, folder);
  writeFileSync(join(STRONG, 'recordings', `${name}-${ledBy}.jsonl`), strongText(recording));
  const wrong = await STRONG_ORACLES[name]?.(folder, readFileSync(join(from, 'said.txt'), 'utf8'));
  const { turns, tokens } = costOf(requestsOf(recording));
  console.log(
    `${name} ${ledBy}: ${turns} turns, ${tokens} tokens, ${wrong?.join('; ') || 'right'}`,
  );
}

/** No path of this machine is kept. */
function read(from: string, folder: string): StrongRecording {
  const json = <Value>(file: string): Value =>
    JSON.parse(readFileSync(join(from, file), 'utf8').replaceAll(folder, '/workspace'));
  const numbers = readdirSync(from).flatMap(
    (file) => /^(\d+)\.answer\.json$/.exec(file)?.[1] ?? [],
  );
  let before: readonly object[] = [];
  let tools: readonly object[] = [];
  const turns = numbers.sort().map((number): RecordedTurn => {
    const request = json<WireRequest>(`${number}.request.json`);
    const { text = '', calls = [] } = json<Partial<Answer>>(`${number}.answer.json`);
    const kept = sameStart(before, request.messages);
    before = request.messages;
    tools = request.tools ?? [];
    return { kept, sent: request.messages.slice(kept), answer: { text, calls } };
  });
  return { tools, turns };
}

function sameStart(one: readonly object[], other: readonly object[]): number {
  const at = one.findIndex(
    (message, place) => JSON.stringify(message) !== JSON.stringify(other[place]),
  );
  return at < 0 ? one.length : at;
}
