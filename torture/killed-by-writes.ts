/** Kills a server that is chosen at random, again and again, each time after so many writes, and starts it again. */
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

  /** @param start starts the server of this index anew, in its place in `servers` */
  constructor(servers: readonly Server[], start: (index: number) => Promise<void>, random: Random, every: number) {
    [this.#servers, this.#start, this.#random, this.#every] = [servers, start, random, every];
    this.#killAt = random.whole(1, every);
  }

  /** Tells that there were so many writes. */
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

  /** Ends when every server is there again. */
  async settled(): Promise<void> {
    await this.#restarting;
  }
}
