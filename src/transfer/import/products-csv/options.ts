/** The options of variants: attribute values of a product as texts, and the values of texts. Checkbox values are true and false. */
import { nameMatch } from '../../../engine/text-forms.ts';
import { type ApiRecord, type Ids, type Problems, type StoreApi, sentenceOf } from '../../api/store-api.ts';

type Kind = 'select' | 'checkbox';

interface Attribute {
  readonly id: number;
  readonly kind: Kind;
  readonly name: string;
  /** Path of its list, and the identifiers in it. */
  readonly path: string;
  readonly owner: Ids;
}

/** A value of a product, as a variant refers to it. */
interface OptionValue {
  readonly id: number;
  readonly attribute: Attribute;
  /** As in a cell. */
  readonly text: string;
}

/** The texts of a variant's options by attribute name. */
export type Options = ReadonlyMap<string, string>;

/** Identifiers of attribute values, as the input of a variant has them. */
interface ValueIds {
  readonly attribute_select_values: readonly number[];
  readonly attribute_checkbox_values: readonly number[];
}

const KINDS: readonly Kind[] = ['select', 'checkbox'];

/** Reads lists of attributes, which many products share, once. */
export class AttributeLists {
  readonly #api: StoreApi;
  readonly #lists = new Map<string, Promise<Attribute[]>>();

  constructor(api: StoreApi) {
    this.#api = api;
  }

  /** Yields the attributes of a product: its own first, then those of its class, then those of the store. */
  async *of(product: ApiRecord): AsyncGenerator<Attribute> {
    const classId = (product.product_class as { readonly id: number } | null | undefined)?.id;
    const scopes: [prefix: string, owner: Ids][] = [
      ['/products/{product_id}', [product.id as number]],
      ...(classId === undefined ? [] : [['/product_classes/{class_id}', [classId]] as [string, Ids]]),
      ['', []],
    ];
    for (const [prefix, owner] of scopes)
      for (const kind of KINDS) yield* await this.#read(`${prefix}/attributes_${kind}`, kind, owner);
  }

  #read(path: string, kind: Kind, owner: Ids): Promise<Attribute[]> {
    const key = `${path} ${owner.join()}`;
    const known = this.#lists.get(key);
    if (known) return known;
    const read = Array.fromAsync(this.#api.list(path, owner), ({ id, name }) => ({
      ...{ id: id as number, kind, name: name as string, path, owner },
    }));
    // Lists of products are used for one product only.
    if (!path.startsWith('/products/')) this.#lists.set(key, read);
    return read;
  }
}

/** The attribute values of one product. */
export class ProductOptions {
  readonly #api: StoreApi;
  readonly #product: ApiRecord;
  readonly #unread: AsyncGenerator<Attribute>;
  readonly #attributes: Attribute[] = [];
  readonly #values: OptionValue[] = [];

  constructor(api: StoreApi, lists: AttributeLists, product: ApiRecord) {
    this.#api = api;
    this.#product = product;
    this.#unread = lists.of(product);
  }

  /** Returns the options of a variant as texts. */
  async textsOf(variant: ApiRecord): Promise<Options> {
    const options = new Map<string, string>();
    for (const kind of KINDS)
      for (const id of variant[`attribute_${kind}_values`] as readonly number[]) {
        const value = await this.#find((each) => each.attribute.kind === kind && each.id === id);
        if (value) options.set(value.attribute.name, value.text);
      }
    return options;
  }

  /** Finds or creates the values of texts. Creates missing attributes as select attributes of the product. */
  async valuesOf(options: Options): Promise<ValueIds | Problems> {
    const ids: Record<Kind, number[]> = { select: [], checkbox: [] };
    for (const [name, text] of options) {
      const value = await this.#findOrCreate(name, text);
      if ('problems' in value) return [{ path: `option.${name}`, message: sentenceOf(value.problems) }];
      ids[value.attribute.kind].push(value.id);
    }
    return { attribute_select_values: ids.select, attribute_checkbox_values: ids.checkbox };
  }

  async #find(isWanted: (value: OptionValue) => boolean): Promise<OptionValue | undefined> {
    for (;;) {
      const found = this.#values.find(isWanted);
      if (found || !(await this.#readNext())) return found;
    }
  }

  /** Reads the values of the next attribute. @returns false after the last */
  async #readNext(): Promise<boolean> {
    const { value: attribute, done } = await this.#unread.next();
    if (done) return false;
    this.#attributes.push(attribute);
    for await (const value of this.#api.list(valuesPath(attribute), [this.#productId, attribute.id]))
      this.#values.push({ id: value.id as number, attribute, text: textIn(value, attribute) });
    return true;
  }

  async #findOrCreate(name: string, text: string): Promise<OptionValue | { readonly problems: Problems }> {
    const isNamed = (attribute: Attribute): boolean => nameMatch(attribute.name) === nameMatch(name);
    const isText = (one: string): boolean => nameMatch(one) === nameMatch(text);
    const found = await this.#find((value) => isNamed(value.attribute) && isText(value.text));
    if (found) return found;
    const attribute = this.#attributes.find(isNamed) ?? (await this.#createAttribute(name));
    if ('problems' in attribute) return attribute;
    const input = await this.#valueInput(attribute, text, isText);
    if ('problems' in input) return input;
    const made = await this.#api.post(valuesPath(attribute), [this.#productId, attribute.id], input.body);
    if (!made.ok) return made;
    const value = { id: made.id, attribute, text };
    this.#values.push(value);
    return value;
  }

  async #createAttribute(name: string): Promise<Attribute | { readonly problems: Problems }> {
    const path = '/products/{product_id}/attributes_select';
    const made = await this.#api.post(path, [this.#productId], { name });
    if (!made.ok) return made;
    const attribute: Attribute = { id: made.id, kind: 'select', name, path, owner: [this.#productId] };
    this.#attributes.push(attribute);
    return attribute;
  }

  /** The input of a new value. A select attribute may need a new option first. */
  async #valueInput(
    { id, kind, path, owner }: Attribute,
    text: string,
    isText: (one: string) => boolean,
  ): Promise<{ readonly body: ApiRecord } | { readonly problems: Problems }> {
    if (kind === 'checkbox') {
      if (isText('true') || isText('false')) return { body: { value: isText('true') } };
      return { problems: [{ path: '', message: 'The cell must be true or false.' }] };
    }
    const options = `${path}/{attribute_id}/options`;
    for await (const option of this.#api.list(options, [...owner, id]))
      if (isText(option.value as string)) return { body: { option_id: option.id } };
    const made = await this.#api.post(options, [...owner, id], { value: text });
    return made.ok ? { body: { option_id: made.id } } : made;
  }

  get #productId(): number {
    return this.#product.id as number;
  }
}

function valuesPath({ kind }: Attribute): string {
  return `/products/{product_id}/attributes_${kind}/{attribute_id}/values`;
}

function textIn(value: ApiRecord, { kind }: Attribute): string {
  return kind === 'checkbox' ? String(value.value) : (value.option as { readonly value: string }).value;
}

/** Returns a text that is equal for variants with the same options. */
export function optionsKey(options: Options): string {
  return JSON.stringify([...options].map(([name, text]) => [nameMatch(name), nameMatch(text)]).sort());
}
