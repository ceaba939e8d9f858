/** Renders docs/guides/admin.md as HTML for the page's help. Images and links to other pages of the documentation are left out. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import { Marked } from 'marked';
import type { Plugin } from 'vite';

const GUIDE = fileURLToPath(new URL('../docs/guides/admin.md', import.meta.url));
const NAME = 'virtual:guide';

export function guidePlugin(): Plugin {
  return {
    name: 'guide',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      this.addWatchFile(GUIDE);
      return `export default ${JSON.stringify(render(readFileSync(GUIDE, 'utf8')))};`;
    },
  };
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

function render(markdown: string): string {
  const slugger = new GithubSlugger();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        // The page itself has the only heading of level 1.
        const level = Math.max(2, depth);
        return `<h${level} id="${slugger.slug(text)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      image: () => '',
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return href.startsWith('#') ? `<a href="#/help/${href.slice(1)}">${text}</a>` : text;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}
