/** Operations on the translations of a record: all languages, and one language. */
import {
  type ModelField,
  type ModelResource,
  type ModelRoute,
  type ProblemType,
  type ShownRecord,
  translationPath,
  translationsPath,
  withArticle,
  words,
  writtenTexts,
} from '../../engine/index.ts';
import { textsOf } from '../hydra/records.ts';
import type { DocumentContext } from './components.ts';
import { type Example, identifierExample, LANGUAGES, sentExample } from './examples.ts';
import { headersNamed, NOT_MODIFIED } from './headers.ts';
import {
  type Content,
  exampledBody,
  exampleLocation,
  JSON_TYPE,
  LD_TYPE,
  recordContent,
  translationsContent,
} from './linked.ts';
import type { Parameter } from './parameter.ts';
import { headerParameters, languageParameter, pathParameters } from './parameters.ts';
import { problemResponses } from './problems.ts';
import { routeSuffix, translationInputSchema, translationSchema } from './schemas.ts';

/** Properties that the operations of a path share. */
interface Common {
  readonly tag: string;
  /** Problem types of an operation on one record. */
  readonly problemsOf: (
    operation: 'read' | 'replace' | 'remove',
    ...more: readonly ProblemType[]
  ) => readonly ProblemType[];
}

type Methods = Record<string, object>;

/** Returns Operation Objects by path and method; empty if the route has no translatable texts. */
export function translationOperations(
  context: DocumentContext,
  route: ModelRoute,
  common: Common,
): Record<string, Methods> {
  if (route.texts.length === 0) return {};
  const all = { get: describeAll(context, route, common) };
  const one: Methods = { get: describeRead(context, route, common) };
  if (writtenTexts(route).length > 0) {
    one.put = describeReplace(context, route, common);
    one.delete = describeRemove(context, route, common);
  }
  return { [translationsPath(route)]: all, [translationPath(route)]: one };
}

const { ifMatch, ifNoneMatch, prefer } = headerParameters;

function describeAll(context: DocumentContext, route: ModelRoute, common: Common): object {
  const { name } = route.resource;
  return {
    ...named(route, common, `read${name}Translations`),
    summary: `Read the texts of ${withArticle(name)} in every language`,
    description:
      'Returns only stored texts. Languages without texts and fallbacks to other languages are omitted. Read-only keys see only enabled languages.',
    parameters: [...pathParameters(route, 'item'), ifNoneMatch, prefer],
    responses: {
      200: {
        description: 'The texts by language.',
        headers: headersNamed(context, ['ETag', 'Preference-Applied']),
        content: translationsContent(
          context,
          (form) => translationSchema(form, route),
          { [LANGUAGE]: textsExample(route.texts, sentExample(route.resource)) },
          (record) => textsOf(exampleLocation(route), undefined, record),
        ),
      },
      304: { description: NOT_MODIFIED, headers: headersNamed(context, ['ETag', 'Preference-Applied']) },
      ...problemResponses(context, common.problemsOf('read')),
    },
  };
}

function describeRead(context: DocumentContext, route: ModelRoute, common: Common): object {
  const { name } = route.resource;
  return {
    ...named(route, common, `read${name}Translation`),
    summary: `Read the texts of ${withArticle(name)} in one language`,
    description: 'Returns only texts stored in the language. A language in which the record has no texts is a 404.',
    parameters: [...ownParameters(context, route, LANGUAGE), ifNoneMatch, prefer],
    responses: {
      200: textsResponse(context, route, 'The texts of the language.', sentExample(route.resource)),
      304: {
        description: NOT_MODIFIED,
        headers: headersNamed(context, ['ETag', 'Content-Language', 'Preference-Applied']),
      },
      ...problemResponses(context, common.problemsOf('read')),
    },
  };
}

function describeReplace(context: DocumentContext, route: ModelRoute, common: Common): object {
  const { name } = route.resource;
  const written = inputExample(route);
  const example = exampledBody(translationInputSchema(context, route), written);
  return {
    ...named(route, common, `replace${name}Translation`),
    summary: `Write the texts of ${withArticle(name)} in one language`,
    description: `Replaces all texts of the language. Omitted optional texts become empty. The rules of the ${words(name)} apply, and the write counts as a change of it. Disabled languages can be written too.`,
    parameters: [...ownParameters(context, route, LANGUAGE), ifMatch, prefer],
    requestBody: { required: true, content: { [JSON_TYPE]: example, [LD_TYPE]: example } },
    responses: {
      200: textsResponse(context, route, 'The changed texts of the language.', written),
      ...problemResponses(context, common.problemsOf('replace')),
    },
  };
}

function describeRemove(context: DocumentContext, route: ModelRoute, common: Common): object {
  const { name } = route.resource;
  return {
    ...named(route, common, `delete${name}Translation`),
    summary: `Delete the texts of ${withArticle(name)} in one language`,
    description:
      'Output then falls back to another language. Required texts cannot be deleted in the default language (409). A language in which the record has no texts is a 404.',
    parameters: [...ownParameters(context, route, String(identifierExample(languages(context)))), ifMatch, prefer],
    responses: {
      204: { description: 'The texts were deleted.', headers: headersNamed(context, ['Preference-Applied']) },
      // Required texts cannot be deleted in the default language.
      ...problemResponses(context, common.problemsOf('remove', 'conflict')),
    },
  };
}

function named(route: ModelRoute, { tag }: Common, operation: string): object {
  return { tags: [tag], operationId: `${operation}${routeSuffix(route)}`, security: [{ apiKey: [] }] };
}

function ownParameters(context: DocumentContext, route: ModelRoute, language: string): Parameter[] {
  return [...pathParameters(route, 'item'), languageParameter(context, language)];
}

/** @param sent - example input of the record, or of the texts */
function textsResponse(context: DocumentContext, route: ModelRoute, description: string, sent: Example): object {
  const show = (record: ShownRecord): ShownRecord => textsOf(exampleLocation(route), LANGUAGE, record);
  const example = textsExample(route.texts, sent);
  const content: Content = recordContent(context, (form) => translationSchema(form, route), example, show);
  return {
    description,
    headers: headersNamed(context, ['ETag', 'Content-Language', 'Preference-Applied']),
    content,
  };
}

/** Language of the example records. */
const LANGUAGE = LANGUAGES.defaultLanguage;

function languages({ model }: DocumentContext): ModelResource {
  return model.resources.get('Language')!;
}

/** Returns the texts after sending these; omitted optional texts have their default. */
function textsExample(texts: readonly ModelField[], sent: Example): Example {
  return Object.fromEntries(texts.map(({ name, field }) => [name, sent[name] ?? field.default]));
}

function inputExample(route: ModelRoute): Example {
  const texts = writtenTexts(route).filter(({ field }) => field.required || field.example !== undefined);
  return Object.fromEntries(texts.map(({ name, field }) => [name, field.example ?? 'text']));
}
