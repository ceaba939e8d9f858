/** Makes the browser load the scripts of React while it runs `main.ts`, which imports them after its first requests. */
import type { Plugin } from 'vite';

export function preloadPlugin(): Plugin {
  return {
    name: 'preload',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = new Set<string>();
        const add = (file: string): void => {
          const found = bundle[file];
          if (found?.type !== 'chunk' || html.includes(file) || files.has(file)) return;
          files.add(file);
          found.imports.forEach(add);
        };
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith('/src/start.tsx'))) add(file.fileName);
        return [...files].map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'script', crossorigin: true, href: `/admin/${file}` },
          injectTo: 'head',
        }));
      },
    },
  };
}
