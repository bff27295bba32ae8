/** The program folders of a workspace, and who may allow them. */

import { FolderTrust, type TrustPorts } from '../../round/permission/folder-trust.ts';
import { answerTo } from '../../round/permission/with-answers.ts';
import type { OpenedRun } from '../open.ts';
import type { RunRequest } from '../options.ts';
import { layersOf } from '../start/permissions.ts';

type FolderTrustOptions = Parameters<typeof layersOf>[1] &
  Pick<RunRequest, 'yes' | 'ask' | 'programConsents'>;

export function folderTrustOf(
  { context, workspace }: Pick<OpenedRun, 'context' | 'workspace'>,
  request: FolderTrustOptions,
): FolderTrust {
  const { origin, machine, yes: isYes, programConsents: consents } = request;
  const isOwn = (answer: { readonly id: string; readonly allowed: boolean }): boolean =>
    origin.isOwnGrant(context.state.run, answer);
  const ports: TrustPorts = {
    workspace,
    fs: machine.fs,
    consents,
    isYes,
    layers: layersOf({ context }, request),
    answerTo: (stamp) => answerTo(stamp, { context, asking: { isYes, isOwn } })?.allowed ?? null,
    record: (record) => context.record(record),
  };
  return new FolderTrust(ports);
}

/** True when a program could become available because someone can be asked to allow its folder. */
export const mayBeAllowed =
  (folders: FolderTrust, { ask }: Pick<RunRequest, 'ask'>) =>
  (program: string): boolean => {
    const offer = ask === null ? null : folders.lacking(program);
    return offer !== null && folders.isUnanswered(offer);
  };
