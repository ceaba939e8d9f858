/**
 * Mixed writes from concurrent clients: products, images and orders are created, changed and deleted. Each client has its own
 * random stream, and every write is recorded in the ledger. A seed repeats the requests of each client, but not how requests
 * of different clients interleave.
 */
import { Client, type HttpResponse, type NoResponse } from './client.ts';
import { randomImage } from './images.ts';
import { Broken, type Change, type Entry, type Ledger, type Order, type Product, type State } from './ledger.ts';
import { Random } from './random.ts';

/** Products for orders. The total of their stock and of the units in orders is constant. */
export const STOCK_SKUS = ['STOCK-0', 'STOCK-1', 'STOCK-2'];
export const STOCK_UNITS = 1_000_000;

const PRODUCTS_MAX = 12;
const ORDERS_OPEN_MAX = 6;
const IMAGES_MAX = 4;

const WEIGHTS = {
  create: 16,
  put: 12,
  patch: 16,
  delete: 7,
  upload: 14,
  replace: 8,
  'delete image': 7,
  place: 12,
  cancel: 5,
};
export type Operation = keyof typeof WEIGHTS;
type ProductWrite = 'create' | 'put' | 'patch' | 'delete';
type ImageWrite = 'upload' | 'replace' | 'delete image';
type OrderWrite = Exclude<Operation, ProductWrite | ImageWrite>;
export const OPERATIONS = Object.keys(WEIGHTS) as Operation[];

/** A create without a response. When it is retried with its key, it must be executed exactly once. */
interface Retry {
  readonly entry: Entry;
  readonly path: string;
  readonly body: unknown;
  readonly change: Change;
  readonly happened: (state: State) => boolean;
  /** Stores the identifier in the response. */
  readonly remember: (id: number) => void;
}

/** The random content of a write, and the records that it may change. */
interface WriteContext {
  readonly nonce: string;
  readonly texts: { readonly name: string; readonly brief_description: string; readonly meta_title: string };
  readonly price: number;
  readonly skus: readonly string[];
  readonly orders: readonly string[];
  /** SKUs of products with images. */
  readonly withImages: readonly string[];
  /** SKUs of products that may get another image. */
  readonly withSpace: readonly string[];
}

function isProductWrite(operation: Operation): operation is ProductWrite {
  return operation === 'create' || operation === 'put' || operation === 'patch' || operation === 'delete';
}

function isImageWrite(operation: Operation): operation is ImageWrite {
  return operation === 'upload' || operation === 'replace' || operation === 'delete image';
}

export async function createStock(address: string): Promise<void> {
  const client = new Client(address);
  for (const sku of STOCK_SKUS)
    await client.expect('POST', '/api/products', { sku, name: sku, price: 5, amount: STOCK_UNITS });
  client.close();
}

export class Load {
  readonly ledger: Ledger;
  readonly workers: readonly Worker[];
  #acknowledged = 0;
  #waiting: { count: number; resolve: () => void } | undefined;

  constructor(ledger: Ledger, seed: number, workers = 4) {
    this.ledger = ledger;
    this.workers = Array.from({ length: workers }, (_, index) => new Worker(this, seed, `w${index}`));
  }

  /** Resolves when the server is down, `stop` was called, or each worker has sent `operationsMax` writes. */
  async run(address: string, operationsMax = 5000): Promise<void> {
    this.#acknowledged = 0;
    await Promise.all(this.workers.map((worker) => worker.run(address, operationsMax)));
    this.#waiting?.resolve();
  }

  stop(): void {
    for (const worker of this.workers) worker.stop();
  }

  /** Resolves when `count` writes of this run have been acknowledged, or when the run is over. */
  acknowledged(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { count, resolve };
      if (this.#acknowledged >= count) resolve();
    });
  }

  countAcknowledged(): void {
    this.#acknowledged += 1;
    if (this.#waiting && this.#acknowledged >= this.#waiting.count) this.#waiting.resolve();
  }

  /** Retries requests without a response. @param isChecked the store was checked since, so the expected response is known */
  async retryOpen(address: string, isChecked: boolean): Promise<number> {
    let count = 0;
    for (const worker of this.workers) count += await worker.retryOpen(address, isChecked);
    return count;
  }
}

export class Worker {
  readonly #load: Load;
  readonly #random: Random;
  readonly #name: string;
  readonly #skus = new Set<string>();
  readonly #orders = new Set<string>();
  /** Identifiers of images by their name in the ledger, until the next check. */
  readonly #imageIds = new Map<string, number>();
  #client: Client | undefined;
  #count = 0;
  #isStopped = false;
  #retries: Retry[] = [];

  constructor(load: Load, seed: number, name: string) {
    this.#load = load;
    this.#name = name;
    this.#random = new Random(seed, name);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(address: string, operationsMax: number): Promise<void> {
    this.#isStopped = false;
    this.connect(address);
    for (let count = 0; count < operationsMax && !this.#isStopped; count += 1) {
      const entry = await this.perform(this.#random.weighted(WEIGHTS));
      if (entry && entry.status === undefined) break;
      // The disk is full: yield, because thousands of writes per second would be rejected.
      if (entry && entry.status! >= 500) await new Promise((resolve) => setImmediate(resolve));
    }
    this.#client!.close();
  }

  connect(address: string): void {
    this.#client?.close();
    this.#client = new Client(address);
  }

  /** Sends one write. If a record that it needs does not exist, creates that instead. */
  async perform(wanted: Operation): Promise<Entry | undefined> {
    const { ledger } = this.#load;
    this.#count += 1;
    const nonce = `${this.#name}-${this.#count}`;
    const random = this.#random;
    const skus = this.#usable(this.#skus);
    const orders = this.#usable(this.#orders).filter((nonce) => (ledger.believed(nonce) as Order).status === 'Q');
    const withImages = skus.filter((sku) => Object.keys(this.#productOf(sku).images).length > 0);
    const withSpace = skus.filter((sku) => Object.keys(this.#productOf(sku).images).length < IMAGES_MAX);
    const operation = this.#instead(wanted, { skus, orders, withImages, withSpace });
    const texts = { name: nonce, brief_description: nonce, meta_title: nonce };
    const price = random.whole(1, 99_999) / 100;

    const context: WriteContext = { nonce, texts, price, skus, orders, withImages, withSpace };
    if (isProductWrite(operation)) return this.#performOnProduct(operation, context);
    return isImageWrite(operation)
      ? this.#performOnImage(operation, context)
      : this.#performOnOrder(operation, context);
  }

  #performOnProduct(operation: ProductWrite, { nonce, texts, price, skus }: WriteContext): Promise<Entry> {
    const random = this.#random;
    switch (operation) {
      case 'create': {
        const sku = `${this.#name}-P${this.#count}`;
        this.#skus.add(sku);
        const change: Change = () => ({ kind: 'product', nonce, price, images: {} });
        return this.#make(
          sku,
          operation,
          nonce,
          '/api/products',
          { sku, ...texts, price },
          change,
          (state) => state !== null,
        );
      }
      case 'put': {
        const sku = random.pick(skus);
        const change: Change = (state) => state && { ...(state as Product), nonce, price };
        return this.#write(sku, operation, nonce, change, 'PUT', this.#pathOf(sku), { sku, ...texts, price });
      }
      case 'patch': {
        const sku = random.pick(skus);
        const change: Change = (state) => state && { ...(state as Product), nonce };
        return this.#write(sku, operation, nonce, change, 'PATCH', this.#pathOf(sku), texts);
      }
      case 'delete': {
        const sku = random.pick(skus);
        return this.#write(sku, operation, nonce, () => null, 'DELETE', this.#pathOf(sku));
      }
    }
  }

  #performOnImage(operation: ImageWrite, { nonce, withImages, withSpace }: WriteContext): Promise<Entry> {
    const random = this.#random;
    switch (operation) {
      case 'upload': {
        const sku = random.pick(withSpace);
        const { bytes, digest } = randomImage(random);
        const image = `new-${nonce}`;
        const body = { attachment: bytes.toString('base64'), filename: 'a.png', alt: nonce };
        return this.#make(
          sku,
          operation,
          nonce,
          `${this.#pathOf(sku)}/images`,
          body,
          withImage(image, { alt: nonce, digest }),
          (state) => Object.values((state as Product | null)?.images ?? {}).some(({ alt }) => alt === nonce),
          (id) => this.#imageIds.set(image, id),
        );
      }
      case 'replace': {
        const sku = random.pick(withImages);
        const image = random.pick(Object.keys(this.#productOf(sku).images));
        const { bytes, digest } = randomImage(random);
        const body = { attachment: bytes.toString('base64'), filename: 'a.png', alt: nonce };
        const change = withImage(image, { alt: nonce, digest });
        return this.#write(sku, operation, nonce, change, 'PUT', this.#imagePath(sku, image), body);
      }
      case 'delete image': {
        const sku = random.pick(withImages);
        const image = random.pick(Object.keys(this.#productOf(sku).images));
        return this.#write(sku, operation, nonce, withImage(image, undefined), 'DELETE', this.#imagePath(sku, image));
      }
    }
  }

  #performOnOrder(operation: OrderWrite, { nonce, orders }: WriteContext): Promise<Entry> {
    const random = this.#random;
    const { ledger } = this.#load;
    switch (operation) {
      case 'place': {
        const sku = random.pick(STOCK_SKUS);
        const amount = random.whole(1, 5);
        this.#orders.add(nonce);
        const change: Change = () => ({ kind: 'order', sku, amount, status: 'Q' });
        const body = { email: 'torture@example.com', notes: nonce, items: [{ sku, amount }] };
        return this.#make(nonce, operation, nonce, '/api/orders', body, change, (state) => state !== null);
      }
      case 'cancel': {
        const order = random.pick(orders);
        const change: Change = (state) => state && { ...(state as Order), status: 'C' };
        const path = `/api/orders/${ledger.subjects.get(order)!.id}/payment_status`;
        return this.#write(order, operation, nonce, change, 'PUT', path, { code: 'C' });
      }
    }
  }

  async retryOpen(address: string, isChecked: boolean): Promise<number> {
    const retries = this.#retries.splice(0);
    if (retries.length > 0) this.connect(address);
    for (const { entry, path, body, change, happened, remember } of retries) {
      const { subject, nonce } = entry;
      const before = this.#load.ledger.subjects.get(subject)?.found ?? null;
      const once: Change = (state) => (happened(state) ? state : change(state));
      const again = this.#load.ledger.begin(subject, `retry ${entry.operation}`, nonce, once);
      const response = await this.#client!.send('POST', path, body, { 'idempotency-key': nonce });
      this.#settle(again, response);
      if (again.outcome !== 'ok')
        throw new Broken('A retry with its Idempotency-Key did not get the response of the first request.', [
          entry,
          again,
        ]);
      const { headers, json } = response as HttpResponse;
      remember(json.id);
      const isReplayed = headers['idempotency-replayed'] === 'true';
      if (isChecked && isReplayed !== (before !== null && happened(before)))
        throw new Broken(`The retry was ${isReplayed ? 'replayed' : 'executed'}, which contradicts the store.`, [
          entry,
          again,
        ]);
    }
    return retries.length;
  }

  #instead(
    wanted: Operation,
    has: Record<'skus' | 'orders' | 'withImages' | 'withSpace', readonly string[]>,
  ): Operation {
    if (wanted === 'cancel') return has.orders.length > 0 ? 'cancel' : 'place';
    if (wanted === 'place') return has.orders.length < ORDERS_OPEN_MAX ? 'place' : 'cancel';
    if (wanted === 'create') return has.skus.length < PRODUCTS_MAX ? 'create' : 'delete';
    if (has.skus.length === 0) return 'create';
    const changesImage = wanted === 'replace' || wanted === 'delete image';
    if (changesImage && has.withImages.length === 0) return 'upload';
    return wanted === 'upload' && has.withSpace.length === 0 ? 'delete image' : wanted;
  }

  /** Returns the records that certainly exist, and forgets those that certainly do not. */
  #usable(subjects: Set<string>): string[] {
    const usable: string[] = [];
    for (const subject of subjects) {
      if (this.#load.ledger.isOpen(subject)) continue;
      if (this.#load.ledger.believed(subject) === null) subjects.delete(subject);
      else usable.push(subject);
    }
    return usable;
  }

  #productOf(sku: string): Product {
    return this.#load.ledger.believed(sku) as Product;
  }

  #pathOf(sku: string): string {
    return `/api/products/${this.#load.ledger.subjects.get(sku)!.id}`;
  }

  #imagePath(sku: string, image: string): string {
    return `${this.#pathOf(sku)}/images/${this.#imageIds.get(image) ?? Number(image)}`;
  }

  async #make(
    subject: string,
    operation: string,
    nonce: string,
    path: string,
    body: unknown,
    change: Change,
    happened: Retry['happened'],
    remember = (id: number): void => this.#load.ledger.remember(subject, id),
  ): Promise<Entry> {
    const entry = this.#load.ledger.begin(subject, operation, nonce, change);
    const response = await this.#client!.send('POST', path, body, { 'idempotency-key': nonce });
    if (response.status >= 200 && response.status < 300) remember((response as HttpResponse).json.id);
    this.#settle(entry, response);
    if (entry.outcome === 'unknown') this.#retries.push({ entry, path, body, change, happened, remember });
    return entry;
  }

  async #write(
    subject: string,
    operation: string,
    nonce: string,
    change: Change,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Entry> {
    const entry = this.#load.ledger.begin(subject, operation, nonce, change);
    this.#settle(entry, await this.#client!.send(method, path, body));
    return entry;
  }

  #settle(entry: Entry, response: HttpResponse | NoResponse): void {
    const { ledger } = this.#load;
    if ('why' in response) ledger.settle(entry, response.sent ? 'unknown' : 'refused', { note: response.why });
    else {
      const { status, text } = response;
      const isOk = status < 300;
      const outcome = isOk ? 'ok' : status >= 500 ? 'unknown' : 'refused';
      ledger.settle(entry, outcome, { status, ...(!isOk && { note: text.slice(0, 300) }) });
      if (isOk) this.#load.countAcknowledged();
      if (outcome === 'refused') throw new Broken('A valid request was rejected.', [entry]);
    }
  }
}

function withImage(image: string, given: Product['images'][string] | undefined): Change {
  return (state) => {
    if (state?.kind !== 'product') return state;
    const { [image]: _replaced, ...others } = state.images;
    return { ...state, images: given ? { ...others, [image]: given } : others };
  };
}
