/**
 * The figures of a running program, by the names that OpenTelemetry gives them, as Prometheus writes those. Each has its labels
 * from a closed set, so that nobody can make more of them by asking. docs/reference/metrics.md lists them all.
 */
import { Counter, Gauge, Histogram, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { addProcessFigures } from './process-metrics.ts';

/** How an answer to a read came about: sent before the router, kept whole, put together from kept parts, or made anew. */
export type ReadSource = 'repeated' | 'kept' | 'composed' | 'made';

/** Of a picture that is decoded: a thumbnail is made of one of the store. */
export type ImageSource = 'body' | 'address' | 'thumbnail';

/** Of one kind of work at the door. */
export interface WorkFigures {
  readonly work: string;
  readonly running: number;
  readonly waiting: number;
  /** Since the start. */
  readonly refused: number;
}

/** The figures of one process, for another one to add up. */
export type ProcessFigures = MetricObjectWithValues<MetricValue<string>>[];

/** Seconds: OpenTelemetry's advice for requests and for databases, and a range for pictures, which are downloaded too. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const DATABASE_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
const IMAGE_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Metrics {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: REQUEST_BUCKETS,
    registers: this.#registers,
  });
  readonly #active = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests that are not answered yet.',
    labelNames: ['http_request_method'],
    registers: this.#registers,
  });
  readonly #reads = new Counter({
    name: 'purveyor_read_answers_total',
    help: 'Answers to reads, by how they came about.',
    labelNames: ['source'],
    registers: this.#registers,
  });
  readonly #database = new Histogram({
    name: 'db_client_operation_duration_seconds',
    help: 'Operations of the database, from when they were asked for to their end.',
    labelNames: ['db_system_name', 'db_operation_name', 'error_type'],
    buckets: DATABASE_BUCKETS,
    registers: this.#registers,
  });
  readonly #decodedImages = new Histogram({
    name: 'purveyor_picture_duration_seconds',
    help: 'Downloading and decoding pictures, and making thumbnails.',
    labelNames: ['source', 'outcome'],
    buckets: IMAGE_BUCKETS,
    registers: this.#registers,
  });
  readonly #images = new Histogram({
    name: 'purveyor_images_operation_duration_seconds',
    help: 'Operations of the image store, tried again ones with all their attempts.',
    labelNames: ['operation', 'error_type'],
    buckets: IMAGE_BUCKETS,
    registers: this.#registers,
  });
  /** By the values of the labels: the library would put them together anew for each request. */
  readonly #requestsOf = new Map<string, Histogram.Internal<string>>();

  constructor() {
    addProcessFigures(this.#registry);
  }

  requestBegan(method: string): void {
    this.#active.inc({ http_request_method: method });
  }

  requestEnded(method: string): void {
    this.#active.dec({ http_request_method: method });
  }

  /** @param status undefined where the client went before it was answered */
  requestAnswered(method: string, route: string, status: number | undefined, seconds: number): void {
    const key = `${method} ${route} ${status}`;
    let figures = this.#requestsOf.get(key);
    if (!figures) {
      figures = this.#requests.labels(method, route, String(status ?? ''));
      this.#requestsOf.set(key, figures);
    }
    figures.observe(seconds);
  }

  readAnswered(source: ReadSource): void {
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

  /** @param read is called whenever somebody looks */
  showWork(read: () => readonly WorkFigures[]): void {
    const show = (name: string, help: string, of: 'running' | 'waiting'): Gauge =>
      new Gauge({
        ...{ name, help, labelNames: ['work'], registers: this.#registers },
        collect() {
          for (const figures of read()) this.set({ work: figures.work }, figures[of]);
        },
      });
    show('purveyor_work_running', 'Requests that have their turn, by kind of work.', 'running');
    show('purveyor_work_waiting', 'Requests that wait for their turn, by kind of work.', 'waiting');
    new Counter({
      name: 'purveyor_work_refused_total',
      help: 'Requests and parts of requests that were told to come again, by kind of work.',
      labelNames: ['work'],
      registers: this.#registers,
      collect() {
        this.reset();
        for (const { work, refused } of read()) this.inc({ work }, refused);
      },
    });
  }

  /** @param count is called whenever somebody looks; where it fails there is no figure */
  showUnorderedChanges(count: () => Promise<number>): void {
    this.#showAsked(
      'purveyor_changes_unordered',
      'Changes that are committed and not told by the change feed yet.',
      count,
    );
  }

  /** @param readSeconds as `count` above */
  showWebhookLag(readSeconds: () => Promise<number>): void {
    this.#showAsked(
      'purveyor_webhook_lag_seconds',
      'Age of the oldest change that an enabled webhook has not been sent.',
      readSeconds,
    );
  }

  #showAsked(name: string, help: string, ask: () => Promise<number>): void {
    new Gauge({
      ...{ name, help, registers: this.#registers },
      // Of the whole store, whoever is asked.
      aggregator: 'max',
      async collect() {
        this.remove();
        await ask().then(
          (value) => this.set(value),
          () => {},
        );
      },
    });
  }

  /** The figures as Prometheus reads them. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** The same for another process, which adds those of several up. */
  json(): Promise<ProcessFigures> {
    return this.#registry.getMetricsAsJSON();
  }

  /** Of that text. */
  get contentType(): string {
    return this.#registry.contentType;
  }
}
