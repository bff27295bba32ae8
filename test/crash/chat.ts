/**
 * A conversation of forty turns, killed at every record boundary: it goes on where it was. The model is
 * a function of the request alone, so the conversation that is killed must end as the one that is not.
 */

import type { Message } from '../../src/schema/model/messages.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { openSession } from '../../src/sessions/open-session.ts';
import {
  LARGE,
  SCRIPTED_MODEL,
  type ScriptedReply,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { type TestMachine, testWorld, WORKSPACE } from '../support/test-machine.ts';
import { watchingRecords } from '../support/written-records.ts';
import type { FaultReport } from './contract.ts';

/** Ten messages of four turns each: a look, a write, a command, an answer. */
const MESSAGES = 10;

const wordOf = (message: number): string => `word${message}`;
const codeOf = (message: number): string => `console.log("${wordOf(message)}")\n`;

function answer({ messages }: ModelRequest): ScriptedReply | string {
  const from = messages.findLastIndex(({ content }) => content.startsWith('message '));
  const n = Number(messages[from]?.content.split(' ')[1]);
  const results = messages.slice(from).filter(({ role }) => role === 'tool').length;
  const file = `f${n}.js`;
  const call = (name: string, args: Record<string, unknown>): ScriptedReply => ({
    text: `${name} next.`,
    calls: [{ name, args }],
  });
  if (results === 0) return call('list_dir', { path: '.' });
  if (results === 1) return call('write_file', { path: file, content: codeOf(n) });
  if (results === 2) return call('run_cmd', { cmd: `node ${file}` });
  return `Answer ${n}.`;
}

/** What every provider wants of a conversation: each call with its result right behind, and no other. */
export function faultsOfConversation(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.toolCallId))
        faults.push(`a result without a call: ${message.toolCallId}`);
      open = open.filter((id) => id !== message.toolCallId);
      continue;
    }
    if (open.length > 0) faults.push(`calls without a result: ${open.join(', ')}`);
    open = message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [];
    if (message.role === 'assistant' && message.content === '' && open.length === 0)
      faults.push('a reply of nothing');
  }
  if (open.length > 0) faults.push(`calls without a result: ${open.join(', ')}`);
  return faults;
}

interface Talked {
  readonly replies: readonly string[];
  readonly faults: readonly string[];
}

/** Talks until all is said, whatever of it was said before. */
async function talk(machine: TestMachine, until: number): Promise<Talked> {
  const faults: string[] = [];
  const provider = scriptedProvider((request) => {
    faults.push(...faultsOfConversation(request.messages));
    return answer(request);
  }, LARGE);
  let written = 0;
  const fs = watchingRecords(machine.fs, () => {
    written += 1;
    if (written > until) {
      machine.kill();
      throw new Error('killed');
    }
  });
  const session = await openSession({
    ...{ workspace: WORKSPACE, provider, model: SCRIPTED_MODEL, name: 'talk' },
    machine: { ...machine, fs },
    allow: ['run_cmd(node *)'],
  });
  await session.goOn();
  for (let n = session.state.chat.messages + 1; n <= MESSAGES; n += 1)
    await session.send(`message ${n}`);
  const replies = session
    .messages()
    .flatMap(({ role, content }) =>
      role === 'assistant' && /^Answer/.test(content) ? [content] : [],
    );
  await session.close();
  return { replies, faults };
}

const NEVER = Number.POSITIVE_INFINITY;
const EXPECTED = Array.from({ length: MESSAGES }, (_, n) => `Answer ${n + 1}.`);

/** Records of the conversation that nobody kills. */
async function recordsOfAll(): Promise<number> {
  const machine = testWorld().machine();
  let written = 0;
  const fs = watchingRecords(machine.fs, () => {
    written += 1;
  });
  await talk({ ...machine, fs }, NEVER);
  return written;
}

/** @param step 1: at every record; n: at every nth */
export async function crashChat(step = 1): Promise<FaultReport[]> {
  const total = await recordsOfAll();
  const violations: string[] = [];
  let cases = 0;
  for (let at = 1; at < total; at += step) {
    cases += 1;
    const world = testWorld();
    const killed = await talk(world.machine(), at).catch(() => null);
    if (killed !== null) violations.push(`${at}: nothing was killed`);
    const { replies, faults } = await talk(world.machine(), NEVER);
    const say = (what: string): number => violations.push(`killed behind record ${at}: ${what}`);
    for (const fault of faults) say(fault);
    if (replies.join() !== EXPECTED.join()) say(`it answered ${replies.join(' ')}`);
    for (let n = 1; n <= MESSAGES; n += 1)
      if (world.read(`f${n}.js`) !== codeOf(n)) say(`f${n}.js is not as it was written`);
    const lines = world.commands.map(({ line }) => line);
    // One that was cut off is unknown to the model, which may not run it again by itself.
    if (new Set(lines).size !== lines.length) say('a command ran twice');
  }
  return [{ kind: 'a conversation killed behind a record', cases, violations }];
}
