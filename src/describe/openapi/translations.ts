/** The operations of a record's own texts by language: all of them, and those of one language. */
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

/** The common part of a path's operations. */
interface Common {
  readonly tag: string;
  /** The problems of an operation of one record. */
  readonly problemsOf: (
    operation: 'read' | 'replace' | 'remove',
    ...more: readonly ProblemType[]
  ) => readonly ProblemType[];
}

type Methods = Record<string, object>;

/** Operation Objects by path and method; none where a place has no texts. */
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
      'Only the texts that are written: a language without texts of its own is left out, and so are texts that it shows of another. A read-only key sees enabled languages.',
    parameters: [...pathParameters(route, 'item'), ifNoneMatch, prefer],
    responses: {
      200: {
        description: 'Texts by language.',
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
    description: 'Only the texts that are written in it; a language without texts of the record is a 404.',
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
    description: `Takes all texts of the language: an optional one that is left out is empty from then on. Every rule of the ${words(name)} holds, and the write counts as a change of it. A disabled language is written too.`,
    parameters: [...ownParameters(context, route, LANGUAGE), ifMatch, prefer],
    requestBody: { required: true, content: { [JSON_TYPE]: example, [LD_TYPE]: example } },
    responses: {
      200: textsResponse(context, route, 'The texts of the language as they are now.', written),
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
      'Another language’s are shown in their place. Texts that a record must have stay in the default language: a 409. A language without texts of the record is a 404.',
    parameters: [...ownParameters(context, route, String(identifierExample(languages(context)))), ifMatch, prefer],
    responses: {
      204: { description: 'The texts are gone.', headers: headersNamed(context, ['Preference-Applied']) },
      // Required texts stay in the default language.
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

/** @param sent what the record is made of, or the body */
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

/** The language in which the example of a record is made. */
const LANGUAGE = LANGUAGES.defaultLanguage;

function languages({ model }: DocumentContext): ModelResource {
  return model.resources.get('Language')!;
}

/** The texts of the language once this was sent: an optional text that was left out is empty. */
function textsExample(texts: readonly ModelField[], sent: Example): Example {
  return Object.fromEntries(texts.map(({ name, field }) => [name, sent[name] ?? field.default]));
}

function inputExample(route: ModelRoute): Example {
  const texts = writtenTexts(route).filter(({ field }) => field.required || field.example !== undefined);
  return Object.fromEntries(texts.map(({ name, field }) => [name, field.example ?? 'text']));
}
