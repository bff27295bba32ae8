// `agent setup ollama` with the real client against a fake server, on a terminal and into a file.
import { afterEach, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { setupOllama } from '../../src/host/providers/setup-ollama.ts';
import {
  type FakeOllama,
  type FakeOllamaOptions,
  startFakeOllama,
} from '../support/fake-ollama.ts';
import { fakeEngine, fakeTerminal } from './support.ts';

const MODEL = 'qwen2.5-coder:0.5b';
const SIZE = 400_000_000;

let server: FakeOllama;

afterEach(() => server.close());

async function setup(options: FakeOllamaOptions = {}, isTerminal = false, model = MODEL) {
  server = await startFakeOllama({ library: { [MODEL]: SIZE }, ...options });
  return await run(isTerminal, model);
}

async function run(isTerminal = false, model = MODEL, onPart = (_: () => void): void => undefined) {
  const terminal = fakeTerminal({ isTerminal });
  const engine = fakeEngine({
    parts: {
      setupOllama: (request) =>
        setupOllama(terminal, {
          ...request,
          report: (line) => {
            request.report(line);
            if (line.isReplaced) onPart(() => terminal.send('SIGINT'));
          },
        }),
    },
  });
  const argv = ['setup', 'ollama', '--model', model, '--host', server.url];
  const exitCode = await main(argv, terminal, () => Promise.resolve(engine));
  return { exitCode, stdout: terminal.stdout.text(), stderr: terminal.stderr.text(), terminal };
}

test('into a file each line stands for itself', async () => {
  const { exitCode, stdout, stderr } = await setup();
  expect(exitCode).toBe(0);
  expect(stdout).toBe(`${MODEL} is ready (Ollama at ${server.url}).\n`);
  expect(stderr.split('\n')).toEqual([
    `  ${MODEL}: pulling manifest`,
    `  ${MODEL}: 0 % of 400 MB`,
    `  ${MODEL}: 100 % of 400 MB`,
    `  ${MODEL}: verifying sha256 digest`,
    `  ${MODEL}: writing manifest`,
    `  ${MODEL}: success`,
    `  Next: agent --model ${MODEL} --host ${server.url} "goal"`,
    '',
  ]);
});

test("on a terminal the bytes take each other's place", async () => {
  const { stderr } = await setup({}, true);
  expect(stderr).toContain(
    `\r  ${MODEL}: 0 % of 400 MB\u001b[K\r  ${MODEL}: 100 % of 400 MB\u001b[K\n  ${MODEL}: verifying`,
  );
});

test('Ctrl+C stops it, and the same command goes on', async () => {
  const never = new Promise(() => undefined);
  server = await startFakeOllama({
    library: { [MODEL]: SIZE },
    pullTrouble: (n) => (n === 1 ? { at: SIZE / 2, fate: never } : null),
  });
  const { exitCode, stderr, terminal } = await run(false, MODEL, (interrupt) => interrupt());
  expect(exitCode).toBe(130);
  expect(stderr).toContain(
    `Stopped. To continue, run the same command again: agent setup ollama --model ${MODEL} --host ${server.url}\n`,
  );
  expect(terminal.leftovers()).toBe(0);
  expect((await run()).exitCode).toBe(0);
});

test('a server that is not there, and a model that is not, are said with the next step', async () => {
  const unknown = await setup({}, false, 'no-such-model');
  expect(unknown.exitCode).toBe(7);
  expect(unknown.stderr).toContain("Error: Ollama's library has no model no-such-model.\n  Next: ");
  await server.close();
  const gone = await run();
  expect(gone.exitCode).toBe(7);
  expect(gone.stderr).toContain('Error: Ollama does not answer at');
  expect(gone.stderr).toContain('Next: Start it with `ollama serve`');
});

test('a cut connection is taken up again by itself', async () => {
  const { exitCode, stderr } = await setup({
    pullTrouble: (n) => (n === 1 ? { at: SIZE / 2, fate: 'cut' } : null),
  });
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`The connection to ${server.url} was cut. Continuing in 3 s`);
});
