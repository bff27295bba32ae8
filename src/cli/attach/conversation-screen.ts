import type { PastEvent } from '../../host/live/live-port.ts';
import { AsRun } from '../../live/as-run.ts';
import type { RunEvent, SessionEvent } from '../../schema/events/events.ts';
import type { RunState } from '../../schema/state.ts';
import { storedHead } from '../../schema/stored-head.ts';
import { ConversationScreen } from '../chat/conversation-screen.ts';
import type { CommandContext } from '../command-context.ts';
import { verbosityOf } from '../command-line/invocation.ts';
import { createStyle } from '../render/text/style.ts';
import { oneLine } from '../render/text/text.ts';
import { InputLine } from '../screen/input-line.ts';
import type { AttachedScreen, AttachedScreenPort } from './attached-screen.ts';

/** Shows the conversation as its owner sees it. */
export function showConversation(
  { terminal, invocation }: CommandContext,
  port: AttachedScreenPort,
): AttachedScreen {
  const style = createStyle(terminal, terminal.stdout);
  const input = new InputLine({});
  let isWorking = false;
  let work = new AsRun(null);
  const screen = new ConversationScreen({
    terminal,
    style,
    input,
    isDebug: verbosityOf(invocation) === 'debug',
    isWorking: () => isWorking,
    ...waysOut(port),
  });
  const isLive = terminal.stdinIsTerminal && terminal.stderr.isTerminal;
  const stopListening = terminal.onSignal('SIGINT', () => !screen.stage.isHeld && port.leave());
  const said = (text: string): void => {
    screen.space();
    screen.show(style.paint('strong', `> ${oneLine(text)}`));
  };
  const observe = (event: RunEvent): void => {
    if (event.type === 'turn_started') isWorking = true;
    if (event.type === 'record') {
      const { record } = event;
      if (record.type === 'person_said') said(storedHead(record.text));
      if (record.type === 'message_ended') isWorking = false;
    }
    screen.observe(event as SessionEvent);
  };
  return {
    past: (records) => {
      const { state, message, reply } = lastOf(records);
      work = new AsRun(state);
      isWorking = state?.chat !== undefined && state.chat.open !== null;
      if (isLive) screen.stage.open();
      if (message !== '') said(message);
      if (reply !== '') screen.show(reply);
    },
    missed: (records) => {
      for (const event of records) {
        observe(event);
        work = new AsRun(event.state);
      }
    },
    receive: (event) => {
      const heard = work.translate(event);
      if (heard !== null) observe(heard);
    },
    note: (text, tone) => screen.note(text, tone ?? 'warning'),
    hold: () => screen.stage.hold(),
    stop: () => {
      stopListening();
      screen.endAnswer();
      screen.stage.close();
    },
  };
}

const waysOut = (port: AttachedScreenPort) => ({
  queued: () => [],
  sent: (text: string) => port.send(text),
  interrupt: () => port.leave(),
  leave: () => port.leave(),
  pause: () => port.pause(),
  wayOut: 'Ctrl+C leaves it working, Ctrl+X stops it',
});

/** The state of a conversation, with its last message and the reply to it. */
function lastOf(records: Iterable<PastEvent>) {
  let state: RunState | null = null;
  let [message, reply] = ['', ''];
  for (const event of records) {
    const { record } = event;
    state = event.state;
    if (record.type === 'person_said') [message, reply] = [storedHead(record.text), ''];
    if (record.type === 'turn_finished')
      reply = storedHead(record.words ?? record.response.content);
  }
  return { state, message, reply };
}
