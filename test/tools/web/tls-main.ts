/** Asks for pages over https in a process of its own, whose list of authorities is set by its environment. */
import { getPage } from '../../../src/tools/web/get-page.ts';

const [port = '', ...names] = process.argv.slice(2);
const ports = {
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  isSpecial: () => false,
  proxyFor: () => null,
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
