/** Two machines on one: processes with a host name and a boot of their own. */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { linuxProcesses, startTimeOf } from '../../src/processes/identity.ts';
import { operatingSystem } from '../../src/processes/operating-system.ts';

/** Gives a program a host name and a boot of its own, as on another machine; the processes of both stay to be seen. */
const ON_ANOTHER = `hostname "$0" && mount --bind "$1" /proc/sys/kernel/random/boot_id && shift && exec "$@"`;

export const onMachine = (name: string, bootFile: string): readonly string[] => [
  ...['unshare', '--mount', '--uts', 'sh', '-c', ON_ANOTHER, name, bootFile],
];

/** Why there can be no two machines; '': there can. */
export function whyNoMachines(): string {
  if (process.platform !== 'linux') return 'only Linux has namespaces';
  const [program = '', ...words] = onMachine('two', '/dev/null');
  const { status } = spawnSync(program, [...words, 'true'], { stdio: 'ignore' });
  return status === 0 ? '' : 'namespaces of its own cannot be made for a process here';
}

/** Of a process and all that it has started. */
export function descendants(of: number): readonly number[] {
  const all = linuxProcesses(operatingSystem('linux', undefined));
  const below = (pid: number): number[] =>
    all.filter(({ parent }) => parent === pid).flatMap((one) => [one.pid, ...below(one.pid)]);
  return [of, ...below(of)];
}

export const isThere = (pid: number): boolean =>
  startTimeOf(pid, operatingSystem('linux', undefined)) !== null;

/** Where a worker listens, as it says itself. */
export const portOf = (child: ChildProcess): Promise<number> =>
  new Promise((done, fail) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const port = /:(\d+)\n/.exec(said)?.[1];
      if (port !== undefined) done(Number(port));
    });
    child.once('exit', (code) => fail(new Error(`a worker ended with ${code}`)));
  });
