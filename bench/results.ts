/** Collects the results of a run and formats them: medians with minimum and maximum, and ratios computed for each round. */
import type { Scenario } from './scenarios.ts';

export class Results {
  readonly #speeds = new Map<string, number[]>();
  readonly #starts = new Map<string, number[]>();
  readonly #memory = new Map<string, number>();
  readonly #servers: readonly string[];
  readonly #references: readonly string[];

  /** @param references the servers to which ratios are computed */
  constructor(servers: readonly string[], references: readonly string[]) {
    this.#servers = servers;
    this.#references = references;
  }

  addSpeed(scenario: Scenario, server: string, perSecond: number): void {
    append(this.#speeds, `${scenario.name} ${server}`, perSecond);
  }

  addStart(server: string, milliseconds: number): void {
    append(this.#starts, server, milliseconds);
  }

  addMemory(server: string, bytes: number): void {
    this.#memory.set(server, bytes);
  }

  /** @returns a Markdown table */
  table(scenarios: readonly Scenario[]): string {
    const header = ['Requests per second', ...this.#servers];
    const rows = scenarios.flatMap((scenario) => [
      [scenario.title, ...this.#servers.map((server) => this.#speed(scenario, server))],
      ...this.#references.map((reference) => [
        `… ÷ ${reference}`,
        ...this.#servers.map((server) => this.#ratio(scenario, server, reference)),
      ]),
    ]);
    rows.push(['first response after start, ms', ...this.#servers.map((server) => spread(this.#starts.get(server)))]);
    if (this.#memory.size > 0)
      rows.push([
        'memory after the reads, MB',
        ...this.#servers.map((server) => String(Math.round(this.#memory.get(server)! / 1e6))),
      ]);
    return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }

  #speed(scenario: Scenario, server: string): string {
    return spread(this.#speeds.get(`${scenario.name} ${server}`));
  }

  #ratio(scenario: Scenario, server: string, reference: string): string {
    if (server === reference) return '';
    const references = this.#speeds.get(`${scenario.name} ${reference}`)!;
    const ratios = this.#speeds.get(`${scenario.name} ${server}`)!.map((speed, round) => speed / references[round]!);
    return spread(ratios, 2);
  }
}

function append<K>(lists: Map<K, number[]>, key: K, value: number): void {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  list.push(value);
}

function spread(numbers: readonly number[] | undefined, decimals = 0): string {
  if (!numbers) return '';
  const sorted = [...numbers].sort((one, other) => one - other);
  const shown = (number: number): string =>
    number.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return `${shown(median(sorted))} [${shown(sorted[0]!)}–${shown(sorted.at(-1)!)}]`;
}

export function medianOf(numbers: readonly number[]): number {
  return median([...numbers].sort((one, other) => one - other));
}

function median(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
