/**
 * Translates this program's events into the event names of other agents' programs. Each design is one function
 * with a case for every event it can express. Pure.
 */
import type { StreamEvent } from '../../schema/events/stream.ts';

/** An event whose name is a type name and whose other fields are its data. */
export type NamedEvent = { readonly type: string; readonly [field: string]: unknown };

const RETRY_REASONS: { readonly [status: string]: string } = {
  auth_failed: 'auth',
  rate_limited: 'rate_limit',
  quota_exceeded: 'billing',
};

/** A turn that summarises is not an answer; the design reports it only as `compaction`. */
const SUMMARY = 'summary';

/**
 * The events of an engine with one call: `llm_start`, `llm_stream`, `llm_end`, `tool_start`, `tool_end`,
 * `retry`, `compaction`, `done`. Other events are dropped.
 * @param result what the call resolves with, for `done`
 */
export function engineEvents(event: StreamEvent, result: unknown = null): readonly NamedEvent[] {
  const streamed = (inner: NamedEvent): NamedEvent => ({ type: 'llm_stream', event: inner });
  switch (event.type) {
    case 'turn_started': {
      if (event.purpose === SUMMARY) return [];
      return [{ type: 'llm_start', iteration: event.iteration ?? event.turn }];
    }
    case 'text_delta':
    case 'thinking_delta':
      return [streamed({ type: event.type, delta: event.text })];
    case 'tool_call_ready': {
      const { id, name, args } = event;
      return [streamed({ type: 'toolcall_end', toolCall: { id, name, arguments: args } })];
    }
    case 'turn_finished': {
      const { text, usage, status, detail, purpose, calls = [] } = event;
      if (purpose === SUMMARY) return [];
      const isDone = status === 'success';
      const toolCalls = calls.map(({ id, name, args }) => ({ id, name, arguments: args }));
      const message = { role: 'assistant', content: text, toolCalls, usage };
      return [
        streamed(isDone ? { type: 'done' } : { type: 'error', error: detail }),
        { type: 'llm_end', message },
      ];
    }
    case 'tool_started':
      return [{ type: 'tool_start', toolName: event.name, toolCallId: event.callId }];
    case 'tool_result': {
      const { name, callId, durationMs = 0, status } = event;
      return [
        {
          type: 'tool_end',
          toolName: name,
          toolCallId: callId,
          durationMs,
          isError: status !== 'ok',
        },
      ];
    }
    case 'turn_retry':
      return [retried(event, event.profile)];
    // A retry after a wait was already reported.
    case 'model_switched':
      return event.status === undefined ? [] : [retried(event, event.from.profile)];
    case 'compaction':
      return [{ type: 'compaction', oldCount: event.before, newCount: event.after }];
    case 'result':
      return [{ type: 'done', result }];
    default:
      return [];
  }
}

const retried = (
  {
    attempt = 1,
    status = '',
  }: { readonly attempt?: number | undefined; readonly status?: string | undefined },
  profileId = '',
): NamedEvent => ({
  type: 'retry',
  attempt,
  reason: RETRY_REASONS[status] ?? 'timeout',
  profileId,
});

/**
 * A stream of typed events: `TextDelta`, `ToolCallStarted`, `ToolCallArgsDelta`, `ToolCallReady`,
 * `ToolResultEvent`, `ResponseCompleted`. Any other event becomes a `TraceEvent` with its name.
 */
export function streamEvents(event: StreamEvent): readonly NamedEvent[] {
  switch (event.type) {
    case 'text_delta':
      return [{ type: 'TextDelta', delta: event.text }];
    case 'tool_call_started':
      return [{ type: 'ToolCallStarted', index: event.index, name: event.name }];
    case 'tool_call_arguments':
      return [{ type: 'ToolCallArgsDelta', index: event.index, delta: event.text }];
    case 'tool_call_ready': {
      const { id, name, args } = event;
      return [{ type: 'ToolCallReady', callId: id, name, arguments: args }];
    }
    case 'tool_result': {
      const { callId, name, content, status } = event;
      return [{ type: 'ToolResultEvent', callId, name, result: content, isError: status !== 'ok' }];
    }
    case 'turn_finished': {
      const { status, usage, detail } = event;
      if (status === 'success') return [{ type: 'ResponseCompleted', status: 'completed', usage }];
      // The request is repeated automatically.
      if (status === 'invalid_response') return [traced('parse_error', { message: detail })];
      return [
        traced('error', { status, message: detail }),
        { type: 'ResponseCompleted', status: 'error', usage: null },
      ];
    }
    default: {
      const { type, ...data } = event;
      return [traced(type, data)];
    }
  }
}

const traced = (name: string, data: object): NamedEvent => ({ type: 'TraceEvent', name, data });
