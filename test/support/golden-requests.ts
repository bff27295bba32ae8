/**
 * Scripted whole runs and every request they send, as text that can be read and compared to the
 * byte: what a request has in common with one before it is said by that one's number.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import type { ToolMode } from '../../src/schema/records.ts';
import { type GoldenSetup, type GoldenWorld, goldenWorld } from './golden-world.ts';
import { type RunIn, runIn } from './run-in.ts';
import { LARGE, type Script, scriptedProvider } from './scripted-provider.ts';

export interface GoldenScenario extends GoldenSetup {
  readonly name: string;
  readonly mode: ToolMode | 'auto';
  readonly goal: string;
  /** What lies in the workspace before. */
  readonly files?: { readonly [path: string]: string };
  /** Called once for each play, so that it may count. */
  readonly script: (world: GoldenWorld) => Script;
  /** Tokens. */
  readonly contextWindow?: number;
  /** The first question is a plain try. */
  readonly plainTry?: true;
  /** Texts that some request must hold, so that the scenario shows what it is for. */
  readonly shows: readonly string[];
  readonly ends: string;
}

/** Plays the scenario to its end, started again when its process was killed, as golden text. */
export async function play(scenario: GoldenScenario, works?: RunIn['works']): Promise<string> {
  const { mode, goal, ends, files = {}, contextWindow, plainTry = false } = scenario;
  const world = goldenWorld(scenario);
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  const window = contextWindow === undefined ? {} : { contextWindow };
  const model = mode === 'auto' ? LARGE : window;
  const provider = scriptedProvider(scenario.script(world), model);
  const how = works === undefined ? {} : { works };
  const options: RunIn = { goal, toolMode: mode, maxRounds: 60, plainTry, ...window, ...how };
  const told = await runIn(world, provider, options).catch((error: Error) => {
    if (error.message !== 'the process was killed') throw error;
    return runIn(world, provider, options);
  });
  const ending =
    told.result.ending === 'paused' ? `paused: ${told.result.why}` : endingOf(told.result);
  if (ending !== ends)
    throw new Error(`${scenario.name} ${mode} ended ${ending}: ${told.result.detail}`);
  return goldenText({ goal, mode, ending }, provider.requests);
}

/**
 * Requests are compared here, and programs are only played: whether a proof that passed may be
 * claimed is not asked.
 */
const endingOf = ({ ending, state }: Awaited<ReturnType<typeof runIn>>['result']): string =>
  state.verdict !== null && state.proof?.passed ? 'achieved' : ending;

/** @param head what stands before the requests */
export function goldenText(head: object, requests: readonly ModelRequest[]): string {
  const lines: string[] = [];
  /** Its place in the text; schemas would fill pages if every key stood on a line of its own. */
  const onOneLine = (value: unknown): string => `@${lines.push(JSON.stringify(value)) - 1}@`;
  const told = requests.map((request, index) => {
    const { messages, tools, responseSchema, ...numbers } = request;
    const before = requests.slice(0, index);
    const same = (key: 'tools' | 'responseSchema'): string | null => {
      const place = before.findIndex((one) => isSame(one[key], request[key]));
      return place < 0 ? null : `as in request ${place + 1}`;
    };
    return {
      request: index + 1,
      keys: Object.keys(request).join(' '),
      ...numbers,
      ...(tools ? { tools: same('tools') ?? keptList(tools) ?? tools.map(onOneLine) } : {}),
      ...(responseSchema
        ? { responseSchema: same('responseSchema') ?? onOneLine(responseSchema) }
        : {}),
      messages: messagesAfter(before.at(-1)?.messages ?? [], messages),
    };
  });
  const text = JSON.stringify({ ...head, requests: told }, null, 2);
  return `${text.replace(/"@(\d+)@"/g, (_, place) => lines[Number(place)] ?? '')}\n`;
}

/** Each list of tools that goldens name, by its hash: most runs tell the same one. */
export const TOOL_LISTS = 'test/fixtures/tool-lists';

/** Names the file that holds the list to the byte; `null` where there is none such, or no tools. */
function keptList(tools: NonNullable<ModelRequest['tools']>): string | null {
  if (tools.length === 0) return null;
  const text = `[\n${tools.map((tool) => JSON.stringify(tool)).join(',\n')}\n]\n`;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const file = `${TOOL_LISTS}/${name}.json`;
  if (process.env.UPDATE === '1') {
    mkdirSync(TOOL_LISTS, { recursive: true });
    writeFileSync(file, text);
  }
  return existsSync(file) && readFileSync(file, 'utf8') === text ? `as in ${file}` : null;
}

/** Key by key in the same order, or it is told anew. */
const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) && JSON.stringify(one) === JSON.stringify(other);

function messagesAfter(
  earlier: ModelRequest['messages'],
  messages: ModelRequest['messages'],
): readonly unknown[] {
  let kept = 0;
  while (kept < messages.length && isSame(earlier[kept], messages[kept])) kept += 1;
  const rest = messages.slice(kept).map((message) => ({
    ...message,
    content: message.content.includes('\n') ? message.content.split('\n') : message.content,
  }));
  return kept === 0 ? rest : [`the first ${kept} of the request before`, ...rest];
}
