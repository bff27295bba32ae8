/** Where the SDK of the fleet may be installed: beside this program, or where `agent setup fleet` puts it. */
import { dataFolderOf } from '../../host/user/user-folders.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { CommandContext } from '../command-context.ts';

export const fleetFolder = ({ terminal }: Pick<CommandContext, 'terminal'>): string =>
  pathsOf(terminal.platform).join(dataFolderOf(terminal), 'fleet');

/** Paths of files, each of which may be missing. */
export const sdkPlaces = (context: Pick<CommandContext, 'terminal'>): readonly string[] => {
  const { join } = pathsOf(context.terminal.platform);
  return [context.terminal.programFolder, fleetFolder(context)].map((folder) =>
    join(folder, 'any'),
  );
};
