/** A folder of a test in the place of the user's own, on every system. */
import { configFolderOf } from '../../src/host/user/user-folders.ts';

export const homeVariables = (home: string) => ({
  ...{ HOME: home, USERPROFILE: home },
  ...{ XDG_CONFIG_HOME: home, APPDATA: home },
});

/** Where the program looks for settings there. */
export const configFolder = (home: string): string =>
  configFolderOf({ env: homeVariables(home), platform: process.platform });
