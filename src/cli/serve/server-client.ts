/**
 * A conversation with `agent serve` at a terminal, as a standalone script. It begins or resumes a conversation, shows
 * the events, asks for permissions, and reads line after line. Its arguments are LINK and FOLDER.
 */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { type ClientEvent, connect, type SessionHandle } from '../../server/client/client.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: 'string' }, session: { type: 'string' }, token: { type: 'string' } },
});
const [url = '', workspacePath = process.cwd()] = positionals;
const write = (text: string): void => void process.stdout.write(text);

/** Handles each kind of event. @returns true once the work on a message has ended */
export async function handleEvent(
  { event, data }: ClientEvent,
  session: SessionHandle,
  ask: (question: string) => Promise<string>,
): Promise<boolean> {
  switch (event) {
    case 'text_delta':
      write(String(data.text));
      return false;
    case 'tool_call':
      write(`\n· ${data.name} ${JSON.stringify(data.args)}\n`);
      return false;
    case 'tool_result':
      write(`  ${data.ok === true ? 'ok' : data.status}\n`);
      return false;
    case 'approval_required': {
      const answer = await ask(`\nAllow ${data.tool} ${data.target}? (${data.reason}) [y/N] `);
      const isYes = /^y(es)?$/i.test(answer.trim());
      await session.approve(String(data.callId), isYes).catch((error: unknown) => {
        write(`${error instanceof Error ? error.message : error}\n`);
      });
      return false;
    }
    case 'error':
      write(`\nError: ${data.message} ${data.hint}\n`);
      return false;
    case 'completed':
      write('\n');
      return true;
    case 'trace':
      return false;
    default:
      // A later server may send further events.
      return false;
  }
}

async function converse(): Promise<void> {
  const client = await connect({ url, ...(values.token ? { token: values.token } : {}) });
  const options = { workspacePath, ...(values.model ? { model: values.model } : {}) };
  const session =
    values.session === undefined
      ? await client.createSession(options)
      : await client.resumeSession(values.session, options);
  const input = createInterface({ input: process.stdin, output: process.stdout });
  const stop = new AbortController();
  let isWorking = false;
  input.on('SIGINT', () => {
    if (!isWorking) stop.abort();
    isWorking = false;
    void session.cancel().catch(() => {});
  });
  input.on('close', () => stop.abort());
  const { signal } = stop;
  const typed = (question: string) => input.question(question, { signal }).catch(() => '');
  write(`Session ${session.id}. An empty line leaves; the conversation is kept.\n`);
  const events = session.events({ signal });
  for (let line = await typed('> '); line.trim() !== ''; line = await typed('> ')) {
    isWorking = true;
    await session.chat(line);
    for (;;) {
      const { value, done } = await events.next();
      if (done === true || (await handleEvent(value, session, typed))) break;
    }
    isWorking = false;
  }
  stop.abort();
  input.close();
}

if (url === '') {
  process.stderr.write('Give LINK [FOLDER]; the command serve prints a link.\n');
  process.exitCode = 2;
} else {
  converse().catch((error: unknown) => {
    process.stderr.write(`Error: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  });
}
