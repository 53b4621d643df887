import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { MetricDefinition, Metrics } from '../metrics.js';
import type { Log } from '../log.js';
import type { Sessions } from '../sessions.js';
import { BootError } from './boot-error.js';

const NAME = /^[a-z][a-z0-9_]{2,99}$/;

/** The token's value: as core has it, and as each plugin does. */
export function metricsOf(metrics: MetricsRegistry) {
  return {
    value: metrics.ownedBy('core'),
    forPlugin: (plugin: string) => metrics.ownedBy(`plugin ${plugin}`),
  };
}

/** Counted when the metrics are read. */
export function registerSessionGauge(metrics: MetricsRegistry, sessions: Sessions): void {
  metrics.ownedBy('core').gauge({
    name: 'service_mcp_sessions',
    help: 'MCP sessions that are open',
    read: async (set) => set(await sessions.count()),
  });
}

/** What a counter gained. */
export interface CountedGain {
  readonly name: string;
  readonly by: number;
  readonly labels: Readonly<Record<string, string>>;
}

let ofProcess: Registry | undefined;

/**
 * A registry with the default metrics, which are made once: their timers and observers cannot be stopped, and would stay
 * behind each deployment that ends while its process goes on.
 */
function withDefaultMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return Registry.merge([ofProcess]);
}

/** The metrics of a deployment, those of its process among them, and who registered each. */
export class MetricsRegistry {
  readonly prometheus = withDefaultMetrics();
  /** Called with every gain of a counter; set in a child process, whose service has the metrics. */
  onGain: ((gain: CountedGain) => void) | undefined;
  readonly #owners = new Map<string, string>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The metrics as `owner` ("plugin bookmarks") registers them. */
  ownedBy(owner: string): Metrics {
    const log = this.#log;
    const tell = (gain: CountedGain) => this.onGain?.(gain);
    const own = <L extends string>({ name, help, labels = [] }: MetricDefinition<L>) => {
      this.#own(name, owner);
      return { name, help, labelNames: labels, registers: [this.prometheus] };
    };
    return {
      counter(definition) {
        const counter = new Counter(own(definition));
        return (by = 1, labels = {} as never) => {
          counter.inc(labels, by); // without labels there is one series
          tell({ name: definition.name, by, labels });
        };
      },
      gauge(definition) {
        const { name, labels = [] } = definition;
        const gauge: Gauge = new Gauge({
          ...own(definition),
          async collect() {
            const series: Array<readonly [Readonly<Record<string, string>>, number]> = [];
            try {
              await definition.read((value, of) => void series.push([of ?? {}, value]));
            } catch (err) {
              series.length = 0;
              log.warn({ err, metric: name, owner }, 'a metric could not be read');
            }
            // Only now, and at once: a scrape beside this one shows the values of before or of after.
            if (labels.length > 0) gauge.reset();
            else gauge.remove({}); // a reset would make it 0
            for (const [of, value] of series) gauge.set(of, value);
          },
        });
      },
      histogram(definition) {
        const histogram = new Histogram({ ...own(definition), buckets: [...definition.buckets] });
        return (value, labels = {} as never) => histogram.observe(labels, value); // as above
      },
    };
  }

  /** Adds what the counter of that name gained in the child process of this deployment. */
  add({ name, by, labels }: CountedGain): void {
    const counter = this.prometheus.getSingleMetric(name);
    if (counter instanceof Counter) counter.inc(labels, by);
  }

  #own(name: string, owner: string): void {
    const place = `${owner}, metric "${name}"`;
    if (!NAME.test(name)) {
      throw new BootError(
        place,
        'the name is not 3 to 100 characters of a-z, 0-9 and _',
        'Rename the metric.',
      );
    }
    if (this.prometheus.getSingleMetric(name)) {
      const holder = this.#owners.get(name) ?? 'core';
      throw new BootError(place, `${holder} has registered a metric of that name`, 'Rename the metric.');
    }
    this.#owners.set(name, owner);
  }
}
