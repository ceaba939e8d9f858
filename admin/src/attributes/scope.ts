/** Attributes where they are declared: for all products, for those of a class, for one product (catalog.md §7). */
import { anyStore, given } from '../store/data-provider.ts';

export type Kind = 'text' | 'checkbox' | 'select' | 'hidden';

/** A place where attributes are declared. */
export interface Scope {
  /** The beginning of its paths. */
  readonly prefix: '' | '/product_classes/{class_id}' | '/products/{product_id}';
  /** Stand for the braces in it. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly kinds: readonly Kind[];
  readonly hasGroups: boolean;
}

export interface Declared {
  readonly id: number;
  readonly name: string;
  readonly kind: Kind;
  readonly position: number;
  readonly groupId?: number | null;
  /** Of select attributes: a list or blocks. */
  readonly displayMode?: 'S' | 'B';
}

const BELOW: readonly Kind[] = ['select', 'checkbox', 'text'];

export function ofAll(): Scope {
  return { prefix: '', parameters: {}, kinds: [...BELOW, 'hidden'], hasGroups: true };
}

export function ofClass(class_id: number): Scope {
  return { prefix: '/product_classes/{class_id}', parameters: { class_id }, kinds: BELOW, hasGroups: true };
}

export function ofProduct(product_id: number): Scope {
  return { prefix: '/products/{product_id}', parameters: { product_id }, kinds: BELOW, hasGroups: false };
}

export const pathOf = ({ prefix }: Scope, kind: Kind): string => `${prefix}/attributes_${kind}`;

export const hasOptions = ({ kind }: Declared): boolean => kind === 'select' || kind === 'hidden';

/** All attributes that are declared there, of every kind, in their order. */
export async function declaredIn(scope: Scope): Promise<Declared[]> {
  const lists = await Promise.all(
    scope.kinds.map(async (kind) => {
      const found: Declared[] = [];
      const path = pathOf(scope, kind);
      for await (const one of anyStore().list(path, ...given(path, scope.parameters))) found.push({ ...one, kind });
      return found;
    }),
  );
  return lists.flat().sort((one, other) => one.position - other.position || one.id - other.id);
}
