/**
 * Paths with one slash at the end. The router ignores the slash; GET and HEAD are redirected to the path without it, so
 * that every record has one URL (http.md §2).
 */
import type { FastifyRequest } from 'fastify';

/** Removes scheme and host. The absolute form of a URL (RFC 9112 §3.2.2) may name any host; only its path counts. */
export function pathAndQuery(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}

/** Removes one slash at the end of the path. Two slashes remain, and match no route. */
export function withoutTrailingSlash(url: string): string {
  const mark = url.indexOf('?');
  const end = mark === -1 ? url.length : mark;
  const hasSlash = end > 1 && url[end - 1] === '/' && url[end - 2] !== '/';
  return hasSlash ? url.slice(0, end - 1) + url.slice(end) : url;
}

/** Returns the path and query to which a read with a slash at the end of its path is redirected. */
export function redirectWithoutSlash({ method, originalUrl, url, is404 }: FastifyRequest): string | undefined {
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead || is404 || originalUrl === url) return undefined;
  const path = pathAndQuery(originalUrl);
  return withoutTrailingSlash(path) === path ? undefined : url;
}
