/**
 * Keeps the log of a run or a conversation: an entry for each request and answer, of the model and of tools, the same
 * in full (`TRC`), errors, and the cost of each.
 */
import type { AccountingEntry, LogEntry } from '../../schema/events/log-entry.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';
import { remoteOf } from '../../shown/calls.ts';
import type { AnsweredTurn, LoggedRequest, LogSink, Returned, WarnedOf } from './sink.ts';
import { loggedCall, loggedError, loggedResult, requestText, responseText } from './words.ts';

export interface LogBookDeps {
  /** Milliseconds since 1970. */
  now(): number;
  onLog?(entry: LogEntry): void;
  onAccounting?(entry: AccountingEntry): void;
  /** Full entries take time to make, so they are left out if nobody reads them. */
  readonly traces: { readonly llm: boolean; readonly mcp: boolean };
}

type LogEntryHeader = Pick<LogEntry, 'subturn' | 'direction' | 'type' | 'remoteIdentifier'>;

interface OpenCall {
  readonly call: ToolCall;
  readonly subturn: number;
  readonly at: number;
}

export class LogBook implements LogSink {
  readonly #deps: LogBookDeps;
  readonly #calls = new Map<string, OpenCall>();
  #turn = 0;
  #subturns = 0;
  #asked: { readonly by: LoggedRequest; readonly at: number } | null = null;

  constructor(deps: LogBookDeps) {
    this.#deps = deps;
  }

  modelRequest(by: LoggedRequest): void {
    const at = this.#deps.now();
    this.#asked = { by, at };
    this.#turn = by.turn;
    this.#subturns = 0;
    const place = this.#ofModel('request');
    this.#log('VRB', place, requestText(by), at);
    if (this.#deps.traces.llm)
      this.#log('TRC', place, `request: ${JSON.stringify(by.request)}`, at);
  }

  answered(answered: AnsweredTurn): void {
    const at = this.#deps.now();
    const latencyMs = at - (this.#asked?.at ?? at);
    const place = this.#ofModel('response');
    const { status, detail, reply, usage, costUsd } = answered;
    const isOk = status.kind === 'success';
    if (isOk) this.#log('VRB', place, responseText(answered, latencyMs), at);
    else this.#log('WRN', place, loggedError(status.kind, detail, false), at);
    if (this.#deps.traces.llm) this.#log('TRC', place, `response: ${JSON.stringify(reply)}`, at);
    const { input, output, thinking, cacheRead, cacheWrite } = usage;
    const { provider = '', model = '' } = this.#asked?.by ?? {};
    this.#deps.onAccounting?.({
      type: 'llm',
      timestamp: at,
      status: isOk ? 'ok' : 'failed',
      latencyMs,
      provider,
      model,
      tokens: { input, output, thinking, cacheRead, cacheWrite },
      costUsd,
      ...(isOk ? {} : { error: loggedError(status.kind, detail, false) }),
    });
  }

  called(call: ToolCall): void {
    const at = this.#deps.now();
    this.#subturns += 1;
    const open = { call, subturn: this.#subturns, at };
    this.#calls.set(call.id, open);
    const place = ofTool(open, 'request');
    this.#log('VRB', place, loggedCall({ ...call, name: remoteOf(call.name).tool }), at);
    if (this.#deps.traces.mcp) this.#log('TRC', place, `params: ${JSON.stringify(call.args)}`, at);
  }

  returned({ id, isOk, result }: Returned): void {
    const open = this.#calls.get(id);
    if (open === undefined) return;
    this.#calls.delete(id);
    const at = this.#deps.now();
    const latencyMs = at - open.at;
    const place = ofTool(open, 'response');
    this.#log('VRB', place, loggedResult(result, latencyMs), at);
    if (this.#deps.traces.mcp) this.#log('TRC', place, `result: ${JSON.stringify(result)}`, at);
    this.#deps.onAccounting?.({
      type: 'tool',
      timestamp: at,
      status: isOk ? 'ok' : 'failed',
      latencyMs,
      ...remoteOf(open.call.name),
      charactersIn: JSON.stringify(open.call.args).length,
      charactersOut: result.length,
      ...(isOk ? {} : { error: result.split('\n', 1)[0] ?? '' }),
    });
  }

  warned(text: string, of?: WarnedOf): void {
    const place = of && 'server' in of ? ofServer(of.server) : this.#ofModel('response', of);
    this.#log('WRN', place, text, this.#deps.now());
  }

  failed(
    kind: TurnStatus['kind'] | 'error',
    text: string,
    of?: { readonly provider: string; readonly model: string },
  ): void {
    const place = this.#ofModel('response', this.#asked?.by ?? of);
    this.#log('ERR', place, loggedError(kind, text, true), this.#deps.now());
  }

  #ofModel(
    direction: LogEntry['direction'],
    of: { readonly provider: string; readonly model: string } | undefined = this.#asked?.by,
  ): LogEntryHeader {
    const { provider = '', model = '' } = of ?? {};
    return { subturn: 0, direction, type: 'llm', remoteIdentifier: `${provider}:${model}` };
  }

  #log(
    severity: LogEntry['severity'],
    place: LogEntryHeader,
    message: string,
    timestamp: number,
  ): void {
    const { subturn, direction, type, remoteIdentifier } = place;
    this.#deps.onLog?.({
      timestamp,
      severity,
      turn: this.#turn,
      subturn,
      direction,
      type,
      remoteIdentifier,
      fatal: severity === 'ERR',
      message,
    });
  }
}

const ofServer = (server: string): LogEntryHeader => ({
  subturn: 0,
  direction: 'response',
  type: 'mcp',
  remoteIdentifier: server,
});

function ofTool({ call, subturn }: OpenCall, direction: LogEntry['direction']): LogEntryHeader {
  const { server, tool } = remoteOf(call.name);
  return { subturn, direction, type: 'mcp', remoteIdentifier: `${server}:${tool}` };
}
