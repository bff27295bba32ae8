/** An editor: the client side of the protocol's own SDK, which starts the built `agent acp`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import {
  type ClientContext,
  client,
  type McpServer,
  methods,
  ndJsonStream,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { AgentLab, AgentOptions } from './e2e-agent.ts';

export type UpdateOf<Kind extends SessionUpdate['sessionUpdate']> = Extract<
  SessionUpdate,
  { sessionUpdate: Kind }
>;

/** The option that the person chooses; `null`: the question is taken back. */
export type Person = (asked: RequestPermissionRequest) => string | null | Promise<string | null>;

export class Editor {
  readonly updates: SessionUpdate[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  /** Everything on stdout, line by line. */
  readonly lines: string[] = [];
  stderr = '';
  readonly agent: ClientContext;
  readonly #child: ChildProcess;

  constructor(lab: AgentLab, words: readonly string[], options: AgentOptions, person: Person) {
    const child = spawn(process.execPath, [lab.bin, 'acp', ...words], {
      cwd: options.in,
      env: lab.environment(options),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    let left = '';
    child.stdout.on('data', (piece: Buffer) => {
      const lines = (left + piece.toString()).split('\n');
      left = lines.pop() ?? '';
      this.lines.push(...lines);
    });
    child.stderr.on('data', (piece: Buffer) => {
      this.stderr += piece.toString();
    });
    // A process that was killed takes no more.
    child.stdin.on('error', () => {});
    const app = client({ name: 'test' })
      .onRequest(methods.client.session.requestPermission, async ({ params }) => {
        this.asked.push(params);
        const optionId = await person(params);
        return optionId === null
          ? { outcome: { outcome: 'cancelled' } }
          : { outcome: { outcome: 'selected', optionId } };
      })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.updates.push(params.update);
      });
    const output = Writable.toWeb(child.stdin);
    const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
    this.agent = app.connect(ndJsonStream(output, input)).agent;
  }

  async begin(cwd: string, mcpServers: McpServer[] = []): Promise<string> {
    await this.greet();
    return this.session(cwd, mcpServers);
  }

  async session(cwd: string, mcpServers: McpServer[]): Promise<string> {
    const made = await this.agent.request(methods.agent.session.new, { cwd, mcpServers });
    return made.sessionId;
  }

  greet() {
    return this.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: {},
    });
  }

  prompt(sessionId: string, text: string): Promise<PromptResponse> {
    const prompt = [{ type: 'text' as const, text }];
    return this.agent.request(methods.agent.session.prompt, { sessionId, prompt });
  }

  of<Kind extends SessionUpdate['sessionUpdate']>(kind: Kind): UpdateOf<Kind>[] {
    return this.updates.filter((one): one is UpdateOf<Kind> => one.sessionUpdate === kind);
  }

  /** What the agent said, as one text. */
  get said(): string {
    return this.of('agent_message_chunk')
      .map(({ content }) => (content.type === 'text' ? content.text : ''))
      .join('');
  }

  /** The end of stdin; resolves with the exit code. */
  async leave(): Promise<number | null> {
    const gone = this.#gone();
    this.#child.stdin?.end();
    return gone;
  }

  async kill(): Promise<void> {
    const gone = this.#gone();
    this.#child.kill('SIGKILL');
    await gone;
  }

  async #gone(): Promise<number | null> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return exitCode;
    const [code] = await once(this.#child, 'exit');
    return code;
  }
}
