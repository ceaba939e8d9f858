/** Servers in the test's own process, and keys with chosen scopes (access.md §1). */
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Service } from '../../src/engine/unit/service.ts';
import { createKey } from '../../src/store/keys.ts';
import type { DatabaseName } from './databases.ts';
import { INJECT_KEY, serverOf } from './injected-server.ts';
import { ACTOR, type OpenedStore, openedStore } from './opened-store.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape of a response is what the tests check
type Json = any;

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: Json;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface ScopedStore {
  readonly service: Service;
  readonly app: FastifyInstance;
  /** Sends a request with a key; without one, with a key that may do everything. */
  send(
    method: string,
    path: string,
    options?: { key?: string | undefined; body?: unknown; headers?: Record<string, string>; remoteAddress?: string },
  ): Promise<Answer>;
  /** Creates a key with these scopes, once for each set. */
  keyWith(...scopes: string[]): Promise<string>;
  /** Creates a key with every scope that cannot see these fields, once for each set. */
  maskedKey(...masks: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** The time of the stores, so that two of them have equal timestamps. */
const NOW = 1_800_000_000;

export async function scopedStore(name: DatabaseName, settings: Record<string, string> = {}): Promise<ScopedStore> {
  const opened: OpenedStore = await openedStore(name);
  const clock = { ...opened.service.clock, now: () => NOW };
  const service: Service = { ...opened.service, clock };
  const app = await serverOf(service, settings);
  const keys = new Map<string, string>();
  const keyOf = async (scopes: string[], masks: string[]): Promise<string> => {
    const id = `${scopes.join()} ${masks.join()}`;
    const known = keys.get(id);
    if (known !== undefined) return known;
    const key = { name: `key ${keys.size + 1}`, kind: 'scoped', scopes, masks, networks: [] } as const;
    // Two stores have the same ids.
    const uuid = () => `00000000-0000-4000-8000-${String(keys.size + 1).padStart(12, '0')}`;
    const made = await createKey({ ...service, uuid }, key, ACTOR);
    if ('taken' in made) throw new Error(`Another key has this ${made.taken}.`);
    keys.set(id, made.key);
    return made.key;
  };
  return {
    service,
    app,
    async send(method, path, { key = INJECT_KEY, body, headers = {}, remoteAddress } = {}) {
      const isForm = body === undefined;
      const response = await app.inject({
        method: method as NonNullable<InjectOptions['method']>,
        url: `/api${path}`,
        headers: { 'x-auth-token': key, ...(isForm ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(isForm ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...(remoteAddress === undefined ? {} : { remoteAddress }),
      });
      const isJson = /json(?:;|$)/.test(String(response.headers['content-type'])) && response.body !== '';
      const json =
        isJson && !/ndjson|jsonl/.test(String(response.headers['content-type'])) ? response.json() : undefined;
      return { status: response.statusCode, text: response.body, json, headers: response.headers };
    },
    keyWith: (...scopes) => keyOf(scopes.toSorted(), []),
    maskedKey: (...masks) => keyOf(['*:*'], masks.toSorted()),
    async stop() {
      await app.close();
      await opened.remove();
    },
  };
}
