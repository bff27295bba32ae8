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
import { ProcessOwner } from '../../schema/journal/before-image-copies.ts';
import type { RunningServer } from '../../server/app.ts';
import { connect } from '../../server/client/client.ts';
import type { ServerPlace } from '../../server/place.ts';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../process/program-name.ts';

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
  const { fs, dataFolder, machine } = userResources(terminal);
  const bytes = readFileIfPresent(fs, fileFor(dataFolder, port));
  const read = Note.safeParse(bytes === null ? null : JSON.parse(bytes.toString('utf8')));
  if (!read.success || livenessOf(read.data.owner, machine.identity) === 'dead')
    throw usageError(
      `None of your servers runs at port ${port}.`,
      (agent) => `Start one: ${agent} serve. If it runs at another port, name that port.`,
    );
  const { url, token } = read.data;
  return (await (await connect({ url, token })).link(invocation.rights)).url;
}
