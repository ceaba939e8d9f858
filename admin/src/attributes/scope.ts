/** The scopes that attributes are declared in: all products, the products of a class, or one product (catalog.md §7). */
import type { Item, PathOf } from 'purveyor/client';
import { type PathParameters, readAll } from '../api/runtime-requests.ts';

export type AttributeKind = 'text' | 'checkbox' | 'select' | 'hidden';

export type AttributePath = Extract<PathOf<'list'>, `${string}/attributes_${AttributeKind}`>;
export type OptionsPath = Extract<PathOf<'list'>, `${AttributePath}/{attribute_id}/options`>;
export type GroupsPath = Extract<PathOf<'list'>, `${string}/attribute_groups`>;

export interface Scope {
  readonly name: 'global' | 'class' | 'product';
  /** The path of the attributes of each kind that the scope can have. */
  readonly paths: Readonly<Partial<Record<AttributeKind, AttributePath>>>;
  readonly parameters: PathParameters;
}

/** A scope whose attributes can be grouped. */
export interface GroupedScope extends Scope {
  readonly groupsPath: GroupsPath;
}

export type DeclaredAttribute = Item<AttributePath> & {
  readonly kind: AttributeKind;
  /** Only of scopes with groups. */
  readonly groupId?: number | null;
  /** Only of select attributes: a list or blocks. */
  readonly displayMode?: 'S' | 'B';
};

export function globalScope(): GroupedScope {
  return {
    name: 'global',
    paths: {
      select: '/attributes_select',
      checkbox: '/attributes_checkbox',
      text: '/attributes_text',
      hidden: '/attributes_hidden',
    },
    parameters: {},
    groupsPath: '/attribute_groups',
  };
}

export function classScope(class_id: number): GroupedScope {
  return {
    name: 'class',
    paths: {
      select: '/product_classes/{class_id}/attributes_select',
      checkbox: '/product_classes/{class_id}/attributes_checkbox',
      text: '/product_classes/{class_id}/attributes_text',
    },
    parameters: { class_id },
    groupsPath: '/product_classes/{class_id}/attribute_groups',
  };
}

export function productScope(product_id: number): Scope {
  return {
    name: 'product',
    paths: {
      select: '/products/{product_id}/attributes_select',
      checkbox: '/products/{product_id}/attributes_checkbox',
      text: '/products/{product_id}/attributes_text',
    },
    parameters: { product_id },
  };
}

export const kindsOf = ({ paths }: Scope): AttributeKind[] => Object.keys(paths) as AttributeKind[];

export const hasOptions = (kind: AttributeKind): boolean => kind === 'select' || kind === 'hidden';

/** @param kind one that has options */
export const optionsPathOf = ({ paths }: Scope, kind: AttributeKind): OptionsPath =>
  `${paths[kind]!}/{attribute_id}/options` as OptionsPath;

/** Reads all attributes declared in the scope, of every kind, sorted by position. */
export async function readDeclaredAttributes({ paths, parameters }: Scope): Promise<DeclaredAttribute[]> {
  const lists = await Promise.all(
    Object.entries(paths).map(async ([kind, path]) =>
      (await readAll(path, parameters)).map((attribute) => ({ ...attribute, kind }) as DeclaredAttribute),
    ),
  );
  return lists.flat().sort((one, other) => one.position - other.position || one.id - other.id);
}
