/** The operation that reads the change feed (sync.md §1). */
import {
  CHANGES_LIMIT_DEFAULT,
  CHANGES_LIMIT_MAX,
  CHANGES_PATH,
  CHANGES_WAIT_SECONDS_MAX,
  type JsonSchema,
  type Model,
  publishedResources,
  type Tag,
} from '../../engine/index.ts';
import type { DocumentContext, Reference } from './components.ts';
import { exampled, JSON_TYPE } from './linked.ts';
import { header, type Parameter, query } from './parameter.ts';
import { headerParameters } from './parameters.ts';
import { problemResponses } from './problems.ts';

export const CHANGES_TAG: Tag = {
  name: 'Changes',
  description: 'The change feed: every change of the store, in order. Use it to synchronize another system.',
};

export function changesPaths(context: DocumentContext): Record<string, Record<string, object>> {
  return { [CHANGES_PATH]: { get: describeFeed(context) } };
}

const DESCRIPTION = `Without \`after\`, the feed starts with every existing record, in the order of its last change, and continues with later changes. To continue, follow \`Link; rel="next"\` or send \`Changes-Cursor\` as \`after\`. A response with fewer than \`limit\` entries is up to date.

With \`Accept: text/event-stream\` the entries are streamed as server-sent events with the cursors as their ids. To resume, send the last id as \`Last-Event-ID\`.`;

const EVENTS =
  'Server-sent events with the cursor as their id and a `ChangeEntry` as their `data`. One event of type `caught_up` with the `data` `{cursor}` is sent when all existing changes have been sent.';

function describeFeed(context: DocumentContext): object {
  const example = exampleEntry(context);
  const { cursor } = example;
  const caughtUp = `event: caught_up\nid: ${cursor}\ndata: ${JSON.stringify({ cursor })}\n\n`;
  const events = `id: ${cursor}\ndata: ${JSON.stringify(example)}\n\n${caughtUp}`;
  return {
    tags: [CHANGES_TAG.name],
    operationId: 'readChanges',
    summary: 'Read the change feed',
    description: DESCRIPTION,
    parameters: [...parameters(context), headerParameters.acceptLanguage, headerParameters.prefer],
    responses: {
      200: {
        description: 'Entries after the cursor, oldest first.',
        content: {
          [JSON_TYPE]: exampled({ type: 'array', items: entrySchema(context) }, [example]),
          'text/event-stream': exampled({ type: 'string', description: EVENTS }, events),
        },
      },
      ...problemResponses(context, 'cursor-gone'),
    },
  };
}

function parameters({ model }: DocumentContext): Parameter[] {
  const whole = (minimum: number, maximum: number, preset: number): JsonSchema => ({
    type: 'integer',
    minimum,
    maximum,
    default: preset,
  });
  const names = documentedResources(model);
  return [
    query(
      'after',
      'Cursor from the feed, or `now` for its end. If omitted, the feed starts with all existing records.',
      { type: 'string', maxLength: 150 },
      'now',
    ),
    {
      name: 'resource[]',
      in: 'query',
      description: 'Only changes of these resources.',
      schema: { type: 'array', items: { type: 'string', enum: names } },
      style: 'form',
      explode: true,
      example: names.slice(0, 1),
    },
    query(
      'limit',
      'Maximum number of entries in the response.',
      whole(1, CHANGES_LIMIT_MAX, CHANGES_LIMIT_DEFAULT),
      CHANGES_LIMIT_DEFAULT,
    ),
    query('wait', 'Number of seconds to wait for a change if there is none.', whole(0, CHANGES_WAIT_SECONDS_MAX, 0), 0),
    query(
      'include',
      '`record`: each entry includes the record in its current state.',
      { type: 'string', enum: ['record'] },
      'record',
    ),
    header('Last-Event-ID', 'For streams: id of the last event received. It takes precedence over `after`.', CURSOR),
  ];
}

/** Published resources that the reference documents. The feed also contains undocumented ones. */
function documentedResources(model: Model): string[] {
  const isDescribed = (name: string): boolean => {
    const { group, tag } = model.resources.get(name)!.declaration;
    return group !== undefined || tag !== undefined;
  };
  return publishedResources(model).filter(isDescribed);
}

const CURSOR = 'M2RiM2RmNTIgMCwxOSwzOTc0ODM0MTQ';

function exampleEntry({ model }: DocumentContext) {
  const language = model.resources.get('Language')!;
  // Every new store has this language.
  const id = 'en';
  return {
    cursor: CURSOR,
    resource: language.name,
    id,
    path: `/api/languages/${id}`,
    action: 'created',
    version: 1,
    date: '2026-01-02T03:04:05+00:00',
    fields: [],
  };
}

function entrySchema({ components, dialect, model }: DocumentContext): Reference {
  const properties: Record<string, JsonSchema> = {
    cursor: { type: 'string', description: 'Cursor after this entry.' },
    resource: { type: 'string', enum: documentedResources(model) },
    id: { description: 'Id of the record.', anyOf: [{ type: 'integer' }, { type: 'string' }] },
    path: { type: 'string', description: 'Path of the record, even if it was deleted.' },
    action: { type: 'string', enum: ['created', 'updated', 'deleted'] },
    version: {
      type: 'integer',
      minimum: 1,
      description: 'Version of the record after the change; for a deletion, the last version plus one.',
    },
    date: { type: 'string', format: 'date-time', description: 'Time of the change.' },
    fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'Fields changed by an update; empty for creations and deletions.',
    },
  };
  const record = dialect.nullable({
    type: 'object',
    description: 'With `include=record`: the current record as GET of its path returns it; null if it was deleted.',
  });
  return components.refer('schemas', 'ChangeEntry', () => ({
    type: 'object',
    description: 'One change of one record.',
    properties: { ...properties, record },
    required: Object.keys(properties),
  }));
}
