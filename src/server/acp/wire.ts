/** The Agent Client Protocol, version 1, over lines of JSON: a bundle of its own, loaded only for an editor. */
import {
  type AgentConnection,
  agent,
  methods,
  ndJsonStream,
  RequestError,
} from '@agentclientprotocol/sdk';
import type { EditorService, EditorWire } from './editor-service.ts';

export interface EditorStreams {
  readonly input: ReadableStream<Uint8Array>;
  /** A whole line with its end. */
  write(line: string): void;
}

/** An error in the form that the editor gets. */
export interface EditorFault {
  readonly kind: 'no_session' | 'wrong' | 'failed';
  readonly message: string;
  readonly code: string;
}

interface Connecting {
  service(wire: EditorWire): EditorService;
  faultOf(error: unknown): EditorFault;
}

/** `gone` resolves when the editor has gone; the caller closes what is held open. */
export function connectEditor(
  { input, write }: EditorStreams,
  { service: make, faultOf }: Connecting,
): { readonly service: EditorService; readonly gone: Promise<void>; close(): void } {
  let connection: AgentConnection | null = null;
  const service = make(wireTo(() => connection));
  const decoder = new TextDecoder();
  const output = new WritableStream<Uint8Array>({ write: (bytes) => write(decoder.decode(bytes)) });
  connection = appOf(service, faultOf).connect(ndJsonStream(output, input));
  return { service, gone: connection.closed, close: () => connection?.close() };
}

const wireTo = (connection: () => AgentConnection | null): EditorWire => ({
  update: (sessionId, update) => {
    const { session } = methods.client;
    connection()
      ?.client.notify(session.update, { sessionId, update })
      .catch(() => {});
  },
  choose: (sessionId) => async (asked, signal) => {
    const client = connection()?.client;
    if (client === undefined || signal.aborted) return null;
    const { outcome } = await client.request(
      methods.client.session.requestPermission,
      { sessionId, ...asked },
      { cancellationSignal: signal },
    );
    return outcome.outcome === 'selected' ? outcome.optionId : null;
  },
});

function appOf(service: EditorService, faultOf: Connecting['faultOf']) {
  const handling =
    <Params, Answer>(work: (this: EditorService, params: Params) => Answer | Promise<Answer>) =>
    async ({ params }: { readonly params: Params }): Promise<Answer> => {
      try {
        return await work.call(service, params);
      } catch (error) {
        throw requestError(faultOf(error));
      }
    };
  const { session } = methods.agent;
  return agent({ name: 'tardigrade' })
    .onRequest(methods.agent.initialize, handling(service.initialize))
    .onRequest(
      methods.agent.authenticate,
      handling(() => ({})),
    )
    .onRequest(session.new, handling(service.begin))
    .onRequest(session.load, handling(service.load))
    .onRequest(session.resume, handling(service.resume))
    .onRequest(session.list, handling(service.list))
    .onRequest(session.close, handling(service.close))
    .onRequest(session.setConfigOption, handling(service.set))
    .onRequest(session.prompt, handling(service.prompt))
    .onNotification(session.cancel, ({ params }) => service.cancel(params.sessionId));
}

const CODES = { no_session: -32_002, wrong: -32_602, failed: -32_603 } as const;

const requestError = ({ kind, message, code }: EditorFault): RequestError =>
  new RequestError(CODES[kind], message, { code });
