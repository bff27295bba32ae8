import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type FileSystem, nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import type { Processes } from '../../src/processes/contract.ts';
import type { PerformHooks, Tool, ToolContext } from '../../src/tools/contract.ts';
import type { Decide } from '../../src/tools/decision.ts';

const noProcesses: Processes = {
  platform: process.platform,
  place: { boot: 'today', pidNamespace: '', isGated: true },
  run: () => Promise.reject(new Error('no process is started here')),
  resolve: () => null,
  startTime: () => null,
  killTree: () => Promise.resolve(),
  endLeftover: async () => 'none',
};

/** A workspace in a temporary folder, and what the run knows of its files. */
export interface TestWorkspace {
  readonly root: string;
  readonly context: ToolContext;
  readonly known: Map<string, string | null>;
  readonly blobs: Map<string, Uint8Array>;
  write(relative: string, content: string | Uint8Array): void;
  /** As `write`, and the run has read it. */
  writeKnown(relative: string, content: string | Uint8Array): void;
  read(relative: string): string;
  bytes(relative: string): Buffer;
  exists(relative: string): boolean;
}

export function makeWorkspace(
  overrides: Partial<FileSystem> = {},
  more: Partial<ToolContext> = {},
): TestWorkspace {
  const root = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), 'tardigrade-')));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  const known = new Map<string, string | null>();
  const blobs = new Map<string, Uint8Array>();
  const at = (relative: string): string => path.join(root, relative);
  const write = (relative: string, content: string | Uint8Array): void => {
    fs.mkdirSync(path.dirname(at(relative)), { recursive: true });
    fs.writeFileSync(at(relative), content);
  };
  return {
    root,
    known,
    blobs,
    context: {
      workspace: root,
      fs: { ...nodeFileSystem, ...overrides },
      processes: noProcesses,
      lastKnownHash: (relative) => known.get(relative),
      originalOf: () => null,
      storeBlob: (bytes) => {
        const hash = sha256(bytes);
        blobs.set(hash, bytes);
        return hash;
      },
      maxResultChars: 4_000,
      ...more,
    },
    write,
    writeKnown: (relative, content) => {
      write(relative, content);
      known.set(relative, sha256(content));
    },
    read: (relative) => fs.readFileSync(at(relative), 'utf8'),
    bytes: (relative) => fs.readFileSync(at(relative)),
    exists: (relative) => fs.existsSync(at(relative)),
  };
}

/** A policy that lets everything through. */
export const allowAll: Decide = async () => ({ kind: 'allow' });

const idle: PerformHooks = {
  signal: new AbortController().signal,
  onSpawn: () => {},
  onOutput: () => {},
};

/** Prepares and performs in one go, the way `executeCall` does without its records. */
export async function use(
  tool: Tool,
  workspace: TestWorkspace,
  args: Record<string, unknown>,
  hooks: Partial<PerformHooks> = {},
) {
  const parsed = tool.args.parse(args);
  if (!parsed.ok) throw new Error(parsed.faults.join('; '));
  const prepared = await tool.prepare(parsed.args, workspace.context);
  return prepared.kind === 'refused' ? prepared.result : prepared.perform({ ...idle, ...hooks });
}
