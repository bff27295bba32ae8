/** A policy over a workspace in memory, on any system. */
import { posix } from 'node:path';
import {
  commandDescriptionsFor,
  isBuildFile,
  takeBuilds,
} from '../../src/languages/commands/allowed-commands.ts';
import { buildsBelow, buildsIn, takeBelow } from '../../src/languages/commands/builds-below.ts';
import type { BuildsNow, BuildTexts } from '../../src/languages/commands/command-rule.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { type Policy, type PolicyOptions, policyOf } from '../../src/policy/policy.ts';
import { readLayers } from '../../src/policy/read-layers.ts';
import type { RuleLayers } from '../../src/schema/rule-layers.ts';
import type { RunCmdOptions } from '../../src/tools/builtin/run-cmd.ts';
import { builtinTools, ruleWords } from '../../src/tools/registry.ts';
import { programHints } from '../../src/tools/toolset.ts';

export interface PolicyPlace {
  readonly platform?: NodeJS.Platform;
  /** Texts by their paths. */
  readonly files?: { readonly [path: string]: string };
  readonly rules?: RuleLayers;
  readonly goal?: string;
  /** What was there when the run opened; left out: what is there now. */
  readonly taken?: BuildTexts | null;
  readonly changed?: readonly string[];
  /** Commands are confined. */
  readonly isSandboxed?: boolean;
}

export const policyIn = (place: PolicyPlace): Policy => policyOf(optionsIn(place));

export function optionsIn(place: PolicyPlace): PolicyOptions {
  const { platform = 'linux', files = {}, rules = {}, changed = [], isSandboxed = false } = place;
  const fs = createMemoryFileSystem({ platform });
  const workspace = platform === 'win32' ? 'C:\\ws' : '/ws';
  const join = (...names: string[]) => names.join(platform === 'win32' ? '\\' : '/');
  const make = (folder: string) => {
    try {
      fs.mkdir(folder);
    } catch {
      // It is there.
    }
  };
  if (platform === 'win32') make('C:');
  make(workspace);
  for (const [path, text] of Object.entries(files)) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1)
      make(join(workspace, ...parts.slice(0, depth)));
    const fd = fs.open(join(workspace, ...parts), 'w');
    fs.write(fd, Buffer.from(text), 0);
    fs.close(fd);
  }
  const look = {
    readText: (path: string) => files[path] ?? null,
    names: (folder: string) =>
      Object.keys(files).flatMap((path) =>
        path.startsWith(`${folder}/`) ? (path.slice(folder.length + 1).split('/')[0] ?? []) : [],
      ),
    folders: () =>
      Object.keys(files).flatMap((path) =>
        path.includes('/') && isBuildFile(posix.basename(path)) ? [posix.dirname(path)] : [],
      ),
  };
  const now = () => takeBuilds(look);
  const taken =
    place.taken === undefined ? { ...now(), ...takeBelow(look, takeBuilds) } : place.taken;
  const builds: BuildsNow = {
    ...{ taken, now, hasChanged: (is) => changed.some(is) },
    below: () => buildsBelow(taken, look, takeBuilds),
  };
  return {
    ...{ fs, workspace, home: '/home/me', isSandboxed },
    layers: readLayers(rules, { words: ruleWords(), platform }),
    reading: { words: ruleWords(), platform },
    programHints: programHints(builtinTools({} as RunCmdOptions)),
    commandDescriptions: commandDescriptionsFor(place.goal ?? ''),
    buildsIn: (folder) => buildsIn(folder, builds, look, takeBuilds),
    builds,
  };
}

export type Verdict = { readonly kind: string; readonly reason: string; readonly hint: string };

/** @param allow as on the command line */
export const judgeIn =
  (place: PolicyPlace) =>
  (cmd: string, allow: readonly string[] = []): Verdict => {
    const said = policyIn({
      ...place,
      rules: { ...place.rules, user: { ...place.rules?.user, allow } },
    }).judgeLine(cmd);
    if (said.kind === 'unreadable') throw new Error(said.text);
    return { reason: '', hint: '', ...said };
  };

/** A policy with its defaults, `allow` and `deny` over a real folder. */
export const policyOver = (
  fs: FileSystem,
  workspace: string,
  allow: readonly string[] = [],
  deny: readonly string[] = [],
): Policy => {
  const reading = { words: ruleWords(), platform: fs.platform };
  return policyOf({
    ...{ fs, workspace, reading, commandDescriptions: commandDescriptionsFor('') },
    layers: readLayers({ user: { allow, deny } }, reading),
    programHints: programHints(builtinTools({} as RunCmdOptions)),
  });
};
