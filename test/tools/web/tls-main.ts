/** Asks for pages over https, by a proxy or without one, in a process of its own with its own list of authorities. */
import { getPage } from '../../../src/tools/web/get-page.ts';

const [port = '', proxy = '', ...names] = process.argv.slice(2);
const ports = {
  lookup: async () => [{ address: proxy === '' ? '127.0.0.1' : '192.0.2.1', family: 4 }],
  isSpecial: () => false,
  proxyFor: () => (proxy === '' ? null : new URL(proxy)),
};
const said: string[] = [];
for (const name of names) {
  const url = new URL(`https://${name}:${port}/`);
  const options = { signal: new AbortController().signal, userAgent: 'test' };
  said.push(
    await getPage(url, ports, options).then(
      ({ status, body }) => `${status} ${body}`,
      (error: NodeJS.ErrnoException) => String(error.code),
    ),
  );
}
process.stdout.write(JSON.stringify(said));
