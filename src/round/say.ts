import type { MessageCause } from '../schema/records.ts';
import type { Run } from './run.ts';

export interface Said {
  readonly cause: MessageCause;
  readonly text: string;
  /** The call it answers, where tool calls are on the wire. */
  readonly call?: { readonly id: string; readonly tool: string };
  readonly rewindTo?: number;
}

/** Every word of the engine to the model goes through here, durable before a request holds it. */
export function say(run: Run, { cause, text, call, rewindTo }: Said): void {
  const isNative = run.context.state.settings?.mode === 'native';
  run.context.record({
    type: 'message_added',
    role: call && isNative ? 'tool' : 'user',
    text,
    cause,
    ...(call && isNative ? { toolCallId: call.id, toolName: call.tool } : {}),
    ...(rewindTo === undefined ? {} : { rewindTo }),
  });
}
