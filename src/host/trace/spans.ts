/**
 * A run as spans in the names that OpenTelemetry has for generative AI: the run, in it each turn of a model and
 * each tool. Whoever watches gives the port; nothing of OpenTelemetry is loaded here.
 *
 * 1. The trace follows from the run's id alone: a run that is resumed, anywhere, goes on in its trace.
 * 2. Neither a prompt nor a result is in a span; what a tool works on is only named.
 */
import { createHash } from 'node:crypto';
import type { RunEvent } from '../../schema/events/events.ts';
import type { JournalRecord } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';

export type SpanAttributes = {
  readonly [name: string]: string | number | boolean | readonly string[];
};

/** Where a span belongs. */
export interface SpanParent {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
}

export interface Span extends SpanParent {
  event(name: string, attributes: SpanAttributes): void;
  /** @param problem what went wrong; '' where nothing did */
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
  ): Span;
}

export interface RunSpans {
  observe(event: RunEvent): void;
  /** The process gives the run up, or it is over. */
  end(): void;
}

export function spansOf(tracer: Tracer): RunSpans {
  let run: Span | null = null;
  let turn: Span | null = null;
  const tools = new Map<string, Span>();
  const inRun = (state: RunState): Span => {
    run ??= tracer.start('invoke_agent tardigrade', {
      ...{ kind: 'internal', parent: traceOf(state.run) },
      attributes: {
        ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'tardigrade' },
        'gen_ai.conversation.id': state.run,
      },
    });
    return run;
  };
  const end = (problem = ''): void => {
    for (const one of [...tools.values(), turn]) one?.end({}, 'cut off');
    tools.clear();
    turn = null;
    run?.end({}, problem);
    run = null;
  };
  let state: RunState | null = null;
  const recorded = (record: JournalRecord, now: RunState): void => {
    if (record.type === 'turn_finished') {
      turn?.end(outcomeOf(record, now), record.status.kind === 'success' ? '' : record.status.kind);
      turn = null;
    } else if (record.type === 'action_finished') {
      const { status } = record;
      tools.get(record.id)?.end({ 'tardigrade.status': status }, status === 'ok' ? '' : status);
      tools.delete(record.id);
    } else if (record.type === 'run_finished') {
      inRun(now).event('run_finished', { 'tardigrade.ending': record.ending });
    } else if (MOMENTS.has(record.type)) inRun(now).event(record.type, momentOf(record));
  };
  return {
    observe(event) {
      if (event.type === 'record' || event.type === 'begun') {
        state = event.state;
        inRun(state);
      }
      if (event.type === 'record') recorded(event.record, event.state);
      if (state === null) return;
      if (event.type === 'turn_started') {
        turn?.end({}, 'cut off');
        turn = tracer.start(`chat ${state.settings?.model ?? ''}`.trim(), {
          ...{ kind: 'client', parent: inRun(state) },
          attributes: { 'gen_ai.operation.name': 'chat', ...modelOf(state) },
        });
      }
      if (event.type === 'action_started') {
        const { name, id } = event.call;
        const attributes = {
          ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
          'gen_ai.tool.call.id': id,
        };
        const parent = inRun(state);
        tools.set(
          event.id,
          tracer.start(`execute_tool ${name}`, { kind: 'internal', parent, attributes }),
        );
      }
    },
    end,
  };
}

/** What of a run is no span of its own. */
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
  traceId: hexOf(`trace of ${run}`).slice(0, 32),
  spanId: hexOf(`span of ${run}`).slice(0, 16),
});

const hexOf = (text: string): string => createHash('sha256').update(text).digest('hex');

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
