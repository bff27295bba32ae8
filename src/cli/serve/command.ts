/**
 * `agent serve`: serves runs and conversations over HTTP to this machine.
 *
 * 1. It prints a single link. Whoever has the link may do what its right allows; without a named right, everything.
 * 2. It does not start inside a run, whose programs could use it to answer for a person.
 */
import { misuse, TardigradeError } from '../../lib/errors.ts';
import { INSIDE_A_RUN } from '../../processes/environment.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { startServer } from '../../server/app.ts';
import type { CommandContext } from '../command-context.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { ownCommand, usageError } from '../process/program-name.ts';
import { printFolded } from '../render/text/fold.ts';
import { hostAndPort } from './address.ts';
import { keepAddress, linkOf, linkWords, portsServed } from './link.ts';
import { serverPlace } from './server-place.ts';

export async function serveCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal } = context;
  if (terminal.env[INSIDE_A_RUN] !== undefined)
    throw misuse(
      'A program that a run has started cannot serve runs, or answer for a person.',
      'Start the server from a terminal of your own.',
    );
  if (invocation.workFile !== undefined)
    return (await import('./work.ts')).workOn(invocation.workFile, context);
  const { host, port, others } = hostAndPort(context.configured.begin);
  if (invocation.link === true) {
    terminal.stdout.write(`${await linkOf(context, port)}\n`);
    return EXIT.achieved;
  }
  return serve(context, { host, port, others });
}

async function serve(
  context: CommandContext,
  address: ReturnType<typeof hostAndPort>,
): Promise<number> {
  const { invocation, terminal } = context;
  const interrupt = listenForInterrupt(terminal, EXIT.achieved, {
    onFirst: () => printFolded(terminal.stderr, 'Stopping; runs continue.\n'),
  });
  const place = await serverPlace(context);
  const server = await startServer({ place, ...address }).catch((error: unknown) => {
    const isOurs = error instanceof TardigradeError && portsServed(terminal).includes(address.port);
    if (!isOurs) throw error;
    throw usageError(
      `Your server runs at port ${address.port} already.`,
      (agent) =>
        `For a link to it: ${agent} ${linkWords(address.port).join(' ')}. For a second one, choose another port.`,
    );
  });
  const takeAway = keepAddress(place, server);
  try {
    terminal.stdout.write(`${server.link(invocation.rights)}\n`);
    printFolded(terminal.stderr, wordsFor(place.roots, linkCommand(terminal, server.url)));
    await interrupt.stopped;
  } finally {
    takeAway();
    await server.close();
    interrupt.dispose();
  }
  return EXIT.achieved;
}

/** The command for exactly this server. */
function linkCommand(terminal: CommandContext['terminal'], url: string): string {
  return ownCommand(terminal, [...linkWords(Number(new URL(url).port))]);
}

const wordsFor = (roots: readonly string[], link: string): string =>
  [
    `Serving ${roots.join(', ')}. The link works once, within a minute; for a new one: ${link}`,
    'Ctrl+C stops the server; runs continue without it.',
    'Without a sandbox, a command of a run has your rights: it could answer for you.',
    '',
  ].join('\n');
