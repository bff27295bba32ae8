/**
 * A plain tool loop, to measure against: six tools, the same jail, policy and cut of results as a run,
 * no plan, no proof, no gates, no journal. It ends when the model answers without a call.
 */

import { treeText } from '../../src/drivers/free/tree.ts';
import {
  commandDescriptionsFor,
  takeBuilds,
} from '../../src/languages/commands/allowed-commands.ts';
import type { BuildTexts } from '../../src/languages/commands/command-rule.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import { policyOf } from '../../src/policy/policy.ts';
import { readLayers } from '../../src/policy/read-layers.ts';
import { startOf } from '../../src/policy/start.ts';
import { worldOf } from '../../src/round/files/world.ts';
import { thisMachine } from '../../src/run/machine.ts';
import { TRAITS } from '../../src/schema/driver.ts';
import { type ExecuteDeps, executeCall } from '../../src/tools/execute.ts';
import { builtinTools, ruleWords, toolDefinitions } from '../../src/tools/registry.ts';
import { programHints } from '../../src/tools/toolset.ts';

const OFFERED = ['list_dir', 'read_file', 'search_text', 'write_file', 'edit_file', 'run_cmd'];
/** Of the model that both are played with, as a run takes it. */
const WINDOW = 131_072;
const MAX_TURNS = 60;

const SYSTEM = `You are a coding agent in one folder. Paths are relative to it; run_cmd runs one program without a shell.
Several calls may stand in one reply, and are carried out in order. When the goal is reached, answer with a text for the person: what was wrong, what changed, what else you saw; and where the goal asks for information, the answer. If nothing you can do here reaches the goal, say so, and what is needed.`;

export interface LoopCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

interface Reply {
  readonly content: string | null;
  readonly tool_calls?: readonly LoopCall[];
}

/** Sends one request in OpenAI's language and returns the message that came back. */
export type AskModel = (request: {
  readonly messages: readonly object[];
  readonly tools: readonly object[];
}) => Promise<Reply>;

/** @returns the text it ended with; `null`: it came to no end */
export async function plainLoop(
  goal: string,
  workspace: string,
  ask: AskModel,
): Promise<string | null> {
  const run = callsIn(workspace, goal);
  const files = worldOf(run.fs, workspace).files;
  const messages: object[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: `GOAL: ${goal}\n${treeText(goal, files, WINDOW)}` },
  ];
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const { content, tool_calls: calls = [] } = await ask({ messages, tools: run.tools });
    messages.push({
      role: 'assistant',
      content,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    });
    if (calls.length === 0) return content ?? '';
    for (const call of calls)
      messages.push({ role: 'tool', tool_call_id: call.id, content: await run.carryOut(call) });
  }
  return null;
}

function callsIn(workspace: string, goal: string) {
  const machine = thisMachine();
  const { fs, clock } = machine;
  const written = new Set<string>();
  const known = new Map<string, string | null>();
  const processes = machine.processes(workspace, []);
  const tools = builtinTools({ programs: processes.programs, startOf }).filter(({ name }) =>
    OFFERED.includes(name),
  );
  const world = worldOf(fs, workspace);
  const reading = { words: ruleWords(), platform: fs.platform };
  const { decide } = policyOf({
    ...{ fs, workspace, reading, home: machine.home ?? null },
    layers: readLayers({}, reading),
    programHints: programHints(tools),
    commandDescriptions: commandDescriptionsFor(goal),
    builds: buildsAt(world, written),
  });
  const { most, perToken } = TRAITS.free.results;
  const deps: ExecuteDeps = {
    tools,
    context: {
      ...{ workspace, fs, processes },
      lastKnownHash: (path) => known.get(path),
      originalOf: () => null,
      storeBlob: sha256,
      maxResultChars: Math.round(Math.min(most, WINDOW * perToken)),
    },
    log: { intended: () => {}, started: () => {}, finished: () => {}, barrier: () => {} },
    ...{ clock, decide, watch: null, signal: new AbortController().signal },
    onOutput: () => {},
    blocked: null,
    resultHash: sha256,
  };
  const definitions = toolDefinitions(tools);
  return {
    fs,
    tools: definitions.map((one) => ({ type: 'function', function: one })),
    carryOut: async ({ id, function: { name, arguments: text } }: LoopCall): Promise<string> => {
      const args = argsIn(text);
      if (args === null) return 'The arguments are no JSON object.';
      const { content, hashes, status } = await executeCall({ id, name, args }, id, deps);
      for (const [path, hash] of Object.entries(hashes)) {
        known.set(path, hash);
        if (status === 'ok' && name !== 'read_file') written.add(path);
      }
      return content;
    },
  };
}

function buildsAt({ readText }: ReturnType<typeof worldOf>, written: ReadonlySet<string>) {
  const taken: BuildTexts = takeBuilds({ readText });
  return {
    taken,
    now: () => takeBuilds({ readText }),
    hasChanged: (is: (path: string) => boolean) => [...written].some(is),
  };
}

function argsIn(text: string): Record<string, unknown> | null {
  try {
    const args: unknown = JSON.parse(text);
    return typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
