/** Parses the query of `/api/audit`, and of the audit of one record, strictly: filters, pages and order. */
import type { FastifyRequest } from 'fastify';
import {
  type AuditFilter,
  type EqualColumn,
  ITEMS_PER_PAGE_DEFAULT,
  isProblem,
  type ModelRoute,
  type Problem,
  parseQueryString,
  problem,
  readPageParameter,
  readTimestamp,
  shortened,
  unknownParameter,
  withoutSynonyms,
} from '../../engine/index.ts';
import { queryOf, readRecordAddress } from '../resources/address.ts';

export interface AuditQuery {
  readonly filter: AuditFilter;
  readonly page: number;
  readonly itemsPerPage: number;
  readonly direction: 'asc' | 'desc';
}

declare module 'fastify' {
  interface FastifyRequest {
    auditQuery: AuditQuery;
  }
}

/** The columns of parameters that compare a text. */
const EQUAL: ReadonlyMap<string, EqualColumn> = new Map(
  Object.entries({
    ...({ path: 'path', resource: 'resource', record_id: 'record', action: 'action' } as const),
    ...({ 'actor.type': 'actor_type', 'actor.id': 'actor_id', address: 'address', request_id: 'request_id' } as const),
  }),
);

interface Bound {
  readonly name: 'from' | 'until';
  /** From the given time. */
  readonly seconds: number;
}

/** Bounds of `date`. */
const BOUNDS: ReadonlyMap<string, Bound> = new Map<string, Bound>([
  ['date[after]', { name: 'from', seconds: 0 }],
  ['date[strictly_after]', { name: 'from', seconds: 1 }],
  ['date[before]', { name: 'until', seconds: 0 }],
  ['date[strictly_before]', { name: 'until', seconds: -1 }],
]);

const ORDER = 'order[id]';
const AUDIT_PARAMETERS = [...EQUAL.keys(), ...BOUNDS.keys()];

/** Parameters that the path of a record replaces. */
const OF_RECORD = new Set(['path', 'resource', 'record_id']);

/** Returns a parser of the URL of the audit of one record. */
export function recordAuditReader(route: ModelRoute) {
  return (request: FastifyRequest): Problem | undefined =>
    readRecordAddress(request, route) ?? readQuery(request, OF_RECORD);
}

export function readAuditQuery(request: FastifyRequest): Problem | undefined {
  return readQuery(request, new Set());
}

function readQuery(request: FastifyRequest, excluded: ReadonlySet<string>): Problem | undefined {
  const parameters = parseQueryString(queryOf(request));
  if (isProblem(parameters)) return parameters;
  const { lenient } = request.requestContext;
  const { timeZone } = request.service.environment;
  const query = new Query(timeZone, excluded);
  const seen = new Set<string>();
  for (const { written, value } of parameters) {
    const error = seen.has(written)
      ? `The parameter "${shortened(written)}" is given more than once. Send it once.`
      : query.read(written, value);
    if (error !== undefined && !lenient) return problem('invalid-argument', error);
    seen.add(written);
  }
  request.auditQuery = query.parsed;
  return undefined;
}

class Query {
  readonly #timeZone: string;
  readonly #excluded: ReadonlySet<string>;
  readonly #equal: Partial<Record<EqualColumn, string>> = {};
  readonly #bounds: { from?: number; until?: number } = {};
  readonly #page = { page: 1, itemsPerPage: ITEMS_PER_PAGE_DEFAULT };
  #direction: 'asc' | 'desc' = 'desc';

  /** @param excluded parameters that are unknown here */
  constructor(timeZone: string, excluded: ReadonlySet<string>) {
    this.#timeZone = timeZone;
    this.#excluded = excluded;
  }

  get parsed(): AuditQuery {
    return { filter: { equal: this.#equal, ...this.#bounds }, ...this.#page, direction: this.#direction };
  }

  /** @returns an error message */
  read(written: string, value: string): string | undefined {
    const column = EQUAL.get(written);
    if (column && !this.#excluded.has(written)) {
      this.#equal[column] = value;
      return undefined;
    }
    const bound = BOUNDS.get(written);
    if (bound) return this.#readBound(bound, written, value);
    if (written === ORDER) return this.#readOrder(value);
    if (written !== 'page' && written !== 'itemsPerPage') {
      const own = AUDIT_PARAMETERS.filter((name) => !this.#excluded.has(name));
      return unknownParameter(written, withoutSynonyms([...own, 'page', 'itemsPerPage', ORDER]));
    }
    const number = readPageParameter(written, value, false);
    if (typeof number === 'string') return number;
    this.#page[written] = number;
    return undefined;
  }

  #readBound({ name, seconds }: Bound, written: string, value: string): string | undefined {
    const timestamp = readTimestamp(value, this.#timeZone);
    if (!timestamp) return `"${written}" should be a date or date-time; it is "${shortened(value)}".`;
    const bound = timestamp.seconds + seconds;
    const other = this.#bounds[name];
    const isNarrower = other === undefined || (name === 'from' ? bound > other : bound < other);
    if (isNarrower) this.#bounds[name] = bound;
    return undefined;
  }

  #readOrder(value: string): string | undefined {
    const direction = value.toLowerCase();
    if (direction !== 'asc' && direction !== 'desc')
      return `"${ORDER}" should be asc or desc; it is "${shortened(value)}".`;
    this.#direction = direction;
    return undefined;
  }
}
