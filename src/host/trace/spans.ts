/**
 * Reports a run as spans with OpenTelemetry's names for generative AI: the run, and in it each turn of a model and each
 * tool call. The caller provides the port; nothing of OpenTelemetry is loaded here.
 *
 * 1. The trace id derives from the run's id alone: a run that is resumed anywhere continues its trace.
 * 2. No span contains a prompt or a result; the target of a tool is only named.
 */

import { sha256 } from '../../lib/sha256.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { JournalRecord } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';

export type SpanAttributes = {
  readonly [name: string]: string | number | boolean | readonly string[];
};

export interface SpanParent {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
}

export interface TraceSpan extends SpanParent {
  event(name: string, attributes: SpanAttributes): void;
  /** @param problem what went wrong; '' if nothing did */
  end(attributes: SpanAttributes, problem: string): void;
}

export interface Tracer {
  start(
    name: string,
    options: {
      readonly kind: 'internal' | 'client';
      readonly parent: SpanParent;
      readonly attributes: SpanAttributes;
    },
  ): TraceSpan;
}

export class RunSpans {
  readonly #tracer: Tracer;
  readonly #tools = new Map<string, TraceSpan>();
  #state: RunState | null = null;
  #run: TraceSpan | null = null;
  #turn: TraceSpan | null = null;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  observe(event: RunEvent): void {
    if (event.type === 'record' || event.type === 'begun') {
      this.#state = event.state;
      this.#inRun(event.state);
    }
    const state = this.#state;
    if (state === null) return;
    if (event.type === 'record') this.#recorded(event.record, state);
    if (event.type === 'turn_started') this.#beginTurn(state);
    if (event.type === 'action_started') {
      const { name, id } = event.call;
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.call.id': id,
      };
      const where = { kind: 'internal', parent: this.#inRun(state), attributes } as const;
      this.#tools.set(event.id, this.#tracer.start(`execute_tool ${name}`, where));
    }
  }

  /** Ends all spans: the process releases the run, or the run is over. */
  end(): void {
    for (const one of [...this.#tools.values(), this.#turn]) one?.end({}, 'cut off');
    this.#tools.clear();
    this.#turn = null;
    this.#run?.end({}, '');
    this.#run = null;
  }

  #inRun(state: RunState): TraceSpan {
    this.#run ??= this.#tracer.start('invoke_agent tardigrade', {
      kind: 'internal',
      parent: traceOf(state.run),
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'tardigrade',
        'gen_ai.conversation.id': state.run,
      },
    });
    return this.#run;
  }

  #beginTurn(state: RunState): void {
    this.#turn?.end({}, 'cut off');
    this.#turn = this.#tracer.start(`chat ${state.settings?.model ?? ''}`.trim(), {
      kind: 'client',
      parent: this.#inRun(state),
      attributes: { 'gen_ai.operation.name': 'chat', ...modelOf(state) },
    });
  }

  #recorded(record: JournalRecord, state: RunState): void {
    if (record.type === 'turn_finished') {
      const { kind } = record.status;
      this.#turn?.end(outcomeOf(record, state), kind === 'success' ? '' : kind);
      this.#turn = null;
    } else if (record.type === 'action_finished') {
      const { status, id } = record;
      this.#tools.get(id)?.end({ 'tardigrade.status': status }, status === 'ok' ? '' : status);
      this.#tools.delete(id);
    } else if (record.type === 'run_finished') {
      this.#inRun(state).event('run_finished', { 'tardigrade.ending': record.ending });
    } else if (MOMENTS.has(record.type)) this.#inRun(state).event(record.type, momentOf(record));
  }
}

/** Records that become events of the run's span, without a span of their own. */
const MOMENTS: ReadonlySet<JournalRecord['type']> = new Set([
  ...(['lease_taken', 'run_paused', 'wait_started', 'approval_asked', 'approval_given'] as const),
]);

const momentOf = (record: JournalRecord): SpanAttributes => ({
  ...('why' in record && typeof record.why === 'string' ? { 'tardigrade.why': record.why } : {}),
  ...('worker' in record && record.worker !== undefined
    ? { 'tardigrade.worker': record.worker }
    : {}),
  ...('token' in record ? { 'tardigrade.token': record.token } : {}),
});

/** Invariant 1. */
export const traceOf = (run: string): SpanParent => ({
  traceId: sha256(`trace of ${run}`).slice(0, 32),
  spanId: sha256(`span of ${run}`).slice(0, 16),
});

const modelOf = ({ settings }: RunState): SpanAttributes =>
  settings === null
    ? {}
    : { 'gen_ai.provider.name': settings.provider, 'gen_ai.request.model': settings.model };

function outcomeOf(
  { usage, rawReason, turn, attempt }: Extract<JournalRecord, { type: 'turn_finished' }>,
  state: RunState,
): SpanAttributes {
  return {
    ...modelOf(state),
    'gen_ai.usage.input_tokens': usage.input,
    'gen_ai.usage.output_tokens': usage.output,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
    'gen_ai.response.finish_reasons': [rawReason],
    'tardigrade.turn': turn,
    'tardigrade.attempt': attempt,
  };
}
