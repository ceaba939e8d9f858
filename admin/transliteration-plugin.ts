/**
 * Provides the table of `any-ascii` as a data file instead of as script: an import needs it only if a file has variants without a SKU,
 * and it is a third as large as the rest of the page.
 */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const NAME = 'virtual:transliteration-url';
const DEVELOPMENT_PATH = '/admin/transliteration.json';
/** Unicode has so many blocks of 256 code points. */
const BLOCKS = 0x1100;

export function transliterationPlugin(): Plugin {
  let isBuild = true;
  return {
    name: 'transliteration',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    configureServer(server) {
      server.middlewares.use(DEVELOPMENT_PATH, async (_request, response) => {
        response.setHeader('content-type', 'application/json').end(await readTable());
      });
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      if (!isBuild) return `export default ${JSON.stringify(DEVELOPMENT_PATH)};`;
      const reference = this.emitFile({ type: 'asset', name: 'transliteration.json', source: await readTable() });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
  };
}

/** Returns the texts of each block, separated by tabs, as JSON. */
async function readTable(): Promise<string> {
  // Installed with the server, whose import uses it.
  const installed = createRequire(fileURLToPath(new URL('../package.json', import.meta.url)));
  const path = installed.resolve('any-ascii').replace(/any-ascii\.js$/, 'block.js');
  const { default: block } = (await import(pathToFileURL(path).href)) as { default(number: number): string };
  const blocks = Array.from({ length: BLOCKS }, (_, number) => [number, block(number)] as const);
  return JSON.stringify(Object.fromEntries(blocks.filter(([, texts]) => texts)));
}
