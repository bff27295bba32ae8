/**
 * Records the turns the demo plays back, by a real model in this process's engine:
 * `node scripts/run.mjs scripts/record-demo.ts MODEL.gguf [javascript|python]`. Needs
 * `agent setup embedded`. Run it again after a change to the prompts.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, homedir, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { runGoal } from '../src/agent.ts';
import { type DemoGoal, JAVASCRIPT_GOAL, PYTHON_GOAL } from '../src/cli/demo/goals.ts';
import { systemClock } from '../src/lib/clock.ts';
import { nodeFileSystem } from '../src/lib/files/file-system.ts';
import { embeddedProvider } from '../src/llm/embedded/embedded-provider.ts';
import { userDataFolder } from '../src/llm/embedded/installed.ts';
import type { RecordedTurn } from '../src/llm/recorded/recording.ts';
import { recordingProvider } from '../src/llm/recorded/recording-provider.ts';
import { systemMachine } from '../src/run/machine.ts';
import { recordingOf } from '../test/support/recording-of.ts';

const [file, only] = process.argv.slice(2);
if (!file) throw new Error('Name a GGUF file.');
const modelFile = resolve(file);
const env = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);

async function record(demo: DemoGoal, match: RecordedTurn['match']): Promise<void> {
  const turns: RecordedTurn[] = [];
  const engine = embeddedProvider({
    modelFile,
    dataFolder: userDataFolder(env, process.platform, homedir()),
    threads: availableParallelism(),
    gpu: false,
    fs: nodeFileSystem,
    clock: systemClock,
    program: {
      nodeExecutable: process.execPath,
      script: resolve('dist/embedded-child.js'),
      cwd: tmpdir(),
      env,
    },
  });
  const provider = recordingProvider(
    engine,
    (turn) => turns.push(turn),
    () => match,
  );
  const workspace = mkdtempSync(join(tmpdir(), 'tardigrade-record-'));
  const signal = new AbortController().signal;
  const info = { ...(await engine.describe(modelFile, signal)), model: basename(modelFile) };
  const result = await runGoal({
    goal: demo.goal,
    plainTry: false,
    workspace,
    provider,
    model: modelFile,
    emit: (event) => {
      if (event.type === 'record') console.error(`${event.record.seq} ${event.record.type}`);
    },
    signal,
    machine: systemMachine({ env: process.env, nodePath: process.execPath }),
  });
  await engine.close();
  rmSync(workspace, { recursive: true, force: true });
  if (result.ending !== 'achieved')
    throw new Error(`The run ended ${result.ending}: ${result.detail}`);
  const text = JSON.stringify(recordingOf('recorded', info, turns), null, 2);
  const folder = 'src/cli/demo';
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, demo.recording), `${text}\n`);
  console.error(`${demo.recording}: ${turns.length} turns`);
}

if (only !== 'python') await record(JAVASCRIPT_GOAL, 'exact');
// What Python is called, and whether pytest is there, differs from machine to machine.
if (only !== 'javascript') await record(PYTHON_GOAL, 'shape');
