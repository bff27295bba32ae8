/** A run as spans of OpenTelemetry, by its own package and a provider that keeps what it is given. */
import { resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type OpenTelemetryApi, tracerOn } from '../../../src/host/trace/open-telemetry.ts';
import { RunSpans, traceOf } from '../../../src/host/trace/spans.ts';
import { loadPeer } from '../../../src/lib/load-peer.ts';
import { diligentModel } from '../../support/models.ts';
import { journalOf, runIn } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

interface Kept {
  readonly name: string;
  readonly id: string;
  readonly parent: { readonly traceId: string; readonly spanId: string };
  readonly attributes: { [name: string]: unknown };
  readonly events: string[];
  isEnded: boolean;
}

/** Registered as an SDK registers: spans are of the trace of their parent. */
function watched() {
  const found = loadPeer<OpenTelemetryApi>('@opentelemetry/api', [resolve('any')]);
  if (found === null) throw new Error('@opentelemetry/api is not here');
  const api = found as typeof found & {
    trace: {
      setGlobalTracerProvider(provider: object): boolean;
      disable(): void;
      getSpanContext(context: unknown): { traceId: string; spanId: string };
    };
  };
  const spans: Kept[] = [];
  const startSpan = (name: string, options: { attributes: object }, context: unknown) => {
    const id = `${spans.length + 1}`.padStart(16, '0');
    const parent = api.trace.getSpanContext(context);
    const kept: Kept = {
      name,
      id,
      parent,
      attributes: { ...options.attributes },
      events: [],
      isEnded: false,
    };
    spans.push(kept);
    return {
      spanContext: () => ({ traceId: parent.traceId, spanId: id }),
      addEvent: (what: string) => void kept.events.push(what),
      setAttributes: (more: object) => void Object.assign(kept.attributes, more),
      setStatus: () => {},
      end: () => {
        kept.isEnded = true;
      },
    };
  };
  api.trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) });
  onTestFinished(() => api.trace.disable());
  return { spans, tracer: tracerOn(api) };
}

it('a run is one trace however often it is taken up: the run, its turns and its tools', async () => {
  const world = testWorld();
  const { spans, tracer } = watched();
  const model = diligentModel({
    subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
    verify: { cmd: 'node hello.mjs', prints: 'hello' },
    files: { 'hello.mjs': ['console.log("hello");\n'] },
  });
  const stop = new AbortController();
  let turns = 0;
  const first = new RunSpans(tracer);
  await runIn(world, scriptedProvider(model), {
    toolMode: 'native',
    signal: stop.signal,
    emit: (event) => {
      first.observe(event);
      if (event.type === 'turn_started') turns += 1;
      if (event.type === 'record' && event.record.type === 'action_finished') stop.abort();
    },
  });
  first.end();
  const second = new RunSpans(tracer);
  await runIn(world, scriptedProvider(model), {
    toolMode: 'native',
    emit: (event) => {
      second.observe(event);
      if (event.type === 'turn_started') turns += 1;
    },
  });
  second.end();
  const records = journalOf(world);
  const of = (type: string) => records.filter((record) => record.type === type).length;
  const [opened] = records;
  const trace = traceOf(opened?.type === 'run_opened' ? opened.run : '');
  const named = (start: string) => spans.filter(({ name }) => name.startsWith(start));
  expect(new Set(spans.map(({ parent }) => parent.traceId))).toEqual(new Set([trace.traceId]));
  expect(named('invoke_agent').map(({ parent }) => parent.spanId)).toEqual([
    trace.spanId,
    trace.spanId,
  ]);
  expect(named('chat ')).toHaveLength(turns);
  expect(named('execute_tool ').length).toBeGreaterThan(0);
  expect(named('execute_tool ').length).toBeLessThanOrEqual(of('action_finished'));
  const runs = new Set(named('invoke_agent').map(({ id }) => id));
  for (const one of [...named('chat '), ...named('execute_tool ')])
    expect(runs.has(one.parent.spanId)).toBe(true);
  expect(spans.every(({ isEnded }) => isEnded)).toBe(true);
  expect(named('chat ')[0]?.attributes).toMatchObject({
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.response.finish_reasons': [expect.any(String)] },
  });
  expect(named('invoke_agent')[1]?.events).toEqual(
    expect.arrayContaining(['lease_taken', 'run_finished']),
  );
  // Neither a prompt nor a result.
  expect(JSON.stringify(spans)).not.toContain('console.log');
});
