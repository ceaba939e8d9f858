/**
 * Metrics of a running program, named as in OpenTelemetry's conventions, in Prometheus format. Every label has a closed
 * set of values, so clients cannot create new time series. docs/reference/metrics.md lists all metrics.
 */
import { Counter, Gauge, Histogram, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { addProcessMetrics } from './process-metrics.ts';

/**
 * How a response to a read was produced: fast path, response cache, composed of cached records, or read from the
 * database.
 */
export type ReadSource = 'repeated' | 'kept' | 'composed' | 'made';

/** Origin of a decoded image. Thumbnails are made from stored images. */
export type ImageSource = 'body' | 'address' | 'thumbnail';

/** Counts for one kind of work in the admission stage. */
export interface WorkCounts {
  readonly work: string;
  readonly running: number;
  readonly waiting: number;
  /** Since the process started. */
  readonly refused: number;
}

/** The metrics of one process, for aggregation in another one. */
export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

/**
 * Seconds: OpenTelemetry's recommendation for requests and databases, and a range for images, which includes downloads.
 */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const DATABASE_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
const IMAGE_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Metrics {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: REQUEST_BUCKETS,
    registers: this.#registers,
  });
  readonly #active = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests without a complete response.',
    labelNames: ['http_request_method'],
    registers: this.#registers,
  });
  readonly #reads = new Counter({
    name: 'purveyor_read_answers_total',
    help: 'Responses to reads, by how they were produced.',
    labelNames: ['source'],
    registers: this.#registers,
  });
  readonly #database = new Histogram({
    name: 'db_client_operation_duration_seconds',
    help: 'Duration of database operations, including the wait for a connection.',
    labelNames: ['db_system_name', 'db_operation_name', 'error_type'],
    buckets: DATABASE_BUCKETS,
    registers: this.#registers,
  });
  readonly #decodedImages = new Histogram({
    name: 'purveyor_picture_duration_seconds',
    help: 'Duration of downloading and decoding images, and of making thumbnails.',
    labelNames: ['source', 'outcome'],
    buckets: IMAGE_BUCKETS,
    registers: this.#registers,
  });
  readonly #images = new Histogram({
    name: 'purveyor_images_operation_duration_seconds',
    help: 'Duration of image store operations, including retries.',
    labelNames: ['operation', 'error_type'],
    buckets: IMAGE_BUCKETS,
    registers: this.#registers,
  });
  /** Cached by label values: the library would look them up again for each request. */
  readonly #requestsOf = new Map<string, Histogram.Internal<string>>();

  constructor() {
    addProcessMetrics(this.#registry);
  }

  requestBegan(method: string): void {
    this.#active.inc({ http_request_method: method });
  }

  requestEnded(method: string): void {
    this.#active.dec({ http_request_method: method });
  }

  /** @param status undefined if the client closed the connection before it got a response */
  requestCompleted(method: string, route: string, status: number | undefined, seconds: number): void {
    const key = `${method} ${route} ${status}`;
    let histogram = this.#requestsOf.get(key);
    if (!histogram) {
      histogram = this.#requests.labels(method, route, String(status ?? ''));
      this.#requestsOf.set(key, histogram);
    }
    histogram.observe(seconds);
  }

  readCompleted(source: ReadSource): void {
    this.#reads.inc({ source });
  }

  databaseOperation(system: string, operation: string, error: string, seconds: number): void {
    this.#database.observe({ db_system_name: system, db_operation_name: operation, error_type: error }, seconds);
  }

  countImage(source: ImageSource, outcome: 'taken' | 'refused' | 'failed', seconds: number): void {
    this.#decodedImages.observe({ source, outcome }, seconds);
  }

  imagesOperation(operation: string, error: string, seconds: number): void {
    this.#images.observe({ operation, error_type: error }, seconds);
  }

  /** @param read called for each scrape */
  showWork(read: () => readonly WorkCounts[]): void {
    const show = (name: string, help: string, of: 'running' | 'waiting'): Gauge =>
      new Gauge({
        ...{ name, help, labelNames: ['work'], registers: this.#registers },
        collect() {
          for (const counts of read()) this.set({ work: counts.work }, counts[of]);
        },
      });
    show('purveyor_work_running', 'Requests that have a slot, by kind of work.', 'running');
    show('purveyor_work_waiting', 'Requests that wait for a slot, by kind of work.', 'waiting');
    new Counter({
      name: 'purveyor_work_refused_total',
      help: 'Requests and parts of requests that were rejected with Retry-After, by kind of work.',
      labelNames: ['work'],
      registers: this.#registers,
      collect() {
        this.reset();
        for (const { work, refused } of read()) this.inc({ work }, refused);
      },
    });
  }

  /** @param read called for each scrape */
  showResponseBacklog(read: () => number): void {
    new Gauge({
      name: 'purveyor_response_backlog_bytes',
      help: 'Bytes of responses that were handed to a connection and not sent yet.',
      registers: this.#registers,
      collect() {
        this.set(read());
      },
    });
  }

  /** @param count called for each scrape; if it fails, the metric has no value */
  showUnorderedChanges(count: () => Promise<number>): void {
    this.#showQueried(
      'purveyor_changes_unordered',
      'Committed changes that the change feed has not published yet.',
      count,
    );
  }

  /** @param readSeconds as `count` above */
  showWebhookLag(readSeconds: () => Promise<number>): void {
    this.#showQueried(
      'purveyor_webhook_lag_seconds',
      'Age of the oldest change that an enabled webhook has not been sent.',
      readSeconds,
    );
  }

  #showQueried(name: string, help: string, read: () => Promise<number>): void {
    new Gauge({
      ...{ name, help, registers: this.#registers },
      // A value of the whole store, the same in every process.
      aggregator: 'max',
      async collect() {
        this.remove();
        await read().then(
          (value) => this.set(value),
          () => {},
        );
      },
    });
  }

  /** The metrics in Prometheus text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** The metrics as JSON, for aggregation in another process. */
  json(): Promise<ProcessMetrics> {
    return this.#registry.getMetricsAsJSON();
  }

  /** Content type of `text()`. */
  get contentType(): string {
    return this.#registry.contentType;
  }
}
