/**
 * `agent attach [RUN]`: shows what another terminal works on, and answers its questions.
 *
 * 1. Leaving does not affect the work: Ctrl+C ends only the watching, and the screen says so.
 * 2. However it ends, the last line says how it ended and which command continues.
 */
import type { FollowedWork, Following, LivePort } from '../../host/live/live-port.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { inEnvelope } from '../../run/stream/in-order.ts';
import { errorBody, type ResultBody } from '../../run/stream/result-body.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import type { CommandContext } from '../command-context.ts';
import { wantsJson } from '../commands/print.ts';
import { jsonLine } from '../json-line.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { isPersonThere, refuseInsideRun } from '../questions/person-there.ts';
import { printFolded } from '../render/text/fold.ts';
import { cut, oneLine } from '../render/text/text.ts';
import type { AttachedScreen } from './attached-screen.ts';
import { showConversation } from './conversation-screen.ts';
import { AttachedQuestions } from './questions.ts';
import { showRun } from './run-screen.ts';
import { showJson } from './shown-json.ts';
import { type AttachTarget, attachTarget, noChannel } from './target.ts';

export async function attachCommand(context: CommandContext): Promise<number> {
  refuseInsideRun(
    context.terminal,
    'follow a run, or answer for a person',
    'Attach from a terminal of your own.',
  );
  if (context.invocation.fleet !== undefined || context.invocation.fleetRun !== null)
    return (await import('../fleet/follow.ts')).followInFleet(context);
  const live = await context.engine.live();
  return new Attached(context, attachTarget(context, live)).follow(live);
}

class Attached {
  readonly #context: CommandContext;
  readonly #meant: AttachTarget;
  readonly #shown: AttachedScreen;
  readonly #questions: AttachedQuestions;
  readonly #leave = new AbortController();
  #following: Following | null = null;
  #result: ResultBody | null = null;
  #about: FollowedWork | null = null;

  constructor(context: CommandContext, meant: AttachTarget) {
    const { terminal } = context;
    this.#context = context;
    this.#meant = meant;
    const { clock } = terminal;
    const begunAt = clock.monotonic() - Math.max(0, clock.now() - meant.note.since);
    const port = {
      send: (text: string) => void this.#say(text),
      leave: () => this.#leave.abort(),
      pause: () => void this.#pause(),
      begunAt,
    };
    this.#shown = wantsJson(context)
      ? showJson(context)
      : meant.isChat
        ? showConversation(context, port)
        : showRun(context, port);
    this.#questions = new AttachedQuestions({
      terminal,
      hold: () => this.#shown.hold(),
      answer: (id, answer) => {
        const why = answer.kind === 'no' ? answer.why : '';
        return this.#send({ do: 'answer', id, kind: answer.kind, why });
      },
      note: (text) => this.#shown.note(text),
      lasting: meant.isChat ? 'this conversation' : 'this run',
    });
  }

  async follow(live: LivePort): Promise<number> {
    const { terminal, invocation } = this.#context;
    const { note, isChat } = this.#meant;
    const answers = isPersonThere(terminal, invocation);
    const interrupt = listenForInterrupt(terminal, EXIT.achieved, {
      onFirst: () => this.#leave.abort(),
    });
    try {
      const { signal } = this.#leave;
      const following = await live.follow({
        note,
        isChat,
        answers,
        signal,
        observer: {
          past: (records, about) => {
            this.#about = about;
            this.#greet();
            this.#shown.past(records, about);
          },
          missed: (records) => this.#shown.missed(records),
          receive: (_, event) => this.#hear(event),
          question: (question) => {
            if (answers) void this.#questions.put(question);
          },
          settled: (id) => this.#questions.settled(id),
        },
      });
      if (typeof following === 'string') throw noChannel(following, this.#meant);
      this.#following = following;
      return this.#end(await following.closed);
    } finally {
      interrupt.dispose();
      this.#questions.close();
      this.#shown.stop();
    }
  }

  #hear(event: StreamEvent): void {
    if (event.type === 'result') this.#result = event;
    this.#questions.receive(event);
    this.#shown.receive(event);
  }

  async #say(text: string): Promise<void> {
    const done = await this.#send({ do: 'say', text });
    if (done.how === 'refused') this.#shown.note(`Not sent: ${done.why}`);
    // A run reports by itself that it has the message; a conversation, only when the message's turn comes.
    else if (this.#meant.isChat) this.#shown.note('Sent; it waits its turn.', 'dim');
  }

  async #pause(): Promise<void> {
    const done = await this.#send({ do: 'pause' });
    if (done.how === 'refused') this.#shown.note(`Not paused: ${done.why}`);
    else this.#shown.note('Pausing; what is under way ends first.', 'dim');
  }

  #send(request: Parameters<Following['send']>[0]): ReturnType<Following['send']> {
    return (
      this.#following?.send(request) ??
      Promise.resolve({ how: 'refused', why: 'The connection is not ready yet.' })
    );
  }

  #greet(): void {
    const { name, note } = this.#meant;
    const { started } = this.#about ?? {};
    const goal = started?.type === 'started' ? oneLine(started.goal ?? '') : '';
    const what = goal === '' ? '' : `: ${cut(goal, 200)}`;
    this.#tell(
      `Attached to ${name} in process ${note.pid}${what}\nCtrl+C leaves it working, Ctrl+X pauses it.\n`,
    );
  }

  #end(how: Awaited<Following['closed']>): number {
    const isAsking = this.#questions.isAsking;
    this.#questions.close();
    this.#shown.stop();
    const { name, note, resume, isChat, number } = this.#meant;
    if (how === 'left') {
      const waits = isAsking && this.#about?.hasPerson === false;
      const rest = waits
        ? `Nobody else can answer its question, so it stops there: ${resume}`
        : `Process ${note.pid} works on.`;
      this.#last('Left', `Left ${name}. ${rest}`, EXIT.achieved);
      return EXIT.achieved;
    }
    if (how === 'gone') {
      const words = `Process ${note.pid} ended before ${name} was finished. Nothing recorded is lost.`;
      this.#last(words, `${words}\n  ${isChat ? 'Go on' : 'Resume'}: ${resume}`, EXIT.interrupted);
      return EXIT.interrupted;
    }
    const result = this.#result;
    if (result === null) {
      this.#tell(`The process that held ${name} has closed it.\n  Continue: ${resume}\n`);
      return EXIT.achieved;
    }
    this.#tell(
      `${endText(name, result)}\n  ${nextOf(result, { resume, number }, this.#context.terminal.program)}\n`,
    );
    return result.exitCode;
  }

  /** A stream that breaks off says so in its last event. */
  #last(message: string, text: string, exitCode: number): void {
    this.#tell(`${text}\n`);
    if (!wantsJson(this.#context)) return;
    const body = errorBody(
      {
        exitCode,
        code: 'E_INTERRUPTED',
        message,
        hint: `Attach again, or see ${this.#context.terminal.program} status.`,
      },
      exitCode === EXIT.achieved ? null : this.#meant.resume,
    );
    const { run } = this.#meant.note;
    this.#context.terminal.stdout.write(jsonLine(inEnvelope({ body }, run)));
  }

  #tell(text: string): void {
    printFolded(this.#context.terminal.stderr, text);
  }
}

function endText(name: string, { ending, why, detail = '' }: ResultBody): string {
  const said = oneLine(detail).replace(/\.$/, '');
  const more = said === '' || said === ending ? '' : `: ${cut(said, 300)}`;
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  return ending === 'paused'
    ? `${capital} is paused (${oneLine(why ?? '')})${more}.`
    : `${capital} has ended: ${ending}${more}.`;
}

const nextOf = (
  { ending }: ResultBody,
  { resume, number }: Pick<AttachTarget, 'resume' | 'number'>,
  agent: string,
): string =>
  ending === 'paused'
    ? `Resume: ${resume}`
    : `See how it ended: ${agent} status${number === null ? '' : ` ${number}`}`;
