/** Parses the query parameters of a list field: its own parameters, its filters and its order. */
import { shortened } from '../english-names.ts';
import { isProblem } from '../errors.ts';
import type { Reading } from '../field.ts';
import { type KnownName, unknownParameter } from '../hints.ts';
import type { ModelField, ModelListField } from '../model/model.ts';
import type { Value } from '../ports.ts';
import { type FilterUse, readFilter } from './filter-values.ts';
import { operatorsFor } from './operators.ts';
import type { Parameter } from './query-string.ts';
import { readParameter } from './view-parameters.ts';

/** A condition on the values, with its bounds. */
export interface ListFieldCondition {
  readonly use: FilterUse;
  readonly bounds: Readonly<Record<string, Value>>;
}

/** How a list uses its list field. */
export interface ListFieldUse {
  readonly listField: ModelListField;
  /** Values of its parameters, with their defaults. */
  readonly parameters: Readonly<Record<string, Value>>;
  readonly isShown: boolean;
  readonly conditions: readonly ListFieldCondition[];
  /** Set if the list is sorted by it: first by so many of the query's orders, then by the list field, then by the others. */
  readonly order: { readonly after: number; readonly descending: boolean } | undefined;
  /** Identifies everything of this use that determines which records a page has; undefined if the list field does not. */
  readonly membersKey: string | undefined;
}

/** The name of the bound of a condition, as of a bind value. */
export const BOUND = 'bound';

export class ListFieldReader {
  readonly #listField: ModelListField;
  readonly #reading: Reading;
  readonly #sent = new Map<string, Value>();
  readonly #conditions: ListFieldCondition[] = [];
  #order: ListFieldUse['order'];
  #isUsed = false;

  constructor(listField: ModelListField, reading: Reading) {
    this.#listField = listField;
    this.#reading = reading;
  }

  get name(): string {
    return this.#listField.field.name;
  }

  /** The forms of its parameters and filters, for messages. */
  get known(): KnownName[] {
    return [...this.#members()].map((member) => ({ name: `${this.name}[${member}]` }));
  }

  #members(): string[] {
    return [...Object.keys(this.#listField.declaration.parameters), ...operatorsFor(this.#listField.filter)];
  }

  /** Applies one parameter. @returns the error message, if it is invalid */
  apply(group: readonly Parameter[]): string | undefined {
    const [first] = group as [Parameter];
    const { operator, written, value } = first;
    if (!operator || !this.#members().includes(operator)) return unknownParameter(written, this.known);
    if (group.length > 1) return `The parameter "${shortened(written)}" is given more than once. Send it once.`;
    this.#isUsed = true;
    const { declaration, filter } = this.#listField;
    const parameter = Object.hasOwn(declaration.parameters, operator) ? declaration.parameters[operator] : undefined;
    if (!parameter) {
      const read = readFilter(filter, group, BOUND, this.#reading);
      if ('error' in read) return read.error;
      this.#conditions.push({ use: read.value.use, bounds: read.value.values });
      return undefined;
    }
    const read = readParameter(`${this.name}[${operator}]`, parameter, value, this.#reading);
    if (isProblem(read)) return read.detail;
    this.#sent.set(operator, read);
    return undefined;
  }

  /** @param after the number of orders before this one */
  sort(after: number, descending: boolean): void {
    this.#isUsed = true;
    this.#order = { after, descending };
  }

  /** @returns the use; undefined if the list does not use the field; or an error message */
  use(fields: readonly ModelField[] | undefined): ListFieldUse | string | undefined {
    const { declaration, field } = this.#listField;
    const isNamed = fields?.includes(field) ?? false;
    if (!this.#isUsed && !isNamed) return undefined;
    const all = Object.entries(declaration.parameters);
    const missing = all.find(([member, { required }]) => required && !this.#sent.has(member));
    if (missing) {
      const parameter = `"${this.name}[${missing[0]}]"`;
      return `"${this.name}" needs the parameter ${parameter}. Send ${parameter} too.`;
    }
    const parameters = Object.fromEntries(
      all.map(([member, { default: value }]) => [member, this.#sent.has(member) ? this.#sent.get(member)! : value]),
    );
    const order = this.#order;
    const conditions = this.#conditions;
    const membersKey =
      conditions.length > 0 || order
        ? JSON.stringify([parameters, order ?? null, conditions.map(({ use, bounds }) => [formOf(use), bounds])])
        : undefined;
    return {
      listField: this.#listField,
      parameters,
      isShown: fields === undefined || isNamed,
      conditions,
      order,
      membersKey,
    };
  }
}

function formOf(use: FilterUse): string {
  return use.form === 'comparison' ? use.comparison : use.form;
}
