/** `agent acp`: an editor holds conversations over stdin and stdout. */
import { escapedJson } from '../../lib/text/plain-text.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { EditorService, NoSession } from '../../server/acp/editor-service.ts';
import type { EditorFault } from '../../server/acp/wire.ts';
import { checkRules } from '../check-rules.ts';
import type { CommandContext } from '../command-context.ts';
import { openLogs } from '../logs.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { refuseInsideRun } from '../questions/person-there.ts';
import { printFolded } from '../render/text/fold.ts';
import { explainError } from '../show-error.ts';
import { editorPlace } from './editor-place.ts';

const GONE = 'the editor has gone';

export async function acpCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  refuseHere(context);
  checkRules(context);
  const warn = (text: string): void => printFolded(terminal.stderr, `${text}\n`);
  const logs = await openLogs(invocation, terminal, warn);
  const place = editorPlace(context, logs);
  const { connectEditor } = await import('../../server/acp/wire.ts');
  const { service, gone, close } = connectEditor(
    {
      input: ReadableStream.from(untilGone(terminal.input())),
      write: (line) => terminal.stdout.write(escapedJson(line)),
    },
    {
      service: (wire) => new EditorService(place, wire),
      faultOf: (error) => {
        const fault = faultOf(error, place.wordsOf);
        if (explainError(error, terminal.program).isInternal)
          engine.logError(invocation.workspace, error);
        return fault;
      },
    },
  );
  const interrupt = listenForInterrupt(terminal, EXIT.achieved);
  const { signal } = interrupt;
  try {
    await Promise.race([gone, interrupt.stopped]);
    await service.closeAll(signal.aborted ? String(signal.reason?.message ?? GONE) : GONE);
  } finally {
    close();
    interrupt.dispose();
    logs.close();
  }
  return EXIT.achieved;
}

/** Options that an editor sets itself, for each conversation. */
const SAID_THERE = [
  'exec',
  'session',
  'resume',
  'load',
  'save',
  'init',
  'json',
  'workspace',
] as const;

function refuseHere({ invocation, terminal }: CommandContext): void {
  refuseInsideRun(terminal, 'act as an editor or answer for a person', 'Let the editor start it.');
  const options = { ...invocation, workspace: invocation.workspaceOption ?? undefined };
  const wrong = SAID_THERE.find((name) => options[name] !== undefined);
  if (wrong !== undefined)
    throw usageError(
      `The editor sets this for each conversation: ${longFlag(OPTIONS[wrong])} has no effect here.`,
      'Leave it out.',
    );
  if (terminal.stdinIsTerminal)
    throw usageError(
      'An editor starts this command; it is not for typing.',
      `In the settings of the editor, the command is ${AGENT} and its argument is acp. To talk here: ${AGENT} chat`,
    );
}

function faultOf(
  error: unknown,
  wordsOf: (error: unknown) => { readonly code: string; readonly text: string },
): EditorFault {
  if (error instanceof NoSession)
    return { kind: 'no_session', message: error.message, code: 'E_USAGE' };
  const { code, text } = wordsOf(error);
  const isWrong = code === 'E_USAGE' || code === 'E_WORKSPACE';
  return { kind: isWrong ? 'wrong' : 'failed', message: text, code };
}

async function* untilGone(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch {
    // A broken pipe means that the editor has gone.
  }
}
