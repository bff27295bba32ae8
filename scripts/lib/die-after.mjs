// node --import …/die-after.mjs: ends this process, as SIGKILL does, behind what `DIE_AFTER` says. `action_intended:2`:
// the second line of that type was written to a journal; `renamed:list.txt`: a file got that name.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

const [type, what = '1'] = (process.env.DIE_AFTER ?? '').split(':');
const { writeSync, renameSync } = fs;
let left = Number(what);

const die = () => process.kill(process.pid, 'SIGKILL');

fs.writeSync = (fd, bytes, ...rest) => {
  const count = writeSync(fd, bytes, ...rest);
  const lines = Buffer.from(bytes).toString('utf8').split('\n');
  const isMeant = (line) => line.startsWith('{"seq":') && line.includes(`"type":"${type}"`);
  left -= lines.filter(isMeant).length;
  if (left <= 0) die();
  return count;
};
fs.renameSync = (from, to) => {
  renameSync(from, to);
  if (type === 'renamed' && basename(String(to)) === what) die();
};
syncBuiltinESMExports();
