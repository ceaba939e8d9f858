/** Metrics of the process: processor time, memory, open files, V8 heap and event loop delay. */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, type Registry } from 'prom-client';

const NANOSECONDS_PER_SECOND = 1e9;
const MICROSECONDS_PER_SECOND = 1e6;

/** Resolution of the delay histogram. Its values include this interval, which is subtracted. */
const TIMER_MS = 10;
const TIMER_SECONDS = TIMER_MS / 1000;

export function addProcessMetrics(registry: Registry): void {
  const registers = [registry];
  /** @param aggregator how values of several processes are combined */
  const gauge = (
    name: string,
    help: string,
    read: () => number | undefined,
    aggregator: 'sum' | 'max' | 'average' = 'sum',
  ): Gauge =>
    new Gauge({
      ...{ name, help, registers, aggregator },
      collect() {
        const value = read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });

  new Counter({
    name: 'process_cpu_time_seconds_total',
    help: 'Processor time of the process, by mode.',
    labelNames: ['cpu_mode'],
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc({ cpu_mode: 'user' }, user / MICROSECONDS_PER_SECOND);
      this.inc({ cpu_mode: 'system' }, system / MICROSECONDS_PER_SECOND);
    },
  });
  gauge('process_memory_usage_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss());
  gauge('process_uptime_seconds', 'Time since the process started.', () => process.uptime(), 'max');
  gauge('process_open_file_descriptor_count', 'Open file descriptors (Linux only).', openFiles);
  gauge('v8js_memory_heap_used_bytes', 'Used V8 heap.', () => getHeapStatistics().used_heap_size);
  gauge('v8js_memory_heap_max_bytes', 'Maximum size of the V8 heap.', () => getHeapStatistics().heap_size_limit);

  const delay = monitorEventLoopDelay({ resolution: TIMER_MS });
  delay.enable();
  const late = (nanoseconds: number): number =>
    delay.count === 0 ? 0 : Math.max(0, nanoseconds / NANOSECONDS_PER_SECOND - TIMER_SECONDS);
  const delays: [string, string, () => number][] = [
    ['mean', 'Mean', () => delay.mean],
    ['p50', 'Median', () => delay.percentile(50)],
    ['p90', '90th percentile', () => delay.percentile(90)],
    ['p99', '99th percentile', () => delay.percentile(99)],
    // Must be read last: it resets the histogram.
    ['max', 'Maximum', () => delay.max],
  ];
  for (const [name, word, read] of delays)
    gauge(
      `nodejs_eventloop_delay_${name}_seconds`,
      `${word} event loop delay since the last scrape.`,
      () => {
        const value = late(read());
        if (name === 'max') delay.reset();
        return value;
      },
      name === 'mean' ? 'average' : 'max',
    );

  let before = performance.eventLoopUtilization();
  gauge(
    'nodejs_eventloop_utilization_ratio',
    'Share of the time since the last scrape in which the event loop was busy.',
    () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    'max',
  );
}

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
