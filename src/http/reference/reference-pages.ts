/** The page of the interactive reference, which contains a list of all operations. */
import { operationIndex } from './operation-index.ts';
import { HTML_TYPE, ownFile, type PublicFile } from './public-files.ts';

/** The path of the reference in release 5.5. */
export const OLD_PATH = '/api/docs';

type PagePath = '/api' | typeof OLD_PATH;

export class ReferencePages {
  readonly #hasAdminPage: boolean;
  readonly #pages = new Map<PagePath, PublicFile>();

  constructor(hasAdminPage: boolean) {
    this.#hasAdminPage = hasAdminPage;
  }

  /** Creates the page at the first request. @param document returns the OpenAPI document */
  at(path: PagePath, document: () => PublicFile): PublicFile {
    const known = this.#pages.get(path);
    if (known) return known;
    const operations = operationIndex(JSON.parse(document().bytes.toString()));
    const page = ownFile('page.html', HTML_TYPE, (html) => {
      const linked = this.#hasAdminPage ? html : linesWithout('class="ways"', html);
      // Addresses are relative to the page, so that it works behind any proxy.
      const placed = path === '/api' ? linked : linked.replaceAll('="api/', '="').replace('="admin"', '="../admin"');
      return placed.replace('<!-- operations -->', () => operations);
    });
    this.#pages.set(path, page);
    return page;
  }
}

function linesWithout(part: string, text: string): string {
  const lines = text.split('\n').filter((line) => !line.includes(part));
  return lines.join('\n');
}
