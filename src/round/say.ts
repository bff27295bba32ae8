import { traitsOf } from '../schema/driver.ts';
import type { MessageCause } from '../schema/records.ts';
import type { Run } from './run.ts';

export type SayPort = Pick<Run, 'context'>;

export interface Said {
  readonly cause: MessageCause;
  readonly text: string;
  /** The call it answers, where tool calls are on the wire. */
  readonly call?: { readonly id: string; readonly tool: string };
  readonly rewindTo?: number;
}

/** Every word of the engine to the model goes through here, durable before a request holds it. */
export function say({ context }: SayPort, { cause, text, call, rewindTo }: Said): void {
  const { settings, pending } = context.state;
  const isOnWire = traitsOf(settings).callsTools && pending?.areRecovered === false;
  context.record({
    type: 'message_added',
    role: call && isOnWire ? 'tool' : 'user',
    text,
    cause,
    ...(call && isOnWire ? { toolCallId: call.id, toolName: call.tool } : {}),
    ...(rewindTo === undefined ? {} : { rewindTo }),
  });
}
