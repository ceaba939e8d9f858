/** Formats the results of a bulk: one per line, then a summary. */
import type { FastifyRequest } from 'fastify';
import {
  type BulkOutcome,
  type BulkTask,
  isJsonObject,
  isProblem,
  type JsonObject,
  type ModelField,
  type Problem,
  problemBody,
  problemTypes,
} from '../../engine/index.ts';
import type { JsonLine } from '../../store/json-lines.ts';
import { concealed } from '../access/concealed-problems.ts';
import { PROBLEMS_PATH } from '../responses/response.ts';
import { instanceOf } from '../server/request-ids.ts';

/** A line with its task, or the problem that rejects it. */
export interface ReadLine extends JsonLine {
  readonly task: BulkTask | Problem;
}

const STATUS = { created: 201, updated: 200, unchanged: 200, deleted: 204 } as const;

/** Longer keys are not repeated. */
const KEY_LENGTH_MAX = 255;

export class Results {
  readonly #request: FastifyRequest;
  readonly #by: ModelField;
  readonly #counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 };
  #lines = 0;

  constructor(request: FastifyRequest, by: ModelField) {
    this.#request = request;
    this.#by = by;
  }

  formatLine(line: ReadLine, outcome: BulkOutcome): string {
    return `${JSON.stringify(this.resultOf(line, outcome))}\n`;
  }

  resultOf({ number, task, sent }: ReadLine, outcome: BulkOutcome): Readonly<Record<string, unknown>> {
    const result = isProblem(outcome) ? 'failed' : outcome.result;
    this.#lines += 1;
    this.#counts[result] += 1;
    const named = { line: number, key: isProblem(task) ? this.#keyIn(sent) : task.key };
    if (isProblem(outcome)) {
      const { status } = problemTypes[outcome.problem];
      const { service, id } = this.#request;
      const problem = problemBody(
        concealed(this.#request, outcome),
        `${service.environment.baseUrl}${PROBLEMS_PATH}`,
        instanceOf(id),
      );
      return { ...named, status, result, id: null, version: null, problem };
    }
    const { id, version } = outcome;
    const ignored = isProblem(task) || outcome.result === 'created' ? [] : task.createOnly;
    const more = ignored.length > 0 ? { passed_over: ignored } : {};
    return { ...named, status: STATUS[outcome.result], result, id, version, ...more };
  }

  /** The last line. @param empty the number of empty lines */
  summary(empty: number): string {
    return `${JSON.stringify({ summary: { lines: this.#lines, empty, ...this.#counts, complete: true } })}\n`;
  }

  /** The key of a line without a task. */
  #keyIn(sent: JsonObject | Problem): string | number | null {
    if (!isJsonObject(sent) || isProblem(sent)) return null;
    const input = isJsonObject(sent.body) && !isProblem(sent.body) ? sent.body : sent;
    const key = sent.key ?? (input as JsonObject)[this.#by.name];
    const isShown = typeof key === 'number' || (typeof key === 'string' && key.length <= KEY_LENGTH_MAX);
    return isShown ? key : null;
  }
}
