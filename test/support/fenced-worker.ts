/**
 * One worker of a run, run as a process of its own on a machine by the name of its first argument: asks its
 * model, which answers once a line comes on stdin, and works on. Arguments: machine, workspace.
 */
import { once } from 'node:events';
import { runGoal } from '../../src/agent.ts';
import { systemMachine } from '../../src/run/machine.ts';
import { diligentModel } from './models.ts';
import { SCRIPTED_MODEL, scriptedProvider } from './scripted-provider.ts';

const [host = '', workspace = ''] = process.argv.slice(2);
const machine = systemMachine({ env: process.env, nodePath: process.execPath });
const identity = { ...machine.identity, host, boot: host };
const say = (word: string): void => void process.stdout.write(`${word}\n`);

async function work(): Promise<void> {
  const script = diligentModel({
    subtasks: [{ action: 'run_cmd', cmd: 'node effect.mjs', purpose: 'has its effect' }],
  });
  const model = scriptedProvider(script);
  const { ending } = await runGoal({
    ...{ goal: 'run effect.mjs', workspace, model: SCRIPTED_MODEL, toolMode: 'native', yes: true },
    forceUnlock: true,
    machine: { ...machine, identity },
    provider: {
      ...model,
      stream: async function* (request, signal) {
        if (model.requests.length === 1) {
          say('asked');
          await once(process.stdin, 'data');
        }
        yield* model.stream(request, signal);
      },
    },
  });
  say(ending);
}

await work().catch((error: { code?: string }) => say(error.code ?? String(error)));
process.stdin.destroy();
