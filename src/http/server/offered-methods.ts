/**
 * The methods of each path, for the answer to every other one (405, RFC 9110 §15.5.6). A routing table of its own, asked
 * only where no route was found: a route for each method that a path refuses would be thirty routes a path.
 */
import type { FastifyInstance } from 'fastify';
import findMyWay, { type HTTPVersion, type Instance } from 'find-my-way';

export class OfferedMethods {
  readonly #methods = new Map<string, string[]>();
  #paths: Instance<HTTPVersion.V1> | undefined;

  /** @param app before its first route */
  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ method, url }) => {
      const methods = this.#methods.get(url) ?? [];
      this.#methods.set(url, [...new Set([...methods, method].flat())]);
    });
  }

  /** Whether a word of a path that has routes of its own was taken for an identifier, as none of these has the method. */
  isAnother(path: string, routeUrl: string | undefined): boolean {
    return path !== routeUrl && this.#methods.has(path);
  }

  /** The value of `Allow` for a path as it was asked for; undefined where nothing is. */
  at(path: string): string | undefined {
    this.#paths ??= this.#table();
    return this.#paths.find('GET', path)?.store;
  }

  #table(): Instance<HTTPVersion.V1> {
    const paths = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
    for (const [url, methods] of this.#methods) {
      const inOrder = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      paths.on('GET', url, () => undefined, [...new Set([...inOrder, 'OPTIONS'])].join(', '));
    }
    return paths;
  }
}
