/** Whether a model can be served: rules between the parts of a declaration, and between declarations. */

import type { ColumnType } from '../ports.ts';
import type { Uses } from '../rules.ts';
import { contradict } from './contradiction.ts';
import type { ModelField, ModelResource, ModelRoute } from './model.ts';
import { formOf, LANGUAGE_PARAMETER, translationPath, translationsPath } from './routes.ts';

export function checkResource(resource: ModelResource, resources: ReadonlyMap<string, ModelResource>): void {
  for (const field of resource.fields.values()) checkField(field, resources);
  const { declaration, identifier } = resource;
  if (identifier.kind === 'manual' && columnTypeOf(resource.fields.get(identifier.field)!) !== 'text')
    contradict(resource.name, `field ${identifier.field}: a manual identifier is a text`, 'declare it with text()');
  if (identifier.kind === 'manual' && !/^\^.*\$$/.test(identifier.pattern.source))
    contradict(
      resource.name,
      `its identifier pattern ${identifier.pattern} may match a part`,
      'anchor it with ^ and $',
    );
  if (declaration.siblingsMax && !resource.owner)
    contradict(resource.name, 'limits its siblings, but is part of nothing', 'declare a field with partOf()');
  checkUses(resource, resources);
  checkDataSubjects(resource);
  const methods = resource.actions.map((action) => action.name);
  if (new Set(methods).size !== methods.length) contradict(resource.name, 'has two actions of one name', 'rename one');
}

/** A person is found by what is declared, or the first request to forget one would find that out. */
function checkDataSubjects(resource: ModelResource): void {
  const { dataSubject, ofDataSubject, personal, retention } = resource.declaration;
  const wrong = (what: string, remedy: string): never => contradict(resource.name, what, remedy);
  const isFound = (name: string): boolean => {
    const field = resource.fields.get(name);
    return field !== undefined && (field.field.distinct !== undefined || field.field.searchable);
  };
  for (const named of [dataSubject?.named, ofDataSubject?.named])
    if (named !== undefined && !isFound(named))
      wrong(`persons are named by ${named}, which is not searchable`, 'declare it so');
  const link = ofDataSubject && resource.fields.get(ofDataSubject.link);
  if (ofDataSubject && !link?.target?.declaration.dataSubject)
    wrong(`tells of persons by ${ofDataSubject.link}, which leads to none`, 'name a link to a resource of persons');
  if ((personal || retention) && !resource.owner)
    wrong('is forgotten as a part, but part of nothing', 'declare a field with partOf()');
  if (retention && resource.fields.get(retention.from)?.field.kind !== 'timestamp')
    wrong(`is kept for years from ${retention.from}, which is no moment`, 'name one');
  const { ofDataSubject: ofOwner } = resource.owner?.target?.declaration ?? {};
  if (retention && !(ofOwner && resource.owner!.target!.fields.get(ofOwner.named)?.field.personal))
    wrong('is kept for years, and nothing tells when its person was forgotten', 'declare ofPerson, by a personal text');
}

/** Rules name only declared resources and fields. Else the first request that runs the rule would find it out. */
function checkUses(resource: ModelResource, resources: ReadonlyMap<string, ModelResource>): void {
  const { rules, routes } = resource.declaration;
  const check = (who: string, uses: Uses = {}, inputs: object = {}): void => {
    for (const [name, fields] of Object.entries(uses)) {
      const used = name === 'own' ? resource : resources.get(name);
      if (!used) contradict(resource.name, `${who} name ${name}, which is not declared`, 'correct the name');
      const unknown = fields.find((field) => !used.fields.has(field) && !(name === 'own' && field in inputs));
      if (unknown !== undefined)
        contradict(resource.name, `${who} name the field ${unknown}, which ${used.name} has not`, 'correct the name');
    }
  };
  const inputs = Object.assign({}, ...resource.actions.map(({ input }) => input)) as object;
  check('its rules', rules?.uses, inputs);
  for (const { name, uses } of resource.actions) check(`its rules of ${name}`, uses, inputs);
  for (const { name, uses } of resource.views) check(`its rules of ${name}`, uses);
  for (const { path, admission } of routes) check(`its rules of ${path}`, admission?.uses);
}

/** Two places that answer at one address would hide each other. */
export function checkPaths(routes: readonly ModelRoute[]): void {
  const seen = new Map<string, string>();
  for (const { path, aliases, resource } of routes)
    for (const taken of [path, ...aliases.map((alias) => alias.path)]) {
      const other = seen.get(formOf(taken));
      if (other !== undefined)
        contradict(resource.name, `path ${taken}: is taken by ${other}`, 'give one of the two another path');
      seen.set(formOf(taken), resource.name);
    }
  for (const route of routes.filter(({ texts }) => texts.length > 0)) {
    const wrong = (what: string, remedy: string): never =>
      contradict(route.resource.name, `path ${route.path}: ${what}`, remedy);
    if (route.path.includes(`{${LANGUAGE_PARAMETER}}`))
      wrong(`{${LANGUAGE_PARAMETER}} is the language of its translations`, 'give the parameter another name');
    const { actions, views } = route.resource;
    const names = [...actions, ...views].map(({ name }) => formOf(`${route.path}/${name}`));
    for (const path of [translationsPath(route), translationPath(route)].map(formOf))
      if (seen.has(path) || names.includes(path))
        wrong('the path of its translations is taken', 'give the other path another name');
  }
}

function checkField(field: ModelField, resources: ReadonlyMap<string, ModelResource>): void {
  const { resource, name, storage } = field;
  const { required, nullable, preservedOnReplace, unique, searchable, stamped, default: fallback } = field.field;
  const wrong = (what: string, remedy: string): never => contradict(resource.name, `field ${name}: ${what}`, remedy);
  const isInput = field.field.groups.includes('insert') || field.field.groups.includes('update');
  if ((stamped === 'changed' && isInput) || (stamped && field.field.groups.includes('update')))
    wrong('is set by the engine, so a client cannot', 'take the groups insert and update away');
  if (required && nullable) wrong('is required and nullable', 'make it one of the two');
  if (required && preservedOnReplace) wrong('is required, so it cannot be left out and kept', 'drop kept or required');
  if (required && !isInput) wrong('is required, but no input has it', 'give it the groups insert and update');
  if (
    isInput &&
    !required &&
    !nullable &&
    !preservedOnReplace &&
    !stamped &&
    fallback === null &&
    storage.in !== 'nothing'
  )
    wrong('is neither required nor nullable and has no default', 'declare one of the three');
  if (unique && columnTypeOf(field) !== 'text' && storage.in !== 'translation')
    wrong('only texts can be unique', 'drop unique');
  if (unique && storage.in === 'translation' && typeof unique === 'string')
    wrong('a translated text cannot share its uniqueness with other fields', 'declare unique: true');
  if (field.field.distinct && (unique !== true || storage.in !== 'column'))
    wrong('is distinct loosely, but not unique in a column of its own', 'declare unique: true, and no translation');
  if (field.field.namespace !== undefined && !field.field.distinct)
    wrong('shares a namespace, but is not distinct loosely', 'declare distinct');
  if (field.field.numbered && unique !== true)
    wrong('is numbered, but two records may have the same number', 'declare unique: true');
  if (storage.in === 'translation' && storage.fallback !== undefined) {
    if (columnTypeOf(resource.fields.get(storage.fallback) ?? field) !== 'text')
      wrong(`falls back to ${storage.fallback}, which is no untranslated text`, 'name one');
    if (searchable) wrong('is searchable and has a fall-back that is not', 'drop one of the two');
  }
  if (searchable && storage.in === 'nothing') wrong('is searchable but not kept', 'drop searchable');
  if (storage.in === 'translation' && !resources.has('Language'))
    wrong('is translated, but there is no resource Language', 'declare Language, or drop translated');
  if ((storage.in === 'parts' || storage.in === 'part') && field.target?.owner?.target !== resource)
    wrong(
      `shows parts of ${storage.of}, which is not part of ${resource.name}`,
      `declare a field of ${storage.of} with partOf('${resource.name}')`,
    );
  if (storage.in === 'count' && field.target?.owner?.target !== resource)
    wrong(
      `counts parts of ${storage.of}, which is not part of ${resource.name}`,
      `declare a field of ${storage.of} with partOf('${resource.name}')`,
    );
  if (storage.in === 'sum' && storage.of.some((each) => columnTypeOf(resource.fields.get(each) ?? field) !== 'integer'))
    wrong(`adds up ${storage.of.join()}, which are not all whole numbers of the record`, 'name integers');
  checkOwners(field, wrong);
  if (storage.in === 'path' && (field.target !== resource || !resource.tree))
    wrong('shows a path, but the records form no tree', 'declare a reference to the resource itself as its tree');
  if (storage.in === 'parts' && storage.written && field.target?.declaration.rules?.within)
    wrong(`makes parts of ${storage.of}, whose rule “within” would not run`, 'move the rule to check or derive');
  const isEmbedded = (storage.in === 'link' || storage.in === 'links') && storage.embedded;
  if (field.target?.changesUnpublished && (isEmbedded || storage.in === 'parts' || storage.in === 'part'))
    wrong(`shows records of ${field.target.name}, whose changes are not told`, 'show their identifiers');
  if (field.field.unpublished && storage.in !== 'column')
    wrong('is untold, but not kept in a column of the record', 'drop untold');
  if (field.field.once && (storage.in !== 'column' || !nullable))
    wrong('is shown once, but is no column that may be null', 'declare it nullable');
  if (field.field.personal && (storage.in !== 'column' || field.field.file || typeof unique === 'string'))
    wrong('is personal, and can be forgotten only in a column of its own', 'drop personal');
  if (field.field.hashed && (resource.owner || resource.bulk))
    wrong('is hashed, and only records that are written one by one are', 'take away what it is part of, or bulk');
  if (storage.in === 'links' && storage.made && !field.target?.naming)
    wrong(`makes records of ${storage.to}, which has no unique translated name`, 'give it one, or drop made');
}

/** A value that the owner stands in for is of the owner's kind, and no query asks for what is kept instead. */
function checkOwners(field: ModelField, wrong: (what: string, remedy: string) => never): void {
  const { resource, name, storage } = field;
  const flag = field.field.ownersWhile;
  if (flag === undefined) return;
  const owners = resource.owner?.target?.fields.get(name);
  if (!owners || columnTypeOf(owners) !== columnTypeOf(field) || storage.in !== 'column')
    wrong('is shown as its owner has it, which has no such column', 'declare the field of the owner alike');
  if (columnTypeOf(resource.fields.get(flag) ?? field) !== 'boolean')
    wrong(`is shown as its owner has it while ${flag}, which is no flag`, 'name a flag');
  const asks = ({ filters, orders }: ModelRoute): boolean =>
    [...filters.values()].some((filter) => filter.field === field) || [...orders.values()].includes(field);
  if (resource.routes.some(asks))
    wrong('is not always its own, so no query can ask for it', 'take it out of filters and orders');
}

function columnTypeOf({ storage }: ModelField): ColumnType | undefined {
  return storage.in === 'column' ? storage.type : undefined;
}
