/** The generic administration of docs/reference/json-ld.md; the page's data attributes contain the key and the entry point. */
import { fetchHydra, HydraAdmin, hydraDataProvider } from '@api-platform/admin';
import { parseHydraDocumentation } from '@api-platform/api-doc-parser';
import { createRoot } from 'react-dom/client';

const { key, entrypoint } = document.body.dataset as { key: string; entrypoint: string };
const headers = { 'X-Auth-Token': key };
const dataProvider = hydraDataProvider({
  entrypoint,
  httpClient: (url, options = {}) =>
    fetchHydra(url, { ...options, headers: new Headers({ ...(options.headers as object), ...headers }) }),
  apiDocumentationParser: () => parseHydraDocumentation(entrypoint, { headers }),
});

createRoot(document.getElementById('root')!).render(<HydraAdmin entrypoint={entrypoint} dataProvider={dataProvider} />);
