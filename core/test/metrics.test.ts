import assert from 'node:assert/strict';
import { PerformanceObserver } from 'node:perf_hooks';
import { Metrics, defineWorker, provide, token } from '@service-mcp/core';
import { toolEntry } from '@service-mcp/core/wire';
import { probe, testHost } from '@service-mcp/core/testing';
import { demo, echo, refuses } from './fixtures.js';

const scrape = async (url: string | undefined) => (await fetch(`${url}/metrics`)).text();

describe('metrics of a plugin', () => {
  it('are counted, observed and read at each scrape', async () => {
    const { plugin, services } = probe({ metrics: Metrics });
    const host = await testHost({ plugins: [plugin], listen: true });
    const { metrics } = services();
    const checks = metrics.counter({ name: 'demo_checks_total', help: 'Checks', labels: ['outcome'] });
    checks(1, { outcome: 'dead' });
    checks(2, { outcome: 'dead' });
    metrics.counter({ name: 'demo_rounds_total', help: 'Rounds' })();
    metrics.histogram({ name: 'demo_seconds', help: 'Time', buckets: [1, 5] })(3);
    let open: number | Error = 4;
    metrics.gauge({
      name: 'demo_open',
      help: 'Open',
      read(set) {
        if (open instanceof Error) throw open;
        set(open);
      },
    });
    const text = await scrape(host.url);
    for (const line of [
      'demo_checks_total{outcome="dead"} 3',
      'demo_rounds_total 1',
      'demo_seconds_bucket{le="1"} 0',
      'demo_seconds_bucket{le="5"} 1',
      'demo_open 4',
    ])
      assert.ok(text.includes(`${line}\n`), line);
    open = new Error('no answer');
    const after = await scrape(host.url);
    assert.doesNotMatch(after, /^demo_open \d/m);
    assert.match(after, /^demo_rounds_total 1$/m);
    await host.stop();
  });

  it('have one owner, and names of Prometheus', async () => {
    const gauge = (plugin: string, name: string) =>
      demo([], {
        id: plugin,
        toolsets: [],
        services: [
          provide(token<object>(`${plugin}.Gauges`), {
            uses: { metrics: Metrics },
            create: ({ metrics }) => {
              metrics.gauge({ name, help: 'x', read: (set) => set(1) });
              return {};
            },
          }),
        ],
      });
    const boot = (...plugins: ReturnType<typeof gauge>[]) => testHost({ plugins });
    await refuses(
      () => boot(gauge('one', 'shared_total'), gauge('two', 'shared_total')),
      /plugin two, metric "shared_total"/,
      /Rename/,
      /plugin one has registered/,
    );
    for (const name of ['service_mcp_sessions', 'service_mcp_calls_total'])
      await refuses(() => boot(gauge('one', name)), /plugin one/, /Rename/, /core has/);
    await refuses(() => boot(gauge('one', 'Bad-Name')), /plugin one/, /Rename/, /a-z, 0-9/);
  });
});

describe('metrics of the process', () => {
  it('are observed once, however many deployments were started in it', async () => {
    const first = await testHost();
    await first.stop();
    const { observe } = PerformanceObserver.prototype; // oxlint-disable-line typescript/unbound-method -- called with its object below
    let observed = 0;
    PerformanceObserver.prototype.observe = function (options) {
      observed += 1;
      observe.call(this, options);
    };
    try {
      const second = await testHost({ listen: true });
      assert.match(await scrape(second.url), /^nodejs_eventloop_lag_p99_seconds \d/m);
      await second.stop();
    } finally {
      PerformanceObserver.prototype.observe = observe;
    }
    assert.equal(observed, 0);
  });
});

describe('a plugin says', () => {
  it('how often a worker runs, by its settings', async () => {
    const rounds: string[] = [];
    const Pace = token<{ readonly seconds: number }>('demo.Pace');
    const worker = defineWorker({
      id: 'demo.worker',
      uses: { pace: Pace },
      everyMs: ({ pace }) => pace.seconds * 1000,
      run: async () => {
        rounds.push('round');
        return { more: false };
      },
    });
    const services = [provide(Pace, { uses: {}, create: () => ({ seconds: 0.005 }) })];
    const host = await testHost({ plugins: [demo([], { workers: [worker], services })] });
    while (rounds.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await host.stop();
  });

  it('what the effect of a tool does not: that it can be repeated, or loses nothing', async () => {
    const host = await testHost({
      plugins: [
        demo([
          echo({ effect: 'create' }),
          echo({ name: 'demo_ensure', effect: 'create', idempotent: true }),
          echo({ name: 'demo_append', effect: 'update', destructive: false }),
        ]),
      ],
    });
    const hints = (await host.catalog.tools(host.call())).map((info) => {
      const { destructiveHint, idempotentHint } = toolEntry(info).annotations;
      return [info.name, destructiveHint, idempotentHint];
    });
    assert.deepEqual(hints, [
      ['demo_append', false, true],
      ['demo_echo', false, false],
      ['demo_ensure', false, true],
    ]);
    await host.stop();
  });
});
