/**
 * Implements the port of spans on `@opentelemetry/api`, an optional peer dependency. It is used only if the process has
 * set up an SDK.
 */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { loadPeer } from '../../lib/load-peer.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { dataFolderOf } from '../user/user-folders.ts';
import { RunSpans, type SpanAttributes, type Tracer } from './spans.ts';

/** The part of the package that is used. */
export interface OpenTelemetryApi {
  readonly ROOT_CONTEXT: unknown;
  readonly SpanKind: { readonly INTERNAL: number; readonly CLIENT: number };
  readonly SpanStatusCode: { readonly ERROR: number };
  readonly trace: {
    getTracer(name: string): {
      startSpan(
        name: string,
        options: { readonly kind: number; readonly attributes: SpanAttributes },
        context: unknown,
      ): ApiSpan;
    };
    setSpanContext(context: unknown, span: object): unknown;
  };
}

interface ApiSpan {
  spanContext(): { readonly traceId: string; readonly spanId: string };
  addEvent(name: string, attributes: SpanAttributes): unknown;
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { readonly code: number; readonly message: string }): unknown;
  end(): void;
}

const PACKAGE = '@opentelemetry/api';
const SAMPLED = 1;

export function tracerOn(api: OpenTelemetryApi): Tracer {
  const tracer = api.trace.getTracer('tardigrade-agent');
  return {
    start(name, { kind, parent, attributes }) {
      const { traceId, spanId } = parent;
      const context = api.trace.setSpanContext(api.ROOT_CONTEXT, {
        traceId,
        spanId,
        traceFlags: SAMPLED,
        isRemote: true,
      });
      const { INTERNAL, CLIENT } = api.SpanKind;
      const options = { kind: kind === 'client' ? CLIENT : INTERNAL, attributes };
      const span = tracer.startSpan(name, options, context);
      const own = span.spanContext();
      return {
        traceId: own.traceId,
        spanId: own.spanId,
        event: (what, more) => void span.addEvent(what, more),
        end: (more, problem) => {
          span.setAttributes(more);
          if (problem !== '') span.setStatus({ code: api.SpanStatusCode.ERROR, message: problem });
          span.end();
        },
      };
    },
  };
}

/** `null`: its package is installed neither beside this program nor beside the SDK of a fleet. */
export function spansHere(place: Pick<HostEnvironment, 'env' | 'platform' | 'programFolder'>) {
  const { join } = pathsOf(place.platform);
  const api = loadPeer<OpenTelemetryApi>(PACKAGE, [
    join(place.programFolder, 'any'),
    join(dataFolderOf(place), 'fleet', 'any'),
  ]);
  return api === null ? null : new RunSpans(tracerOn(api));
}
