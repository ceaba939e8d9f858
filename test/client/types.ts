/**
 * Type tests of the client: valid programs, and invalid ones marked with `@ts-expect-error`. `npm run check` only compiles
 * this file.
 */
import {
  type ApiResponse,
  createClient,
  type Filter,
  type Following,
  type Input,
  type Item,
  type ProductOutput,
  type StoreProblem,
  type TaxClassOutput,
} from '../../src/client/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_ extends true>(): void => {};

const store = createClient({ baseUrl: 'https://shop.example', key: 'key', language: 'de' });

export async function reads(): Promise<void> {
  const response = await store.get('/products/{id}', { id: 5 });
  holds<Same<typeof response, ApiResponse<ProductOutput>>>();
  holds<Same<typeof response.data.tax_class, TaxClassOutput | null>>();
  const price: number = response.data.price;
  const again: ApiResponse<ProductOutput> = await store.get('/products/{id}', { id: price }, { ifNoneMatch: response });
  await store.get('/languages/{code}', { code: 'de' }, { language: 'de' });
  const counts = await store.get('/categories/{category_id}/stats', { category_id: 1 });
  holds<Same<typeof counts.data.products_count, number>>();
  void again;
  const filter = { quantity: 3, country: 'DE', explain: true } as const;
  const quoted = await store.get('/products/{id}/price', { id: 5 }, { filter });
  holds<Same<typeof quoted.data.net, number>>();
  await store.get('/products/{id}', { id: 5 }, { filter: { fields: 'price' } });

  // @ts-expect-error there is no such path
  await store.get('/product/{id}', { id: 5 });
  // @ts-expect-error the path has a parameter
  await store.get('/products/{id}');
  // @ts-expect-error the parameter has another name
  await store.get('/products/{id}', { product_id: 5 });
  // @ts-expect-error identifiers of products are numbers
  await store.get('/products/{id}', { id: '5' });
  // @ts-expect-error a collection is listed
  await store.get('/products');
  // @ts-expect-error there is no such field
  void response.data.pric;
  // @ts-expect-error the path has no such parameter
  await store.get('/products/{id}/price', { id: 5 }, { filter: { amount: 3 } });
  // @ts-expect-error the response of another resource cannot be compared
  await store.get('/categories/{category_id}', { category_id: 1 }, { ifNoneMatch: response });
}

export async function lists(): Promise<void> {
  for await (const product of store.list('/products', { filter: { price: { gte: 5, lt: 9 } }, order: { name: 'asc' } }))
    holds<Same<typeof product, ProductOutput>>();
  for await (const image of store.list('/products/{product_id}/images', { product_id: 1 })) void image.width;
  for await (const option of store.list(
    '/product_classes/{class_id}/attributes_select/{attribute_id}/options',
    { class_id: 1, attribute_id: 2 },
    { filter: { id: [1, 2] } },
  ))
    void option.value;
  const filter: Filter<'/products'> = {
    enabled: true,
    sku: ['A', 'B'],
    price: { between: [5, 9] },
    discount_type: 'sale_price',
    create_date: { strictly_after: '2026-01-01' },
  };
  const page = await store.page('/products', { filter, page: 2, itemsPerPage: 10 });
  holds<Same<typeof page.data, Item<'/products'>[]>>();
  holds<Same<typeof page.total, number>>();
  await store.page('/categories', { filter: { parent: 'all' } });

  // @ts-expect-error there is no such filter
  store.list('/products', { filter: { colour: 'red' } });
  // @ts-expect-error a price is a number
  store.list('/products', { filter: { price: '5' } });
  // @ts-expect-error texts have no range operators
  store.list('/products', { filter: { sku: { gt: 'A' } } });
  // @ts-expect-error date-times have other operators
  store.list('/products', { filter: { create_date: { gt: '2026-01-01' } } });
  // @ts-expect-error boolean filters take no list
  store.list('/products', { filter: { enabled: [true, false] } });
  // @ts-expect-error the value is not one of the choices
  store.list('/products', { filter: { discount_type: 'sale' } });
  // @ts-expect-error the field cannot be sorted by
  store.list('/products', { order: { description: 'asc' } });
  // @ts-expect-error the direction is invalid
  store.list('/products', { order: { name: 'up' } });
  // @ts-expect-error a single record cannot be listed
  store.list('/products/{id}', { id: 5 });
}

export async function writes(): Promise<void> {
  const made = await store.post('/products', { sku: 'A', name: 'A', tags: ['Red', 5], tax_class: null });
  holds<Same<typeof made, ApiResponse<ProductOutput>>>();
  // A record can be sent back as it was read.
  await store.put('/products/{id}', { id: made.data.id }, { ...made.data, price: 5 }, { ifMatch: made });
  await store.patch('/products/{id}', { id: 1 }, { tax_class: null }, { ifMatch: '"1-a"' });
  await store.post('/products/{id}/stock', { id: 1 }, { delta: -3 }, { idempotencyKey: 'order-7' });
  const order = { email: 'ada@example.com', items: [{ product_id: 1, amount: 2 }] };
  const quote = await store.post('/orders', order, { dryRun: true });
  holds<Same<typeof quote.data.id, number | null>>();
  const placed = await store.post('/orders', order);
  holds<Same<typeof placed.data.id, number>>();
  await store.put('/categories/{category_id}/move', { category_id: 1 }, { parent: null });
  const linked = await store.post('/categories/{category_id}/products', { category_id: 1 }, { product_id: 2 });
  void linked.data.show_title;
  const german = { id: 1, code: 'de' };
  const translated = await store.put('/products/{id}/translations/{code}', german, { name: 'Hemd' });
  const all = await store.get('/products/{id}/translations', { id: 1 });
  holds<Same<typeof all.data, Record<string, typeof translated.data>>>();
  holds<Same<typeof translated.data.name, string | undefined>>();
  // @ts-expect-error a translated text is not a number
  await store.put('/products/{id}/translations/{code}', german, { name: 'Hemd', description: 5 });
  // @ts-expect-error a price is not translatable
  await store.put('/products/{id}/translations/{code}', german, { name: 'Hemd', price: 5 });
  const gone = await store.delete('/products/{id}', { id: 1 }, { ifMatch: made });
  holds<Same<typeof gone.data, undefined>>();
  const body: Input<'/tags', 'post'> = { name: 'Red' };
  await store.post('/tags', body, { signal: AbortSignal.timeout(5) });

  // @ts-expect-error the name is required
  await store.post('/products', { sku: 'A' });
  // @ts-expect-error there is no such field
  await store.post('/products', { sku: 'A', name: 'A', colour: 'red' });
  // @ts-expect-error the field is read-only
  await store.post('/products', { sku: 'A', name: 'A', update_date: '2026-01-01' });
  // @ts-expect-error a price is a number
  await store.post('/products', { sku: 'A', name: 'A', price: '5' });
  // @ts-expect-error the SKU is not nullable
  await store.patch('/products/{id}', { id: 1 }, { sku: null });
  // @ts-expect-error the body is missing
  await store.put('/products/{id}', { id: 1 });
  // @ts-expect-error icons have no PATCH
  await store.patch('/categories/{category_id}/icon', { category_id: 1 }, { alt: 'x' });
  // @ts-expect-error a language's code cannot be changed
  await store.put('/languages/{code}', { code: 'de' }, { code: 'de', name: 'Deutsch' });
  // @ts-expect-error a collection cannot be deleted
  await store.delete('/categories/{category_id}/products', { category_id: 1 });
}

export function problems(problem: StoreProblem): string {
  // @ts-expect-error there is no such problem
  if (problem.type === 'not-foundd') return '';
  // @ts-expect-error a violation has no such code
  if (problem.violations[0]?.code === 'blankk') return '';
  if (problem.type === 'validation-failed') return problem.violations.map(({ propertyPath }) => propertyPath).join();
  return problem.type === 'about:blank' ? problem.detail : problem.title;
}

export async function unknownOptions(): Promise<void> {
  // @ts-expect-error there is no such option
  createClient({ baseUrl: 'https://shop.example', key: 'key', timeout: 5 });
  // @ts-expect-error there is no such option
  await store.get('/products/{id}', { id: 5 }, { colour: 1 });
  // @ts-expect-error there is no such option
  store.list('/products', { colour: 1 });
  // @ts-expect-error `page` is an option of the method `page`
  store.list('/products', { page: 2 });
  // @ts-expect-error there is no such option
  await store.page('/products', { colour: 1 });
  // @ts-expect-error there is no such option
  await store.post('/tags', { name: 'A' }, { colour: 1 });
  // @ts-expect-error only POST has an idempotency key
  await store.patch('/tags/{id}', { id: 5 }, { name: 'A' }, { idempotencyKey: 'a' });
  // @ts-expect-error there is no such option
  await store.delete('/tags/{id}', { id: 5 }, { colour: 1 });
  // @ts-expect-error there is no such option
  store.bulk('/tags/bulk', [], { colour: 1 });
  // @ts-expect-error there is no such option
  store.export('/tags', { colour: 1 });
  // @ts-expect-error there is no such option
  store.follow({ since: 'now', colour: 1 });
  // @ts-expect-error the option is a function
  store.follow({ since: 'now', onChange: 5 });
}

export async function following(): Promise<void> {
  const handle = store.follow({
    since: 'now',
    onChange: async ({ entries, cursor, isCaughtUp }) => {
      const [first] = entries;
      holds<Same<typeof cursor, string>>();
      holds<Same<typeof isCaughtUp, boolean>>();
      void first?.resource;
    },
  });
  holds<Same<typeof handle, Following>>();
  await handle.stop();
  // @ts-expect-error with `onChange` there is no iterator
  for await (const _ of handle) break;
  for await (const { cursor } of store.follow({ since: 'now' })) void cursor;
}
