/** Operations on the translations of a record: all languages, and one language. */
import {
  type ModelField,
  type ModelResource,
  type ModelRoute,
  type ShownRecord,
  translationPath,
  translationsPath,
  writtenTexts,
} from '../../engine/index.ts';
import { textsOf } from '../hydra/records.ts';
import { recordNoun } from '../route-nouns.ts';
import type { DocumentContext } from './components.ts';
import { type Example, identifierExample, LANGUAGES, sentExample } from './examples.ts';
import { notModified } from './headers.ts';
import { bodyContent, type Content, exampleLocation, recordContent, translationsContent } from './linked.ts';
import type { Parameter } from './parameter.ts';
import { headerParameters, languageParameter, pathParameters } from './parameters.ts';
import { type OwnProblem, problemResponses } from './problems.ts';
import { routeSuffix, translationInputSchema, translationSchema } from './schemas.ts';

type Methods = Record<string, object>;

/**
 * Returns Operation Objects by path and method; empty if the route has no translatable texts.
 *
 * @param problems - problem types of a write
 */
export function translationOperations(
  context: DocumentContext,
  route: ModelRoute,
  tag: string,
  problems: readonly OwnProblem[],
): Record<string, Methods> {
  if (route.texts.length === 0) return {};
  const all = { get: describeAll(context, route, tag) };
  const one: Methods = { get: describeRead(context, route, tag) };
  if (writtenTexts(route).length > 0) {
    one.put = describeReplace(context, route, tag, problems);
    one.delete = describeRemove(context, route, tag);
  }
  return { [translationsPath(route)]: all, [translationPath(route)]: one };
}

const { ifMatch, ifNoneMatch, prefer } = headerParameters;

function describeAll(context: DocumentContext, route: ModelRoute, tag: string): object {
  const { name } = route.resource;
  return {
    ...named(route, tag, `read${name}Translations`),
    summary: `Read all texts of ${recordNoun(route)}`,
    description: 'Returns stored texts, without fallbacks.',
    parameters: [...pathParameters(route, 'item'), ifNoneMatch, prefer],
    responses: {
      200: {
        description: 'The texts by language.',
        content: translationsContent(
          context,
          translationSchema(context, route),
          { [LANGUAGE]: textsExample(route.texts, sentExample(route.resource)) },
          (record) => textsOf(exampleLocation(route), undefined, record),
        ),
      },
      304: notModified(context),
      ...problemResponses(context),
    },
  };
}

function describeRead(context: DocumentContext, route: ModelRoute, tag: string): object {
  const { name } = route.resource;
  return {
    ...named(route, tag, `read${name}Translation`),
    summary: `Read the texts of ${recordNoun(route)} in a language`,
    description: 'Returns stored texts, without fallbacks.',
    parameters: [...ownParameters(context, route, LANGUAGE), ifNoneMatch, prefer],
    responses: {
      200: textsResponse(context, route, 'The texts of the language.', sentExample(route.resource)),
      304: notModified(context),
      ...problemResponses(context),
    },
  };
}

function describeReplace(
  context: DocumentContext,
  route: ModelRoute,
  tag: string,
  problems: readonly OwnProblem[],
): object {
  const { name } = route.resource;
  const written = inputExample(route);
  return {
    ...named(route, tag, `replace${name}Translation`),
    summary: `Write the texts of ${recordNoun(route)} in a language`,
    description: 'Omitted optional texts become empty.',
    parameters: [...ownParameters(context, route, LANGUAGE), ifMatch, prefer],
    requestBody: { required: true, content: bodyContent(translationInputSchema(context, route), written) },
    responses: {
      200: textsResponse(context, route, 'The texts of the language.', written),
      ...problemResponses(context, ...problems),
    },
  };
}

function describeRemove(context: DocumentContext, route: ModelRoute, tag: string): object {
  const { name } = route.resource;
  return {
    ...named(route, tag, `delete${name}Translation`),
    summary: `Delete the texts of ${recordNoun(route)} in a language`,
    description: 'Output then falls back to another language.',
    parameters: [...ownParameters(context, route, String(identifierExample(languages(context)))), ifMatch, prefer],
    responses: {
      204: { description: 'The texts were deleted.' },
      // Required texts cannot be deleted in the default language.
      ...problemResponses(context, 'conflict'),
    },
  };
}

function named(route: ModelRoute, tag: string, operation: string): object {
  return { tags: [tag], operationId: `${operation}${routeSuffix(route)}` };
}

function ownParameters(context: DocumentContext, route: ModelRoute, language: string): Parameter[] {
  return [...pathParameters(route, 'item'), languageParameter(context, language)];
}

/** @param sent - example input of the record, or of the texts */
function textsResponse(context: DocumentContext, route: ModelRoute, description: string, sent: Example): object {
  const show = (record: ShownRecord): ShownRecord => textsOf(exampleLocation(route), LANGUAGE, record);
  const example = textsExample(route.texts, sent);
  const content: Content = recordContent(context, translationSchema(context, route), example, show);
  return {
    description,
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
