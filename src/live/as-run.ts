/**
 * Turns what a watcher receives into the events that the owner itself saw, so that a screen shows both alike. The state
 * is folded from the records, as everywhere.
 */
import { RUN_FOLD } from '../context-manager/open-or-create.ts';
import type { RunEvent } from '../schema/events/events.ts';
import type { StreamEvent } from '../schema/events/stream.ts';
import type { Located } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';

export class AsRun {
  #state: RunState | null;

  /** @param state from earlier records; `null`: there were none */
  constructor(state: RunState | null) {
    this.#state = state;
  }

  /** Returns `null` if the event's record says the same, or if there is nothing to show. */
  translate(event: StreamEvent): RunEvent | null {
    switch (event.type) {
      case 'record': {
        // The offset is not needed: the record is shown and not read back.
        const record = { ...event.record, offset: 0 } as unknown as Located;
        this.#state = RUN_FOLD.reduce(this.#state, record);
        return { type: 'record', record, state: this.#state };
      }
      case 'text_delta':
        return { type: 'text', text: event.text };
      case 'thinking_delta':
        return { type: 'thinking', text: event.text };
      case 'tool_output':
        return { type: 'action_output', text: event.text };
      case 'tool_call_ready': {
        const { id, name, args } = event;
        return { type: 'tool_call_ready', call: { id, name, args } };
      }
      case 'turn_started':
      case 'prompt_read':
      case 'tool_call_started':
      case 'tool_call_arguments':
      case 'turn_retry':
      case 'model_switched':
      case 'trial_started':
      case 'notice':
        return event as Extract<RunEvent, { type: typeof event.type }>;
      case 'trials_skipped':
        return { type: 'notice', level: 'info', text: 'The trials that are left are skipped.' };
      default:
        return null;
    }
  }
}
