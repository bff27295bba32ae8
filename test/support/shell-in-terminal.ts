/** A shell in a pseudo terminal, and the screen that a person would look at. */
import { TerminalScreen } from './terminal-screen.ts';

type Pty = typeof import('@lydell/node-pty');

/** `null` where there is no prebuilt one for this system, such as with musl; it is said aloud. */
export async function pseudoTerminal(): Promise<Pty | null> {
  try {
    return await import('@lydell/node-pty');
  } catch (error) {
    console.warn(`No pseudo terminal here, so no test in one: ${String(error).split('\n')[0]}`);
    return null;
  }
}

const LONGEST_WAIT_MS = 30_000;

export class ShellInTerminal {
  readonly screen: TerminalScreen;
  readonly #pty: import('@lydell/node-pty').IPty;
  readonly #changed = new Set<() => void>();

  constructor(
    pty: Pty,
    {
      columns,
      rows,
      cwd,
      env,
    }: {
      readonly columns: number;
      readonly rows: number;
      readonly cwd: string;
      readonly env: { readonly [name: string]: string };
    },
  ) {
    this.screen = new TerminalScreen(columns, rows);
    this.#pty = pty.spawn('bash', ['--noprofile', '--norc'], {
      cols: columns,
      rows,
      cwd,
      env: {
        XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR ?? '',
        ...{ ...env, TERM: 'xterm-256color', PS1: '$ ' },
      },
      name: 'xterm-256color',
    });
    this.screen.onAnswer((text) => this.#pty.write(text));
    this.#pty.onData((text) => {
      void this.screen.write(text).then(() => {
        for (const changed of this.#changed) changed();
      });
    });
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** The screen as soon as it shows this. */
  async shows(what: string | RegExp): Promise<string> {
    const isThere = (): boolean => {
      const text = this.screen.text();
      return typeof what === 'string' ? text.includes(what) : what.test(text);
    };
    if (!isThere()) await this.#until(isThere, String(what));
    return this.screen.text();
  }

  #until(isThere: () => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#changed.delete(look);
      };
      const look = (): void => {
        if (!isThere()) return;
        done();
        resolve();
      };
      const timer = setTimeout(() => {
        done();
        reject(new Error(`The screen never showed ${what}:\n${this.screen.everything()}`));
      }, LONGEST_WAIT_MS);
      this.#changed.add(look);
    });
  }

  close(): void {
    this.#pty.kill();
  }
}
