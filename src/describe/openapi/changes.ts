/** The operation of the change feed (sync.md §1). */
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
import type { Reference, Writing } from './components.ts';
import { headersNamed } from './headers.ts';
import { exampled, JSON_TYPE } from './linked.ts';
import { header, type Parameter, query, unsent } from './parameter.ts';
import { headerParameters } from './parameters.ts';
import { possibleProblems, problemResponses } from './problems.ts';

export const CHANGES_TAG: Tag = {
  name: 'Changes',
  description: 'Every change of the store, in order, for programs that keep another system equal to it.',
};

export function changesPaths(writing: Writing): Record<string, Record<string, object>> {
  return { [CHANGES_PATH]: { get: describeFeed(writing) } };
}

const DESCRIPTION = `Without \`after\`, the feed begins with every living record once, in the order of its last change. Follow \`Link; rel="next"\`, or send \`Changes-Cursor\` as \`after\`: when the records are told, the changes since follow. An answer with fewer than \`limit\` entries has told all that there are by then.

With \`Accept: text/event-stream\` the same entries come as a stream of server-sent events. Their ids are the cursors; a client that comes again sends the last one as \`Last-Event-ID\`.`;

const EVENTS =
  'Server-sent events, each with the cursor as its id: `data` is a `ChangeEntry`. One of the type `caught_up`, whose `data` is `{cursor}`, comes once, when all that there was has been told.';

function describeFeed(writing: Writing): object {
  const example = exampleEntry(writing);
  const { cursor } = example;
  const caughtUp = `event: caught_up\nid: ${cursor}\ndata: ${JSON.stringify({ cursor })}\n\n`;
  const events = `id: ${cursor}\ndata: ${JSON.stringify(example)}\n\n${caughtUp}`;
  return {
    tags: [CHANGES_TAG.name],
    operationId: 'readChanges',
    summary: 'Follow the changes of the store',
    description: DESCRIPTION,
    security: [{ apiKey: [] }],
    parameters: [...parameters(writing), headerParameters.acceptLanguage, headerParameters.prefer],
    responses: {
      200: {
        description: 'What is told behind the cursor, oldest first.',
        headers: headersNamed(writing, ['Changes-Cursor', 'Link', 'Content-Language', 'Preference-Applied']),
        content: {
          [JSON_TYPE]: exampled({ type: 'array', items: entrySchema(writing) }, [example]),
          'text/event-stream': exampled({ type: 'string', description: EVENTS }, events),
        },
      },
      ...problemResponses(writing, possibleProblems('read', 'cursor-gone')),
    },
  };
}

function parameters({ model }: Writing): Parameter[] {
  const whole = (minimum: number, maximum: number, preset: number): JsonSchema => ({
    type: 'integer',
    minimum,
    maximum,
    default: preset,
  });
  const names = describedNames(model);
  return [
    query(
      'after',
      'A cursor that the feed has given, or `now` for the end of the feed. Left out: the feed begins with the whole store.',
      { type: 'string', maxLength: 150 },
      'now',
    ),
    {
      name: 'resource[]',
      in: 'query',
      description: 'Only records of these.',
      schema: { type: 'array', items: { type: 'string', enum: names } },
      style: 'form',
      explode: true,
      examples: unsent(names.slice(0, 1)),
    },
    query(
      'limit',
      'Most entries of one answer.',
      whole(1, CHANGES_LIMIT_MAX, CHANGES_LIMIT_DEFAULT),
      CHANGES_LIMIT_DEFAULT,
    ),
    query(
      'wait',
      'With nothing to tell, wait so many seconds for something.',
      whole(0, CHANGES_WAIT_SECONDS_MAX, 0),
      0,
    ),
    query(
      'include',
      '`record`: each entry has its record as it is now.',
      { type: 'string', enum: ['record'] },
      'record',
    ),
    header('Last-Event-ID', 'Of a stream: the id of the last event that was seen; it counts before `after`.', CURSOR),
  ];
}

/** A resource that the reference leaves out is told in the feed, and has no name here. */
function describedNames(model: Model): string[] {
  const isDescribed = (name: string): boolean => {
    const { group, tag } = model.resources.get(name)!.declaration;
    return group !== undefined || tag !== undefined;
  };
  return publishedResources(model).filter(isDescribed);
}

const CURSOR = 'M2RiM2RmNTIgMCwxOSwzOTc0ODM0MTQ';

function exampleEntry({ model }: Writing) {
  const language = model.resources.get('Language')!;
  // A store that was just made has this one.
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

function entrySchema({ components, dialect, model }: Writing): Reference {
  const properties: Record<string, JsonSchema> = {
    cursor: { type: 'string', description: 'The place behind this entry.' },
    resource: { type: 'string', enum: describedNames(model) },
    id: { description: 'The record’s identifier.', anyOf: [{ type: 'integer' }, { type: 'string' }] },
    path: { type: 'string', description: 'Where the record is, or was: its address without the host.' },
    action: { type: 'string', enum: ['created', 'updated', 'deleted'] },
    version: {
      type: 'integer',
      minimum: 1,
      description: 'The record’s version after the change; of a deleted one the last version and one more.',
    },
    date: { type: 'string', format: 'date-time', description: 'When it was changed.' },
    fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'The fields that an update changed; empty where the record was made or deleted.',
    },
  };
  const record = dialect.nullable({
    type: 'object',
    description: 'With `include=record`: the record as it is now, as GET of its path shows it; null when it is gone.',
  });
  return components.refer('schemas', 'ChangeEntry', () => ({
    type: 'object',
    description: 'One change of one record.',
    properties: { ...properties, record },
    required: Object.keys(properties),
  }));
}
