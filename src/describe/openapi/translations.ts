/** The operations of a record's own texts by language: all of them, and those of one language. */
import {
  type ModelField,
  type ModelPlace,
  type ModelResource,
  type ProblemType,
  type ShownRecord,
  translationPath,
  translationsPath,
  withArticle,
  words,
  writtenTexts,
} from '../../engine/index.ts';
import { textsOf } from '../hydra/records.ts';
import type { Writing } from './components.ts';
import { type Example, identifierExample, LANGUAGES, sentExample } from './examples.ts';
import { headersNamed } from './headers.ts';
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
import { placeSuffix, translationInputSchema, translationSchema } from './schemas.ts';

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
export function translationOperations(writing: Writing, place: ModelPlace, common: Common): Record<string, Methods> {
  if (place.texts.length === 0) return {};
  const all = { get: describeAll(writing, place, common) };
  const one: Methods = { get: describeRead(writing, place, common) };
  if (writtenTexts(place).length > 0) {
    one.put = describeReplace(writing, place, common);
    one.delete = describeRemove(writing, place, common);
  }
  return { [translationsPath(place)]: all, [translationPath(place)]: one };
}

const { ifMatch, ifNoneMatch, prefer } = headerParameters;

function describeAll(writing: Writing, place: ModelPlace, common: Common): object {
  const { name } = place.resource;
  return {
    ...named(place, common, `read${name}Translations`),
    summary: `Read the texts of ${withArticle(name)} in every language`,
    description:
      'Only the texts that are written: a language without texts of its own is left out, and so are texts that it shows of another. A read-only key sees enabled languages.',
    parameters: [...pathParameters(place, 'item'), ifNoneMatch, prefer],
    responses: {
      200: {
        description: 'Texts by language.',
        headers: headersNamed(writing, ['ETag', 'Preference-Applied']),
        content: translationsContent(
          writing,
          (form) => translationSchema(form, place),
          { [LANGUAGE]: textsExample(place.texts, sentExample(place.resource)) },
          (record) => textsOf(exampleLocation(place), undefined, record),
        ),
      },
      304: { description: 'Nothing changed since.', headers: headersNamed(writing, ['ETag', 'Preference-Applied']) },
      ...problemResponses(writing, common.problemsOf('read')),
    },
  };
}

function describeRead(writing: Writing, place: ModelPlace, common: Common): object {
  const { name } = place.resource;
  return {
    ...named(place, common, `read${name}Translation`),
    summary: `Read the texts of ${withArticle(name)} in one language`,
    description: 'Only the texts that are written in it; a language without texts of the record is a 404.',
    parameters: [...ownParameters(writing, place, LANGUAGE), ifNoneMatch, prefer],
    responses: {
      200: answerOf(writing, place, 'The texts of the language.', sentExample(place.resource)),
      304: {
        description: 'Nothing changed since.',
        headers: headersNamed(writing, ['ETag', 'Content-Language', 'Preference-Applied']),
      },
      ...problemResponses(writing, common.problemsOf('read')),
    },
  };
}

function describeReplace(writing: Writing, place: ModelPlace, common: Common): object {
  const { name } = place.resource;
  const written = inputExample(place);
  const example = exampledBody(translationInputSchema(writing, place), written);
  return {
    ...named(place, common, `replace${name}Translation`),
    summary: `Write the texts of ${withArticle(name)} in one language`,
    description: `Takes all texts of the language: an optional one that is left out is empty from then on. Every rule of the ${words(name)} holds, and the write counts as a change of it. A disabled language is written too.`,
    parameters: [...ownParameters(writing, place, LANGUAGE), ifMatch, prefer],
    requestBody: { required: true, content: { [JSON_TYPE]: example, [LD_TYPE]: example } },
    responses: {
      200: answerOf(writing, place, 'The texts of the language as they are now.', written),
      ...problemResponses(writing, common.problemsOf('replace')),
    },
  };
}

function describeRemove(writing: Writing, place: ModelPlace, common: Common): object {
  const { name } = place.resource;
  return {
    ...named(place, common, `delete${name}Translation`),
    summary: `Delete the texts of ${withArticle(name)} in one language`,
    description:
      'Another language’s are shown in their place. Texts that a record must have stay in the default language: a 409. A language without texts of the record is a 404.',
    parameters: [...ownParameters(writing, place, String(identifierExample(languages(writing)))), ifMatch, prefer],
    responses: {
      204: { description: 'The texts are gone.', headers: headersNamed(writing, ['Preference-Applied']) },
      // Required texts stay in the default language.
      ...problemResponses(writing, common.problemsOf('remove', 'conflict')),
    },
  };
}

function named(place: ModelPlace, { tag }: Common, operation: string): object {
  return { tags: [tag], operationId: `${operation}${placeSuffix(place)}`, security: [{ apiKey: [] }] };
}

function ownParameters(writing: Writing, place: ModelPlace, language: string): Parameter[] {
  return [...pathParameters(place, 'item'), languageParameter(writing, language)];
}

/** @param sent what the record is made of, or the body */
function answerOf(writing: Writing, place: ModelPlace, description: string, sent: Example): object {
  const show = (record: ShownRecord): ShownRecord => textsOf(exampleLocation(place), LANGUAGE, record);
  const example = textsExample(place.texts, sent);
  const content: Content = recordContent(writing, (form) => translationSchema(form, place), example, show);
  return {
    description,
    headers: headersNamed(writing, ['ETag', 'Content-Language', 'Preference-Applied']),
    content,
  };
}

/** The language in which the example of a record is made. */
const LANGUAGE = LANGUAGES.defaultLanguage;

function languages({ model }: Writing): ModelResource {
  return model.resources.get('Language')!;
}

/** The texts of the language once this was sent: an optional text that was left out is empty. */
function textsExample(texts: readonly ModelField[], sent: Example): Example {
  return Object.fromEntries(texts.map(({ name, field }) => [name, sent[name] ?? field.default]));
}

function inputExample(place: ModelPlace): Example {
  const texts = writtenTexts(place).filter(({ field }) => field.required || field.example !== undefined);
  return Object.fromEntries(texts.map(({ name, field }) => [name, field.example ?? 'text']));
}
