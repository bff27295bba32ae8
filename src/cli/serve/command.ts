/**
 * `agent serve`: serves runs and conversations over HTTP to this machine.
 *
 * 1. It prints a single link. Whoever has the link may do what its right allows; without a named right, everything.
 * 2. It does not start inside a run, whose programs could use it to answer for a person.
 */

import { join } from 'node:path';
import * as z from 'zod';
import { userResources } from '../../host/user/user-resources.ts';
import { ownerNow } from '../../host/work-files.ts';
import { livenessOf } from '../../journal/lock/identity.ts';
import { TardigradeError } from '../../lib/errors.ts';
import {
  discard,
  ensureDirectory,
  readFileIfPresent,
  replaceFile,
} from '../../lib/files/durable-files.ts';
import { orNull } from '../../lib/or-null.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { ProcessOwner } from '../../schema/journal/before-image-copies.ts';
import { type RunningServer, startServer } from '../../server/app.ts';
import { connect } from '../../server/client/client.ts';
import type { ServerPlace } from '../../server/place.ts';
import type { CommandContext } from '../command-context.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { AGENT, commandToPaste, usageError } from '../process/program-name.ts';
import { refuseInsideRun } from '../questions/person-there.ts';
import { printFolded } from '../render/text/fold.ts';
import { hostAndPort, USUAL_PORT } from './address.ts';
import { serverPlace } from './server-place.ts';

export async function serveCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal } = context;
  refuseInsideRun(
    terminal,
    'serve runs, or answer for a person',
    'Start the server from a terminal of your own.',
  );
  if (invocation.workFile !== undefined)
    return (await import('./work.ts')).workOnFile(invocation.workFile, context);
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
      `For a link to it: ${AGENT} ${linkWords(address.port).join(' ')}. For a second one, choose another port.`,
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

function linkCommand(terminal: CommandContext['terminal'], url: string): string {
  return commandToPaste(terminal, [...linkWords(Number(new URL(url).port))]);
}

const wordsFor = (roots: readonly string[], link: string): string =>
  [
    `Serving ${roots.join(', ')}. The link works once, within a minute; for a new one: ${link}`,
    'Ctrl+C stops the server; runs continue without it.',
    'Without a sandbox, a command of a run has your rights: it could answer for you.',
    '',
  ].join('\n');

/** Says how to ask an active server for a new link, in a file that only its user can read. */
const Note = z.object({ url: z.string(), token: z.string(), owner: ProcessOwner });

const fileFor = (dataFolder: string, port: number): string =>
  join(dataFolder, 'serve', `at-${port}.json`);

/** @returns a function that removes the file */
function keepAddress(
  { fs, dataFolder, identity, clock }: ServerPlace,
  { url, token }: RunningServer,
): () => void {
  const owner = ownerNow(identity, clock.now());
  const file = fileFor(dataFolder, Number(new URL(url).port));
  ensureDirectory(fs, join(dataFolder, 'serve'));
  replaceFile(fs, file, Buffer.from(`${JSON.stringify({ url, token, owner })}\n`), {
    isSynced: false,
  });
  return () => discard(fs, file);
}

/** Throws E_USAGE if no server listens on that port. */
async function linkOf({ terminal, invocation }: CommandContext, port: number): Promise<string> {
  const note = noteAt(terminal, port);
  if (note === null) {
    const [other] = portsServed(terminal);
    throw usageError(
      `None of your servers runs at port ${port}.`,
      other === undefined
        ? `Start one: ${AGENT} serve`
        : `One runs at port ${other}: ${AGENT} ${linkWords(other).join(' ')}`,
    );
  }
  const { url, token } = note;
  return (await (await connect({ url, token })).link(invocation.rights)).url;
}

const linkWords = (port: number): readonly string[] => [
  ...['serve', longFlag(OPTIONS.link)],
  ...(port === USUAL_PORT ? [] : [longFlag(OPTIONS.port), String(port)]),
];

type Terminal = CommandContext['terminal'];

/** The note of a server; `null`: none of this user's servers runs there. */
function noteAt(terminal: Terminal, port: number): z.infer<typeof Note> | null {
  const { fs, dataFolder, machine } = userResources(terminal);
  const bytes = readFileIfPresent(fs, fileFor(dataFolder, port));
  const read = Note.safeParse(bytes === null ? null : JSON.parse(bytes.toString('utf8')));
  return read.success && livenessOf(read.data.owner, machine.identity) !== 'dead'
    ? read.data
    : null;
}

function portsServed(terminal: Terminal): readonly number[] {
  const { fs, dataFolder } = userResources(terminal);
  return (orNull(() => fs.readdir(join(dataFolder, 'serve'))) ?? [])
    .flatMap((name) => /^at-(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .filter((port) => noteAt(terminal, port) !== null);
}
