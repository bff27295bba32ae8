/** Where an active server says how to ask it for a new link: a file that only its user can read. */
import { join } from 'node:path';
import * as z from 'zod';
import { userResources } from '../../host/user/user-resources.ts';
import { ownerNow } from '../../host/work-files.ts';
import { livenessOf } from '../../journal/lock/identity.ts';
import {
  discard,
  ensureDirectory,
  readFileIfPresent,
  replaceUnsynced,
} from '../../lib/files/durable-files.ts';
import { orNull } from '../../lib/or-null.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { ProcessOwner } from '../../schema/journal/before-image-copies.ts';
import type { RunningServer } from '../../server/app.ts';
import { connect } from '../../server/client/client.ts';
import type { ServerPlace } from '../../server/place.ts';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../process/program-name.ts';
import { USUAL_PORT } from './address.ts';

const Note = z.object({ url: z.string(), token: z.string(), owner: ProcessOwner });

const fileFor = (dataFolder: string, port: number): string =>
  join(dataFolder, 'serve', `at-${port}.json`);

/** @returns a function that removes the file */
export function keepAddress(
  { fs, dataFolder, identity, clock }: ServerPlace,
  { url, token }: RunningServer,
): () => void {
  const owner = ownerNow(identity, clock.now());
  const file = fileFor(dataFolder, Number(new URL(url).port));
  ensureDirectory(fs, join(dataFolder, 'serve'));
  replaceUnsynced(fs, file, Buffer.from(`${JSON.stringify({ url, token, owner })}\n`));
  return () => discard(fs, file);
}

/** Throws E_USAGE if no server listens on that port. */
export async function linkOf(
  { terminal, invocation }: CommandContext,
  port: number,
): Promise<string> {
  const note = noteAt(terminal, port);
  if (note === null) {
    const [other] = portsServed(terminal);
    throw usageError(`None of your servers runs at port ${port}.`, (agent) =>
      other === undefined
        ? `Start one: ${agent} serve`
        : `One runs at port ${other}: ${agent} ${linkWords(other).join(' ')}`,
    );
  }
  const { url, token } = note;
  return (await (await connect({ url, token })).link(invocation.rights)).url;
}

/** What asks the server at this port for a link. */
export const linkWords = (port: number): readonly string[] => [
  ...['serve', longFlag(OPTIONS.link)],
  ...(port === USUAL_PORT ? [] : [longFlag(OPTIONS.port), String(port)]),
];

type Terminal = CommandContext['terminal'];

/** `null`: none of this user's servers runs there. */
function noteAt(terminal: Terminal, port: number): z.infer<typeof Note> | null {
  const { fs, dataFolder, machine } = userResources(terminal);
  const bytes = readFileIfPresent(fs, fileFor(dataFolder, port));
  const read = Note.safeParse(bytes === null ? null : JSON.parse(bytes.toString('utf8')));
  return read.success && livenessOf(read.data.owner, machine.identity) !== 'dead'
    ? read.data
    : null;
}

/** The ports at which servers of this user run. */
export function portsServed(terminal: Terminal): readonly number[] {
  const { fs, dataFolder } = userResources(terminal);
  return (orNull(() => fs.readdir(join(dataFolder, 'serve'))) ?? [])
    .flatMap((name) => /^at-(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .filter((port) => noteAt(terminal, port) !== null);
}
