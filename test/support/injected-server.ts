/** A server in the test's own process that does not listen; tests send requests with `inject`. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../../src/engine/unit/service.ts';
import { CacheValidator } from '../../src/http/cache/cache-validator.ts';
import type { HttpOptions } from '../../src/http/server/context.ts';
import { createServer } from '../../src/http/server/server.ts';
import { ShopDocuments } from '../../src/shop/shop-documents.ts';
import { FeedWatch } from '../../src/store/feed-watch.ts';
import { digestOf } from '../../src/store/keys.ts';
import { readCursorKey } from '../../src/store/settings.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { feedSettings, storefrontSettings } from '../../src/wiring/open.ts';

export const INJECT_KEY = 'a-key-of-the-tests';

export async function serverOf(
  service: Service,
  settings: Readonly<Record<string, string>> = {},
  cacheValidator = new CacheValidator(service),
  admin?: HttpOptions['admin'],
  options: Partial<HttpOptions> = {},
): Promise<FastifyInstance> {
  const config = readConfig({ LOG_LEVEL: 'silent', WAIT_MS_MAX: '0', ...settings });
  return createServer({
    ...config,
    erasuresFile: join(tmpdir(), 'purveyor-erasures-of-tests.jsonl'),
    service,
    cacheValidator,
    feedWatch: new FeedWatch(service),
    cursorKey: await readCursorKey(service),
    keys: [{ name: 'tests', kind: 'read-write', digest: digestOf(INJECT_KEY) }],
    limits: config,
    shopDocuments: new ShopDocuments(feedSettings(config)),
    storefront: storefrontSettings(config),
    followsHost: false,
    admin,
    version: '0',
    ...options,
  });
}
