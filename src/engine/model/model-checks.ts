/** Consistency checks of the model: within one declaration, and between declarations. */

import type { Field } from '../field.ts';
import type { ColumnType } from '../ports.ts';
import type { Uses } from '../rules.ts';
import { contradict } from './contradiction.ts';
import { fieldsAlong, type ModelField, type ModelResource, type ModelRoute } from './model.ts';
import { formOf, LANGUAGE_PARAMETER, translationPath, translationsPath } from './routes.ts';

export function checkResource(resource: ModelResource, resources: ReadonlyMap<string, ModelResource>): void {
  for (const field of resource.fields.values()) checkField(field, resources);
  const { declaration, identifier } = resource;
  if (identifier.kind === 'manual' && columnTypeOf(resource.fields.get(identifier.field)!) !== 'text')
    contradict(resource.name, `manual identifier ${identifier.field} is not a text`, 'declare it with text()');
  if (identifier.kind === 'manual' && !/^\^.*\$$/.test(identifier.pattern.source))
    contradict(
      resource.name,
      `identifier pattern ${identifier.pattern} may match a substring`,
      'anchor it with ^ and $',
    );
  if (declaration.siblingsMax && !resource.owner && !declaration.serialized)
    contradict(
      resource.name,
      'limits its records, but concurrent writes could exceed the limit',
      'declare it serialized',
    );
  checkUses(resource, resources);
  checkFormerValues(resource, resources);
  checkDataSubjects(resource);
  const methods = resource.actions.map((action) => action.name);
  if (new Set(methods).size !== methods.length)
    contradict(resource.name, 'has two actions with the same name', 'rename one');
}

/** The resource of former values has the fields that the unit of work sets. */
function checkFormerValues(
  { name, fields, declaration }: ModelResource,
  resources: ReadonlyMap<string, ModelResource>,
): void {
  const { formerValues: former, evaluations = {} } = declaration;
  const wrong = (what: string): never => contradict(name, what, 'correct the name');
  for (const field of fields.values())
    if (field.storage.in === 'evaluated' && !(field.name in evaluations)) wrong(`does not evaluate ${field.name}`);
  if (!former) return;
  const to = resources.get(former.to);
  if (!to?.isUnpublished) wrong(`stores former values in ${former.to}, which is not unpublished`);
  const unknown = ['resource', 'until', 'values', ...Object.keys(former.named)].find((field) => !to!.fields.has(field));
  if (unknown !== undefined) wrong(`stores former values in the unknown field ${former.to}.${unknown}`);
  const { long } = former;
  if (long && resources.get(long.to)?.fields.get(long.link)?.target !== fields.get(long.field)?.target)
    wrong(`stores the former set ${long.field} in ${long.to}.${long.link}, which does not link to the same resource`);
  const missing = [...former.fields, ...Object.values(former.named)].find((field) => !fields.has(field));
  if (missing !== undefined) wrong(`stores former values of the unknown field ${missing}`);
}

/** Data subjects are found by declared fields. Checked at start, before the first erasure request depends on it. */
function checkDataSubjects(resource: ModelResource): void {
  const { dataSubject, ofDataSubject, personal, retention } = resource.declaration;
  const wrong = (what: string, remedy: string): never => contradict(resource.name, what, remedy);
  const isFound = (name: string): boolean => {
    const field = resource.fields.get(name);
    return field !== undefined && (field.field.distinct !== undefined || field.field.searchable);
  };
  for (const named of [dataSubject?.named, ofDataSubject?.named])
    if (named !== undefined && !isFound(named))
      wrong(`data subjects are named by ${named}, which is not searchable`, 'declare it searchable');
  const link = ofDataSubject && resource.fields.get(ofDataSubject.link);
  if (ofDataSubject && !link?.target?.declaration.dataSubject)
    wrong(`${ofDataSubject.link} does not link to a data subject`, 'name a link to a resource of data subjects');
  if ((retention || (personal && !ofDataSubject)) && !resource.owner)
    wrong('is erased as a part, but has no owner', 'declare a field with partOf()');
  if (retention && resource.fields.get(retention.from)?.field.kind !== 'timestamp')
    wrong(`has a retention from ${retention.from}, which is not a timestamp`, 'name a timestamp');
  const { ofDataSubject: ofOwner } = resource.owner?.target?.declaration ?? {};
  const namedBy = ofOwner?.named === undefined ? undefined : resource.owner!.target!.fields.get(ofOwner.named);
  if (retention && !namedBy?.field.personal)
    wrong(
      'has a retention, but its owner does not record when its data subject was erased',
      'declare ofDataSubject on the owner, with a personal text',
    );
}

/** Rules name only declared resources and fields. Otherwise the error would surface when the rule first runs. */
function checkUses(resource: ModelResource, resources: ReadonlyMap<string, ModelResource>): void {
  const { rules, routes } = resource.declaration;
  const check = (subject: string, uses: Uses = {}, inputs: object = {}): void => {
    for (const [name, fields] of Object.entries(uses)) {
      const used = name === 'own' ? resource : resources.get(name);
      if (!used) contradict(resource.name, `${subject} name ${name}, which is not declared`, 'correct the name');
      const unknown = fields.find((field) => !used.fields.has(field) && !(name === 'own' && field in inputs));
      if (unknown !== undefined)
        contradict(resource.name, `${subject} name the unknown field ${used.name}.${unknown}`, 'correct the name');
    }
  };
  const inputs = Object.assign({}, ...resource.actions.map(({ input }) => input)) as object;
  check('rules', rules?.uses, inputs);
  check('bulk writes', resource.declaration.bulk?.collected?.uses);
  for (const { name, uses, calculatedFrom } of resource.actions) {
    check(`rules of ${name}`, uses, inputs);
    check(`rules of ${name}`, calculatedFrom);
  }
  check('the printed page', resource.declaration.printed?.uses);
  for (const { name, uses } of resource.views) check(`rules of ${name}`, uses);
  check('rules of the quote', resource.declaration.quote?.uses);
  for (const { name, field } of resource.fields.values()) check(`the records that ${name} finds`, field.finds);
  const { listField } = resource.declaration;
  check('the list field', listField?.uses?.basis);
  check('the list field', listField?.uses?.values);
  if (listField) checkParameters(resource, listField.name, listField.parameters, resources);
  for (const [name, { uses }] of Object.entries(resource.declaration.evaluations ?? {}))
    check(`values of ${name}`, uses);
  for (const { name, ...view } of resource.views)
    if ('output' in view) checkParameters(resource, name, view.parameters ?? {}, resources);
  for (const { path, admission } of routes) check(`rules of ${path}`, admission?.uses);
}

/** Checks that query parameters of a view refer to declared resources, and that no action has the path of such a view. */
function checkParameters(
  { name: owner, actions }: ModelResource,
  view: string,
  parameters: Readonly<Record<string, Field>>,
  resources: ReadonlyMap<string, ModelResource>,
): void {
  for (const [name, { storage }] of Object.entries(parameters))
    if (storage.in === 'link' && !resources.has(storage.to))
      contradict(
        owner,
        `the parameter ${name} of ${view} refers to ${storage.to}, which is not declared`,
        'correct the name',
      );
  if (Object.keys(parameters).length > 0 && actions.some(({ name }) => name === view))
    contradict(owner, `the view ${view} has parameters, but an action has its path`, 'rename one of the two');
}

/** Routes with the same path would hide each other. */
export function checkPaths(routes: readonly ModelRoute[]): void {
  const seen = new Map<string, string>();
  for (const { path, aliases, resource } of routes)
    for (const used of [path, ...aliases.map((alias) => alias.path)]) {
      const other = seen.get(formOf(used));
      if (other !== undefined)
        contradict(resource.name, `path ${used} is already used by ${other}`, 'change one of the two paths');
      seen.set(formOf(used), resource.name);
    }
  for (const route of routes.filter(({ texts }) => texts.length > 0)) {
    const wrong = (what: string, remedy: string): never =>
      contradict(route.resource.name, `path ${route.path} ${what}`, remedy);
    if (route.path.includes(`{${LANGUAGE_PARAMETER}}`))
      wrong(`has the parameter {${LANGUAGE_PARAMETER}} of its translations`, 'rename the parameter');
    const { actions, views } = route.resource;
    const names = [...actions, ...views].map(({ name }) => formOf(`${route.path}/${name}`));
    for (const path of [translationsPath(route), translationPath(route)].map(formOf))
      if (seen.has(path) || names.includes(path))
        wrong('has translations, but the path of its translations is already used', 'rename the other path');
  }
}

/** Rejects the field's declaration. @see contradict */
type Reject = (fault: string, remedy: string) => never;

function checkField(field: ModelField, resources: ReadonlyMap<string, ModelResource>): void {
  const wrong: Reject = (fault, remedy) => contradict(field.resource.name, `field ${field.name} ${fault}`, remedy);
  checkInput(field, wrong);
  checkUniqueness(field, wrong);
  checkTexts(field, resources, wrong);
  checkParts(field, wrong);
  checkDerived(field, wrong);
  checkLinkedValues(field, wrong);
  checkLinkedText(field, wrong);
  checkInherited(field, wrong);
  checkOutput(field, wrong);
}

function checkInput({ field, storage }: ModelField, wrong: Reject): void {
  const { groups, required, nullable, preservedOnReplace, stamped, default: fallback } = field;
  const isInput = groups.includes('insert') || groups.includes('update');
  if ((stamped === 'changed' && isInput) || (stamped && groups.includes('update')))
    wrong('is set by the engine, so clients cannot set it', 'remove the groups insert and update');
  if (required && nullable) wrong('is required and nullable', 'choose one of the two');
  if (required && preservedOnReplace)
    wrong('is required, so a PUT cannot omit and preserve it', 'drop preservedOnReplace or required');
  if (required && !isInput) wrong('is required, but has no input group', 'give it the groups insert and update');
  const hasValueIfOmitted = required || nullable || preservedOnReplace || stamped || fallback !== null;
  if (isInput && !hasValueIfOmitted && storage.in !== 'nothing')
    wrong('is neither required nor nullable and has no default', 'declare one of the three');
}

function checkUniqueness(field: ModelField, wrong: Reject): void {
  const { storage } = field;
  const { unique, distinct, namespace, numbered } = field.field;
  if (unique && columnTypeOf(field) !== 'text' && storage.in !== 'translation')
    wrong('is unique, but not a text', 'drop unique');
  if (unique && storage.in === 'translation' && typeof unique === 'string')
    wrong('is translated and cannot share its uniqueness with other fields', 'declare unique: true');
  if (distinct && (unique !== true || storage.in !== 'column'))
    wrong('is loosely distinct, but not unique in its own column', 'declare unique: true, and no translation');
  if (namespace !== undefined && !distinct)
    wrong('shares a namespace, but is not loosely distinct', 'declare distinct');
  if (numbered && unique !== true)
    wrong('is numbered, but two records may have the same number', 'declare unique: true');
}

function checkTexts(field: ModelField, resources: ReadonlyMap<string, ModelResource>, wrong: Reject): void {
  const { resource, storage } = field;
  const { searchable } = field.field;
  if (storage.in === 'translation' && storage.fallback !== undefined) {
    if (columnTypeOf(resource.fields.get(storage.fallback) ?? field) !== 'text')
      wrong(`falls back to ${storage.fallback}, which is not an untranslated text`, 'name an untranslated text');
    if (searchable) wrong('is searchable, but its fallback is not', 'drop searchable or fallback');
  }
  if (searchable && storage.in === 'nothing') wrong('is searchable, but not stored', 'drop searchable');
  if (storage.in === 'translation' && !resources.has('Language'))
    wrong('is translated, but there is no resource Language', 'declare Language, or drop translated');
}

function checkParts({ resource, storage, target }: ModelField, wrong: Reject): void {
  const isOwner = target?.owner?.target === resource;
  const isOfParts = 'of' in storage && typeof storage.of === 'string' && storage.in !== 'path';
  if (isOfParts && !isOwner)
    wrong(
      `refers to ${storage.of} as parts, which is not part of ${resource.name}`,
      `declare a field of ${storage.of} with partOf('${resource.name}')`,
    );
  const unknown = columnsUsed(storage).find((name) => target?.fields.get(name)?.storage.in !== 'column');
  if (unknown !== undefined) wrong(`uses ${unknown}, which is no column of ${target!.name}`, 'name a column');
  if (storage.in === 'parts' && storage.written && target?.declaration.rules?.within)
    wrong(`creates parts of ${storage.of}, whose rule “within” would not run`, 'move the rule to check or derive');
  if (storage.in !== 'texts') return;
  const isSearchable = ({ fields }: ModelResource, name: string): boolean =>
    fields.get(name)?.field.searchable === true;
  const all = [
    ...storage.own.map((name) => isSearchable(resource, name)),
    ...storage.joined.flat().map((name) => isSearchable(target!, name)),
  ];
  if (all.includes(false)) wrong('searches in a text without a search key', 'declare the text searchable');
}

/** The columns of parts that an aggregate or a filter reads. */
function columnsUsed(storage: ModelField['storage']): readonly string[] {
  if (storage.in === 'texts') return storage.joined.flat();
  if (storage.in !== 'count' && storage.in !== 'average') return [];
  return [...Object.keys(storage.where ?? {}), ...(storage.in === 'average' ? [storage.averaged] : [])];
}

function checkDerived(field: ModelField, wrong: Reject): void {
  const { resource, storage, target } = field;
  if (storage.in === 'inheritedTotal') {
    const inherited = target!.fields.get(storage.field);
    if (!inherited?.field.inheritedWhile || columnTypeOf(inherited) !== 'integer')
      wrong(
        `adds up ${storage.field}, which is not an inherited integer of ${storage.of}`,
        'name an inherited integer',
      );
  }
  if (storage.in === 'sum' && storage.of.some((each) => columnTypeOf(resource.fields.get(each) ?? field) !== 'integer'))
    wrong(`adds up ${storage.of.join()}, which are not all integers of the record`, 'name integers');
  if (storage.in === 'path' && (target !== resource || !resource.tree))
    wrong('shows a path, but the records form no tree', 'declare a reference to the resource itself as its tree');
}

function checkLinkedValues({ resource, storage }: ModelField, wrong: Reject): void {
  if (storage.in !== 'linkedValues') return;
  for (const { links, members } of storage.sets) {
    const set = resource.fields.get(links);
    if (set?.storage.in !== 'links')
      wrong(`shows values through ${links}, which is no set of links`, 'name a set of links');
    for (const path of Object.values(members)) {
      const fields = fieldsAlong(set!.target!, path);
      if (!fields.every((field, index) => isOnPath(field, index === fields.length - 1)))
        wrong(`shows ${path} of ${links}, which is no stored value over single links`, 'name a stored value');
      const unpublished = fields.find((field) => field!.resource.changesUnpublished);
      if (unpublished)
        wrong(`shows values of ${unpublished.resource.name}, whose changes are not published`, 'show identifiers');
    }
  }
}

function checkLinkedText({ resource, storage }: ModelField, wrong: Reject): void {
  if (storage.in !== 'linkedText') return;
  for (const name of storage.links) {
    const link = resource.fields.get(name);
    const text = link?.storage.in === 'link' ? link.target!.fields.get(storage.text) : undefined;
    if (!text || columnTypeOf(text) !== 'text')
      wrong(`shows ${storage.text} of ${name}, which is no link to a record with such a text`, 'name a link');
  }
}

function isOnPath(field: ModelField | undefined, isLast: boolean): boolean {
  if (field?.storage.in === 'link') return !(isLast && field.storage.embedded);
  return isLast && (field?.storage.in === 'column' || field?.storage.in === 'translation');
}

function checkOutput({ resource, field, storage, target }: ModelField, wrong: Reject): void {
  const isLink = storage.in === 'link' || storage.in === 'links';
  const isEmbedded = (isLink && storage.embedded) || storage.in === 'parts' || storage.in === 'part';
  if (target?.changesUnpublished && isEmbedded)
    wrong(`shows records of ${target.name}, whose changes are not published`, 'show their identifiers');
  if (field.unpublished && storage.in !== 'column')
    wrong('is unpublished, but not stored in a column of the record', 'drop unpublished');
  if (field.once && (storage.in !== 'column' || !field.nullable))
    wrong('is shown once, but is not a nullable column', 'declare it nullable');
  if (field.personal && (storage.in !== 'column' || field.file || typeof field.unique === 'string'))
    wrong('is personal, but can only be erased in its own column', 'drop personal');
  if (field.hashed && (resource.owner || resource.bulk))
    wrong('is hashed, which only records written one by one support', 'remove the owner, or bulk');
  if (storage.in === 'links' && storage.made && !target?.naming)
    wrong(`creates records of ${storage.to}, which has no unique translated name`, 'give it one, or drop made');
}

/** An inherited value has the owner's type, and no query may use the stored value instead. */
function checkInherited(field: ModelField, wrong: Reject): void {
  const { resource, name, storage } = field;
  const flag = field.field.inheritedWhile;
  if (flag === undefined) return;
  const owners = resource.owner?.target?.fields.get(field.field.inheritedFrom ?? name);
  if (!owners || columnTypeOf(owners) !== columnTypeOf(field) || storage.in !== 'column')
    wrong('is inherited, but the owner has no such column', 'declare the same field on the owner');
  if (columnTypeOf(resource.fields.get(flag) ?? field) !== 'boolean')
    wrong(`is inherited while ${flag}, which is not a flag`, 'name a flag');
  const isQueriedAt = ({ filters, orders }: ModelRoute): boolean =>
    [...filters.values()].some((filter) => filter.field === field) || [...orders.values()].includes(field);
  if (resource.routes.some(isQueriedAt))
    wrong('is inherited at times, so queries cannot use it', 'remove it from filters and orders');
}

function columnTypeOf({ storage }: ModelField): ColumnType | undefined {
  return storage.in === 'column' ? storage.type : undefined;
}
