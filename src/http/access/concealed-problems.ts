/**
 * Problems without what a rule has read from records that the key cannot read (access.md §2). Whether a rule rejects a write is
 * not hidden; its messages may name such records.
 */
import type { FastifyRequest } from 'fastify';
import { usedFields } from '../../access/derived-fields.ts';
import { usedBy } from '../../access/scopes.ts';
import {
  isOfForm,
  type Model,
  type ModelField,
  type ModelResource,
  messages,
  Problem,
  type ViolationCode,
  validationFailed,
} from '../../engine/index.ts';

/** Codes whose messages only describe the value that the client sent, unless a rule of the record added them. */
const OF_THE_VALUE: ReadonlySet<ViolationCode> = new Set([
  ...(['blank', 'required', 'null', 'too_short', 'too_long', 'type', 'decimals', 'format', 'unknown_field'] as const),
]);

/** Messages without any value. */
const FIXED: ReadonlySet<string> = new Set(Object.values(messages).filter((message) => typeof message === 'string'));

const HIDDEN_BY_SCOPES =
  'The reason may depend on records that the key cannot read. Use a key with more scopes to see it.';
const HIDDEN_REASON = `A rule rejects this value. ${HIDDEN_BY_SCOPES}`;
const HIDDEN_CONFLICT = `The store does not allow this change. ${HIDDEN_BY_SCOPES}`;

declare module 'fastify' {
  interface FastifyRequest {
    /** The resource of the record that the request writes, if its route does not determine it. */
    writtenResource?: ModelResource;
  }
}

export function concealed(request: FastifyRequest, rejection: Problem): Problem {
  const { requestContext, service } = request;
  const hidden = requestContext?.rights.hidden;
  const resource = request.writtenResource ?? request.routeOptions.config.resource;
  const isOfRule = rejection.problem === 'conflict' || rejection.problem === 'validation-failed';
  if (!hidden || !resource || !isOfRule) return rejection;
  const { records, fields } = usedInWrites(service.model, resource);
  if (hidden.missingFor(records).length === 0 && hidden.masksOf(fields).length === 0) return rejection;
  const { headers, violations } = rejection;
  if (!violations) return new Problem('conflict', HIDDEN_CONFLICT, { headers });
  return validationFailed(
    violations.map((each) => {
      const isShown = OF_THE_VALUE.has(each.code) && (isOfForm(each) || FIXED.has(each.message));
      return isShown ? each : { ...each, message: HIDDEN_REASON };
    }),
  );
}

/** What rules, references and checks of uniqueness read when a record or its parts are written or deleted. */
interface UsedInWrites {
  readonly records: readonly ModelResource[];
  readonly fields: readonly ModelField[];
}

const known = new WeakMap<ModelResource, UsedInWrites>();

function usedInWrites(model: Model, resource: ModelResource): UsedInWrites {
  const used = known.get(resource) ?? readByRules(model, resource);
  known.set(resource, used);
  return used;
}

function readByRules(model: Model, resource: ModelResource): UsedInWrites {
  const { resources, namespaces, sharedUnique } = model;
  const parts = [...resources.values()].filter(({ owner }) => owner?.target === resource);
  const each = [resource, ...parts].map(({ declaration: { rules, bulk }, actions, fields, linkedFrom }) => {
    const own = new Set(fields.values());
    const compared = [...namespaces.values(), ...sharedUnique.values()].filter((all) =>
      all.some((each) => own.has(each)),
    );
    const declared = [rules, bulk?.collected, ...actions].flatMap((one) => one ?? []);
    const others = [...compared.flat(), ...linkedFrom];
    const linked = [...own].flatMap(({ target }) => target ?? []);
    return {
      records: [...declared.flatMap((one) => usedBy(model, one)), ...others.map((field) => field.resource), ...linked],
      fields: [
        ...declared.flatMap(({ uses = {} }) => usedFields(model, uses)),
        ...others,
        ...linked.flatMap(({ naming, label }) => [naming, label].flatMap((field) => field ?? [])),
      ],
    };
  });
  return { records: each.flatMap(({ records }) => records), fields: each.flatMap(({ fields }) => fields) };
}
