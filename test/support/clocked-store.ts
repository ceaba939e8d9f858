/** A store whose clock the tests set, with requests in the test's own process. */
import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../../src/engine/unit/service.ts';
import type { DatabaseName } from './databases.ts';
import { INJECT_KEY, serverOf } from './injected-server.ts';
import { openedStore } from './opened-store.ts';

/** JSON of a response. */
export type Output = ReturnType<typeof JSON.parse>;

export interface ClockedStore {
  readonly service: Service;
  readonly database: DatabaseName;
  /** Seconds since 1970. */
  now: number;
  /** Sends a request and asserts its status. @returns the JSON of the response */
  send(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
    status?: number,
  ): Promise<Output>;
  /** Changes settings of the store. */
  set(settings: Readonly<Record<string, string>>): void;
  remove(): Promise<void>;
}

const STATUS = { GET: 200, POST: 201, PATCH: 200, PUT: 200, DELETE: 204 };

/** @param now seconds since 1970 at the start */
export async function clockedStore(database: DatabaseName, now: number): Promise<ClockedStore> {
  const opened = await openedStore(database);
  const settings = { ...opened.service.environment.settings };
  const environment = { ...opened.service.environment, baseUrl: 'http://localhost', settings };
  const clock = { ...opened.service.clock, now: () => store.now };
  const service = { ...opened.service, environment, clock };
  const app: FastifyInstance = await serverOf(service);
  const store: ClockedStore = {
    service,
    database,
    now,
    async send(method, url, payload, status = STATUS[method]) {
      const headers = { 'x-auth-token': INJECT_KEY };
      const response = await app.inject({ method, url, headers, ...(payload && { payload }) });
      assert.equal(response.statusCode, status, `${method} ${url}: ${response.body}`);
      return response.body === '' ? undefined : response.json();
    },
    set: (changed) => Object.assign(settings, changed),
    async remove() {
      await app.close();
      await opened.remove();
    },
  };
  return store;
}
