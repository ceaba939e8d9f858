/**
 * The methods of each path, for 405 responses (RFC 9110 §15.5.6). It is a separate routing table, used only if no route
 * matches: a route for each unsupported method would mean thirty routes per path.
 */
import type { FastifyInstance } from 'fastify';
import findMyWay, { type HTTPVersion, type Instance } from 'find-my-way';

interface OfferedPath {
  readonly allow: string;
  readonly isPublic: boolean;
}

export class OfferedMethods {
  readonly #methods = new Map<string, string[]>();
  /** Paths that need no key. */
  readonly #public = new Set<string>();
  #paths: Instance<HTTPVersion.V1> | undefined;

  /** @param app before its first route */
  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ method, url, config }) => {
      if (config?.isPublic) this.#public.add(url);
      const methods = this.#methods.get(url) ?? [];
      this.#methods.set(url, [...new Set([...methods, method].flat())]);
    });
  }

  /** Whether the router took a literal path segment for an identifier, because that path lacks the method. */
  isAnother(path: string, routeUrl: string | undefined): boolean {
    return path !== routeUrl && this.#methods.has(path);
  }

  /** @returns the value of `Allow`, and whether the path needs no key; undefined if the path does not exist */
  at(path: string): OfferedPath | undefined {
    this.#paths ??= this.#table();
    return this.#paths.find('GET', path)?.store;
  }

  #table(): Instance<HTTPVersion.V1> {
    const paths = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
    for (const [url, methods] of this.#methods) {
      const inOrder = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      const allow = [...new Set([...inOrder, 'OPTIONS'])].join(', ');
      paths.on('GET', url, () => undefined, { allow, isPublic: this.#public.has(url) } satisfies OfferedPath);
    }
    return paths;
  }
}
