import assert from 'node:assert/strict';
import { type HttpResponse, sendRequest } from '../../test/support/client.ts';
import type { Json } from '../../test/support/openapi.ts';
import { documentUrl, READ_WRITE_KEY, type SpecVersion, type Store } from './store.ts';
import { freePort, type RunningTool, startTool } from './tool.ts';

/** Runs Prism as a proxy in front of a store. */
export class PrismProxy {
  readonly #store: Store;
  readonly #version: SpecVersion;
  #address = '';
  #prism: RunningTool | undefined;

  constructor(store: Store, version: SpecVersion) {
    this.#store = store;
    this.#version = version;
  }

  async start(): Promise<void> {
    const port = await freePort();
    this.#prism = await startTool(
      'prism',
      ['proxy', documentUrl(this.#store, this.#version), `${this.#store.address}/api`, '--port', String(port)],
      /Prism is listening/,
    );
    this.#address = `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    await this.#prism?.stop();
  }

  async send(
    method: string,
    path: string,
    options: Json = {},
  ): Promise<{ response: HttpResponse; violations: Json[] }> {
    const response = await sendRequest(this.#address, method, path, { key: READ_WRITE_KEY, ...options });
    const header = response.headers['sl-violations'];
    return { response, violations: header === undefined ? [] : JSON.parse(String(header)) };
  }

  /** Sends a request and asserts this status and no violation in the request or the response. */
  async passes(status: number, method: string, path: string, options: Json = {}): Promise<HttpResponse> {
    const { response, violations } = await this.send(method, path, options);
    assert.equal(response.status, status, `${method} ${path} ${response.text}`);
    assert.deepEqual(violations, [], `${method} ${path}`);
    return response;
  }

  assertNoViolationsLogged(): void {
    const lines = this.#prism!.output().split('\n');
    assert.deepEqual(
      lines.filter((line) => /violation|warn|error/i.test(line)),
      [],
    );
  }
}
