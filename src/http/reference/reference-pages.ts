/** The page of the interactive reference, which contains a list of all operations. */
import { STOREFRONT_PATH } from '../responses/headers.ts';
import { operationIndex } from './operation-index.ts';
import { HTML_TYPE, ownFile, type PublicFile } from './public-files.ts';

/** The path of the reference in release 5.5. */
export const OLD_PATH = '/api/docs';

type PagePath = '/api' | typeof OLD_PATH | typeof STOREFRONT_PATH;

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
      return placedAt(path, linked).replace('<!-- operations -->', () => operations);
    });
    this.#pages.set(path, page);
    return page;
  }
}

/** Addresses are relative to the page, so that it works behind any proxy. */
function placedAt(path: PagePath, html: string): string {
  switch (path) {
    case '/api':
      return html;
    case OLD_PATH:
      return html.replaceAll('="api/', '="').replace('="admin"', '="../admin"');
    case STOREFRONT_PATH:
      return html.replaceAll('="api/openapi', '="storefront/openapi').replaceAll('Store REST API', 'Storefront API');
  }
}

function linesWithout(part: string, text: string): string {
  const lines = text.split('\n').filter((line) => !line.includes(part));
  return lines.join('\n');
}
