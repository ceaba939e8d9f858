/** Repeatedly kills a random server after a number of writes and restarts it. */
import type { Random } from './random.ts';
import type { Server } from './server.ts';

export class KilledByWrites {
  readonly #servers: readonly Server[];
  readonly #start: (index: number) => Promise<void>;
  readonly #random: Random;
  readonly #every: number;
  #killAt: number;
  #restarting: Promise<void> = Promise.resolve();
  kills = 0;

  /** @param start replaces the server with this index in `servers` @param every average number of writes between kills */
  constructor(servers: readonly Server[], start: (index: number) => Promise<void>, random: Random, every: number) {
    [this.#servers, this.#start, this.#random, this.#every] = [servers, start, random, every];
    this.#killAt = random.whole(1, every);
  }

  /** Called after each write. @param count of writes so far */
  written(count: number): void {
    if (count < this.#killAt) return;
    this.#killAt += this.#random.whole(Math.ceil(this.#every / 2), this.#every + Math.floor(this.#every / 2));
    const index = this.#random.whole(0, this.#servers.length - 1);
    this.#restarting = this.#restarting.then(async () => {
      await this.#servers[index]!.end('SIGKILL');
      this.kills += 1;
      await this.#start(index);
    });
  }

  /** Resolves when every server is running again. */
  async settled(): Promise<void> {
    await this.#restarting;
  }
}
