/** The documentation site: `npm run docs` builds it into `.vitepress/dist`, `npm run docs:dev` serves the sources. */
import { cpSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig, type MarkdownRenderer } from 'vitepress';

const DOCS = fileURLToPath(new URL('..', import.meta.url));

/** Guides in the order in which a new user needs them. Pages that are not named follow in the order of their names. */
const GUIDES = [
  'getting-started',
  'admin',
  'people',
  'import',
  'prices',
  'orders',
  'languages',
  'client',
  'storefront',
  'sync',
  'privacy',
  'production',
];
const REFERENCE = ['configuration', 'commands', 'requests'];
const CONTRACT = [
  'http',
  'catalog',
  'orders',
  'pricing',
  'shipping',
  'storefront',
  'profiles',
  'sync',
  'access',
  'mail',
];

export default defineConfig({
  lang: 'en-US',
  title: 'Purveyor',
  description: 'A self-hosted store REST API: catalog, orders and customers as JSON over HTTP',
  // GitHub shows a folder's README.md where a site has its index.html.
  rewrites: { ':folder/README.md': ':folder/index.md' },
  markdown: {
    // As on GitHub: the architecture test checks every `page.md#heading` by its rule.
    anchor: { slugify: githubSlug },
    // A tag in a sentence, such as <name>, is text.
    html: false,
    config: linkFiles,
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guides/getting-started', activeMatch: '^/guides/' },
      { text: 'Reference', link: '/reference/configuration', activeMatch: '^/reference/' },
      { text: 'Contract', link: '/contract/', activeMatch: '^/contract/' },
      { text: 'Reliability', link: '/reliability', activeMatch: '^/reliability' },
    ],
    sidebar: [
      { text: 'Guides', items: pages('guides', GUIDES) },
      { text: 'Reference', items: [...pages('reference', REFERENCE), page('glossary.md')] },
      { text: 'Contract', items: pages('contract', CONTRACT) },
      {
        text: 'Explanation',
        items: [
          { ...page('reliability.md'), collapsed: true, items: pages('reliability') },
          ...['performance.md', 'scale.md', 'dependencies.md'].map(page),
          { text: 'Decisions', collapsed: true, items: pages('decisions') },
        ],
      },
      { text: 'Contributing', items: ['code-map.md', 'style.md'].map(page) },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
  },
  // The search index is one chunk.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  buildEnd({ outDir }) {
    for (const file of globSync('guides/proxy/*', { cwd: DOCS })) cpSync(join(DOCS, file), join(outDir, file));
  },
});

function page(file: string): DefaultTheme.SidebarItem {
  const heading = /^# (.+)$/m.exec(readFileSync(join(DOCS, file), 'utf8'))?.[1] ?? file;
  const text = basename(file) === 'README.md' ? 'Overview' : heading.replaceAll('`', '');
  return { text, link: `/${file.replace(/(README)?\.md$/, '')}` };
}

/** The pages of a folder: those named in `order` first. */
function pages(folder: string, order: readonly string[] = []): DefaultTheme.SidebarItem[] {
  const first = ['README', ...order];
  const rank = (file: string): number => first.indexOf(basename(file, '.md')) + 1 || first.length + 1;
  return globSync(`${folder}/*.md`, { cwd: DOCS })
    .sort()
    .sort((a, b) => rank(a) - rank(b))
    .map(page);
}

type Token = ReturnType<MarkdownRenderer['parse']>[number];

function githubSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * Adapts links to files that are not pages of the site. VitePress resolves the others and fails the build if one is dead.
 *
 * - Outside `docs/`: shown as code, with the path in the repository as tooltip. The site does not know the repository's address.
 * - Other files in `docs/`, such as a proxy's configuration: opens the file, which `buildEnd` copies.
 */
function linkFiles(md: MarkdownRenderer): void {
  md.core.ruler.push('link-files', ({ tokens, env }) => {
    for (const { open, close } of tokens.flatMap(({ children }) => linksIn(children ?? []))) {
      const [path = '', anchor = ''] = open.attrGet('href')!.split(/(?=#)/);
      if (path === '' || /^[a-z]+:/.test(path)) continue;
      const target = relative(DOCS, join(dirname(env.path), path));
      if (target.startsWith('..')) {
        open.attrs = [['title', relative(join(DOCS, '..'), join(DOCS, target))]];
        for (const each of [open, close]) Object.assign(each, { type: 'repository_file', tag: 'code' });
      } else if (basename(path) === 'README.md') open.attrSet('href', `./${dirname(path)}/${anchor}`);
      else if (extname(path) !== '.md' && statSync(join(DOCS, target), { throwIfNoEntry: false })?.isFile())
        open.attrSet('target', '_blank');
    }
  });
}

function linksIn(tokens: Token[]): { open: Token; close: Token }[] {
  const ends = tokens.filter(({ type }) => /^link_(open|close)$/.test(type));
  // Links do not nest.
  return ends.flatMap((open, at) => (open.type === 'link_open' ? [{ open, close: ends[at + 1]! }] : []));
}
