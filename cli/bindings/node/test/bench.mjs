// make bench-bindings: the time of a cluster, as the package is installed.
import { lintAs } from 'xdscope';

const content = JSON.stringify(Array.from({ length: 5000 }, (_, i) => ({
  '@type': 'type.googleapis.com/envoy.config.cluster.v3.Cluster', name: `c${i}`, type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } },
})));
let best = Infinity;
for (let i = 0; i < 10; i++) {
  const start = performance.now();
  await lintAs('json', [{ name: 'c.json', content }]);
  best = Math.min(best, (performance.now() - start) * 1000 / 5000);
}
console.log(`${best.toFixed(1)} us for a cluster`);
