import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clusterAttributes, drawName, drawStackName, parseBody } from '@jeroboam/domain';

/** What Math.random may give: at least 0, less than 1. */
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const chances = fc.infiniteStream(chance).map((stream) => () => stream.next().value as number);

describe('a drawn name', () => {
  test('is a Greek letter, a number from 1 to 24, and what it names', () => {
    expect(drawName('cluster', () => 0)).toBe('alpha-1-cluster');
    expect(drawName('template', () => 0.9999)).toBe('omega-24-template');
  });

  test('is a valid cluster name whatever chance brings', () => {
    fc.assert(
      fc.property(chances, (random) => {
        const name = drawName('cluster', random);
        expect(name).toMatch(/^[a-z]+-([1-9]|1\d|2[0-4])-cluster$/);
        expect(parseBody(clusterAttributes, { name, cluster_template_id: 'x' })).toHaveProperty('name', name);
      }),
    );
  });
});

describe('the name a driver knows a cluster by', () => {
  test('begins with the cluster’s and ends in twelve characters of chance', () => {
    expect(drawStackName('prod', () => 0)).toBe('prod-aaaaaaaaaaaa');
    expect(drawStackName('prod', () => 0.9999)).toBe('prod-999999999999');
  });

  test('is a label Kubernetes accepts, for every valid cluster name', () => {
    const name = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_.-]{0,241}$/);
    fc.assert(
      fc.property(name, chances, (cluster, random) => {
        const stack = drawStackName(cluster, random);
        expect(stack).toMatch(/^[a-z][a-z0-9-]*-[a-z0-9]{12}$/);
        expect(stack.length).toBeLessThanOrEqual(43);
      }),
    );
  });
});
