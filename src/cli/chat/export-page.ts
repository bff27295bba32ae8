/** Exports a run as one file: the page with its journal inside. It needs no server and contacts none. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RunListing } from '../../host/engine-port.ts';
import { statusOf } from '../../host/journals/run-status.ts';
import { replayed } from '../../host/library/replay.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { readFileIfPresent } from '../../lib/files/durable-files.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import type { FileDiff } from '../../server/api/run-schemas.ts';
import { fileDiffOf } from '../../server/runs/file-diff.ts';
import { saidBy } from '../../server/runs/said.ts';
import type { CommandContext } from '../command-context.ts';
import { AGENT, usageError } from '../process/program-name.ts';

/** `agent export NUMBER --format html`. */
export async function exportPage(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { workspace } = invocation;
  const run = runMeant(context);
  const { machine } = userResources(terminal);
  const events: StreamEvent[] = [...replayed({ workspace, run: run.id }, machine)];
  const state = engine.readRun(workspace, run.id);
  const files: FileDiff[] = [];
  for (const one of (await engine.changes(workspace, { run: run.id })) ?? [])
    files.push(await fileDiffOf(one, state, true));
  const owner = run.isCurrent ? engine.lockOwner(workspace) : null;
  const saved = {
    run: run.id,
    standing: state === null ? 'damaged' : statusOf(state, owner),
    at: terminal.clock.now(),
    version: terminal.version,
    events,
    files,
    ...(state === null
      ? {}
      : { said: saidBy(state, { fs: nodeFileSystem, workspace, run: run.id }) }),
  };
  const text = pageWith(saved, (name) => pageFile(terminal.programFolder, name));
  if (terminal.toFile === undefined) terminal.stdout.write(text);
  else terminal.toFile(text);
  return 0;
}

export function runMeant({ invocation, engine }: CommandContext): RunListing {
  const { workspace, id } = invocation;
  const found = engine
    .listRuns(workspace)
    .find((run) => run.id === id || String(run.number) === id);
  if (found !== undefined) return found;
  throw usageError(
    `There is no run "${id}" in this folder.`,
    `Give the number of a run, as ${AGENT} runs lists them.`,
  );
}

function pageFile(programFolder: string, name: string): string {
  const found = readFileIfPresent(nodeFileSystem, join(programFolder, 'page', name));
  if (found !== null) return found.toString('utf8');
  throw new TardigradeError(
    'E_IO',
    `The page is not beside the program: ${name} is missing.`,
    'Install the program again.',
  );
}

const hashed = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page's policy names its only script and style by hash, so nothing in the journal can run. */
export function pageWith(saved: object, fileNamed: (name: string) => string): string {
  const document = fileNamed('index.html');
  const named = (form: RegExp): string => fileNamed(form.exec(document)?.[1] ?? '');
  const [script, style] = [named(/ src="([^"]+)"/), named(/ rel="stylesheet" href="([^"]+)"/)];
  const policy = `default-src 'none'; script-src ${hashed(script)}; style-src ${hashed(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  // JSON, escaped so that no HTML reader finds the end of its element in it.
  const data = JSON.stringify(saved).replace(/[<>&\u2028\u2029]/g, asEscape);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Tardigrade: a run</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><div id="page"></div><script type="application/json" id="saved">${data}</script>
<script type="module">${script}</script></body></html>
`;
}

const asEscape = (letter: string): string =>
  `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
