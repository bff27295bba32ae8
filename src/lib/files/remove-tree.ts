/** Removes entries that no path of characters can name, and folders that their owner may not read. */
import fs from 'node:fs';

/** Removes a folder with everything in it; follows no link. */
export function removeTree(folder: string, platform: NodeJS.Platform): void {
  remove(Buffer.from(folder), platform);
}

const SLASH = Buffer.from('/');

function remove(path: Buffer, platform: NodeJS.Platform): void {
  const stats = fs.lstatSync(path);
  if (!stats.isDirectory()) {
    fs.unlinkSync(path);
    return;
  }
  if ((stats.mode & OWNERS) !== OWNERS) open(path, platform);
  const names = fs.readdirSync(path, { encoding: 'buffer' });
  for (const name of names) remove(Buffer.concat([path, SLASH, name]), platform);
  fs.rmdirSync(path);
}

/** Opens the modes of a folder. Without a way to change a mode that follows no link, the mode stays. */
function open(folder: Buffer, platform: NodeJS.Platform): void {
  if (platform === 'darwin') fs.lchmodSync(folder, OWNERS);
  if (platform !== 'linux') return;
  const fd = fs.openSync(folder, O_PATH | fs.constants.O_NOFOLLOW | fs.constants.O_DIRECTORY);
  try {
    fs.chmodSync(`/proc/self/fd/${fd}`, OWNERS);
  } finally {
    fs.closeSync(fd);
  }
}

const OWNERS = 0o700;

/** A handle that needs no right to read; Node has no name for it. */
const O_PATH = 0o10000000;
