// Servers that are not there.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Provider } from '../../src/llm/provider.ts';
import { takeTurn } from '../../src/llm/turn/take-turn.ts';
import { ManualClock, requestOf } from '../llm/support.ts';
import { CUT, never } from './asking.ts';

export function addresses(at: (url: string) => Provider): void {
  describe('an address', () => {
    const askAt = async (url: string, deadlines = {}) => {
      const provider = at(url);
      try {
        const clock = new ManualClock();
        return await takeTurn(provider, requestOf(), { signal: never(), clock, deadlines });
      } finally {
        await provider.close();
      }
    };
    const listening = async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return { server, port: (server.address() as AddressInfo).port };
    };

    it('where nobody listens may be asked again, and is named', async () => {
      const { server, port } = await listening();
      server.close();
      const url = `http://127.0.0.1:${port}`;
      const { status, detail, hint } = await askAt(url);
      expect(status).toEqual(CUT);
      expect(detail).toContain(url);
      expect(detail).toContain('ECONNREFUSED');
      expect(hint).not.toBe('');
    });

    it('whose host nobody knows is named', async () => {
      const { status, detail } = await askAt('http://no-such-host.invalid');
      expect(status.kind).toBe('network_error');
      expect(detail).toMatch(/host of .*no-such-host\.invalid.* is not known/);
    });

    it('that takes a connection and says nothing is given up in time, and may be asked again', async () => {
      const { server, port } = await listening();
      // The connection stands when both sides have agreed on keys, which never happens here.
      const { status } = await askAt(`https://127.0.0.1:${port}`, { connectMs: 20 });
      expect(status).toEqual(CUT);
      server.close();
    });
  });
}
