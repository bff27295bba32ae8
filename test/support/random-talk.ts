/** Conversations of the real engine with a person, a model and programs that do whatever dice say. */
import { TardigradeError } from '../../src/lib/errors.ts';
import { systemErrorCode } from '../../src/lib/system-error.ts';
import type { AskAnswer } from '../../src/round/permission/answer.ts';
import type { Message } from '../../src/schema/model/messages.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import type { Session } from '../../src/sessions/session.ts';
import { faultsOfConversation } from '../crash/chat.ts';
import { chatIn } from './chat-in.ts';
import { fc } from './dice.ts';
import { meddle, pick, type Roll, randomCall, rolling, withBackground } from './random-calls.ts';
import { withFaults } from './random-faults.ts';
import { FAILURES } from './random-run.ts';
import { type ScriptedOptions, type ScriptedReply, scriptedProvider } from './scripted-provider.ts';
import { type TestWorld, testWorld, WORKSPACE } from './test-machine.ts';
import { watchingRecords } from './written-records.ts';

const DEEDS = [
  ...['send', 'send', 'send', 'send', 'command', 'undo', 'compact', 'aside', 'allow'],
  ...['remember', 'abandon', 'edit', 'reopen'],
] as const;
type Deed = (typeof DEEDS)[number];

interface Move {
  readonly deed: Deed;
  /** The process is killed, or the person stops, after so many more records; `null`: neither. */
  readonly ends: { readonly after: number; readonly how: 'killed' | 'stopped' } | null;
}

export interface RandomTalkSetup {
  readonly moves: readonly Move[];
  /** Rolled in turn, from the start again when they are used up. */
  readonly dice: readonly number[];
  /** Of each process in turn. */
  readonly models: readonly (keyof typeof MODELS)[];
  /** Tokens. */
  readonly contextWindow: number;
  readonly isAllowed: boolean;
  /** Whether somebody answers questions. */
  readonly isThere: boolean;
  /** Of so many operations on files of the workspace one fails, in every process but the last; 0: none. */
  readonly faults: number;
}

const MODELS = {
  wire: { parameters: 32e9 },
  held: { canCallTools: false, parameters: 1.5e9 },
  text: { canCallTools: false, holdsSchema: false, parameters: 1.5e9 },
} satisfies { [name: string]: ScriptedOptions };

const move: fc.Arbitrary<Move> = fc.record({
  deed: fc.constantFrom(...DEEDS),
  ends: fc.option(
    fc.record({
      after: fc.integer({ min: 1, max: 30 }),
      how: fc.constantFrom('killed', 'stopped'),
    }),
    { freq: 2 },
  ),
});

export const randomTalks: fc.Arbitrary<RandomTalkSetup> = fc.record({
  moves: fc.noBias(fc.array(move, { minLength: 1, maxLength: 12 })),
  dice: fc.noBias(fc.array(fc.nat(99), { minLength: 20, maxLength: 60 })),
  models: fc.array(fc.constantFrom('wire', 'held', 'text'), { minLength: 1, maxLength: 3 }),
  contextWindow: fc.constantFrom(2048, 4096, 8192, 32_768),
  isAllowed: fc.boolean(),
  isThere: fc.boolean(),
  faults: fc.constantFrom(0, 0, 20, 100),
});

const answersTo = (input: Record<string, unknown>): readonly AskAnswer[] => [
  ...(['once', 'run', 'always', 'no', 'none'] as const),
  { kind: 'once', input },
  { kind: 'once', input: { cmd: 'node b.mjs' } },
  { kind: 'no', why: 'use jj' },
];

function randomAnswer(request: ModelRequest, roll: Roll): ScriptedReply {
  const die = roll();
  if (die > 92) return { fails: pick(FAILURES, roll()) };
  if (die > 86) return { text: 'This answer is cut', isCutOff: true };
  if (die > 82) return { text: '' };
  if (die % 3 === 2) return { text: `Answer ${die}. `.repeat(pick([1, 60], roll())) };
  const calls = Array.from({ length: 1 + (roll() % 4) }, () => randomCall(FILES, roll));
  if (request.tools) return { text: pick(['', 'I look.'], die), calls };
  const [one] = calls;
  const { name = '', args = {} } = one ?? {};
  return {
    text: pick(
      [
        `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
        JSON.stringify({ action: name, file: args.path, ...args }),
        JSON.stringify({ answer: 'It is so.' }),
        '```\nconsole.log(1)\n```',
      ],
      roll(),
    ),
  };
}

/** Plays the moves, each process on the disk that the one before left; returns every promise that was broken. */
export async function randomTalk(setup: RandomTalkSetup): Promise<readonly string[]> {
  const roll = rolling(setup.dice);
  const world: TestWorld = testWorld((args, _stdin, _read, _write, _remove, cwd) => {
    if (args[0] !== 'meddle') return randomProgram(args, roll());
    meddle(world.machine().fs, cwd, FILES, roll);
    return { output: 'meddled\n', exitCode: 0 };
  });
  world.write('a.txt', '1 one\n');
  world.write('b.mjs', 'console.log(1);\n');
  const faults: string[] = [];
  const say = (what: string): void => void faults.push(what);
  let process = 0;
  let open: Process | null = null;
  for (const [at, { deed, ends }] of setup.moves.entries()) {
    open ??= await begun(world, setup, { n: process++, roll, say });
    if (open === null) continue;
    open.endsAfter(ends);
    try {
      if (deed !== 'abandon') await open.session.goOn(open.stop);
      const before = filesOf(world);
      await doneBy(open.session, deed, { at, world, roll, stop: open.stop });
      // What could not be looked at behind a command is not known to be new.
      const isSeen = setup.faults === 0;
      if (deed === 'send' && isSeen && roll() % 2 === 0)
        undone(open.session, { world, before, say });
    } catch (error) {
      if (!open.isKilled() && !isTold(error))
        say(`move ${at}, ${deed}: ${error instanceof Error ? error.stack : error}`);
    }
    if (deed === 'reopen' && !open.isKilled()) await open.session.close();
    if (deed === 'reopen' || open.isKilled()) open = null;
  }
  open ??= await begun(world, { ...setup, faults: 0 }, { n: process, roll, say });
  await open?.session.close();
  return faults;
}

/** An error that says what to do about it, or what the system said. */
const isTold = (error: unknown): boolean =>
  error instanceof TardigradeError || systemErrorCode(error) !== '';

interface Process {
  readonly session: Session;
  readonly stop: { signal: AbortSignal };
  isKilled(): boolean;
  endsAfter(ends: Move['ends']): void;
}

async function begun(
  world: TestWorld,
  { models, contextWindow, isAllowed, isThere, faults }: RandomTalkSetup,
  { n, roll, say }: { readonly n: number; readonly roll: Roll; say(what: string): void },
): Promise<Process | null> {
  const machine = world.machine();
  const faulty = withFaults(machine, roll, faults);
  const kind = pick(models, n);
  let left = Number.POSITIVE_INFINITY;
  let how: 'killed' | 'stopped' = 'killed';
  let isKilled = false;
  let controller = new AbortController();
  const stop = { signal: controller.signal };
  const fs = watchingRecords(faulty.fs, () => {
    left -= 1;
    if (left !== 0) return;
    if (how === 'stopped') return controller.abort();
    isKilled = true;
    machine.kill();
    throw new Error('killed');
  });
  const provider = scriptedProvider(
    (request) => {
      for (const fault of faultsOf(request, kind)) say(fault);
      return randomAnswer(request, roll);
    },
    { ...MODELS[kind], contextWindow },
  );
  try {
    const { session } = await chatIn(world, provider, {
      machine: { ...withBackground(machine, roll), fs },
      ...(isAllowed ? { allow: ['run_cmd(node *)'] } : {}),
      ...(isThere ? { ask: async ({ input }) => pick(answersTo(input), roll()) } : {}),
    });
    return {
      session,
      stop,
      isKilled: () => isKilled,
      endsAfter: (ends) => {
        controller = new AbortController();
        stop.signal = controller.signal;
        left = ends?.after ?? Number.POSITIVE_INFINITY;
        how = ends?.how ?? 'killed';
      },
    };
  } catch (error) {
    if (!(faults > 0 && error instanceof TardigradeError))
      say(`process ${n} does not open: ${error instanceof Error ? error.stack : error}`);
    return null;
  }
}

const faultsOf = ({ messages }: ModelRequest, kind: keyof typeof MODELS): readonly string[] => [
  ...(kind === 'wire' ? faultsOfConversation(messages) : []),
  ...(messages.some(({ role }: Message) => role === 'user') ? [] : ['a request without a message']),
];

async function doneBy(
  session: Session,
  deed: Deed,
  {
    at,
    world,
    roll,
    stop,
  }: {
    readonly at: number;
    readonly world: TestWorld;
    readonly roll: Roll;
    readonly stop: { readonly signal: AbortSignal };
  },
): Promise<void> {
  switch (deed) {
    case 'send':
      await session.send(`message ${at} ${'word '.repeat(pick([1, 200], roll()))}`, stop);
      return;
    case 'command':
      await session.runCommand(pick(['node b.mjs', 'rm a.txt', 'fly'], roll()), stop);
      return;
    case 'undo':
      session.undo();
      return;
    case 'compact':
      await session.compact(stop);
      return;
    case 'aside':
      session.addAside('something', 'engine');
      return;
    case 'allow':
      session.allow(pick(['run_cmd(node *)', 'write(*.txt)', 'nonsense('], roll()));
      return;
    case 'remember':
      session.remember('use tabs');
      return;
    case 'abandon':
      session.abandon();
      return;
    case 'edit':
      meddle(world.machine().fs, WORKSPACE, FILES, roll);
      return;
    case 'reopen':
      return;
  }
}

const FILES = ['a.txt', 'b.mjs', 'sub/c.txt', 'none.txt'];

const filesOf = (world: TestWorld): readonly (string | null)[] =>
  FILES.map((path) => world.read(path));

/** An undo right behind a message that changed files leaves them as they were before it. */
function undone(
  session: Session,
  at: {
    readonly world: TestWorld;
    readonly before: readonly (string | null)[];
    say(what: string): void;
  },
): void {
  const isAsBefore = (): boolean => filesOf(at.world).join('\0') === at.before.join('\0');
  if (session.isOpen || isAsBefore()) return;
  const report = session.undo();
  const { leftAlone, byCommands } = report ?? { leftAlone: [] };
  const isSaid = leftAlone.length > 0 || (byCommands?.uncovered.length ?? 0) > 0;
  if (!isSaid && !isAsBefore())
    at.say(`after an undo: ${JSON.stringify(filesOf(at.world))}, not ${JSON.stringify(at.before)}`);
}

function randomProgram(args: readonly string[], die: number) {
  switch (die % 6) {
    case 1:
      return { output: 'Error: it broke\n', exitCode: 1 };
    case 2:
      return 'timeout' as const;
    case 3:
      return { output: 'wrote\n'.repeat(die), exitCode: 0 };
    default:
      return { output: `${args.join(' ')} says hello\n`, exitCode: 0 };
  }
}
