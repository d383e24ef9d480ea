import { expect } from 'vitest';
import {
  clusterRequest,
  clusterTemplateAsSource,
  magnumClusterRequest,
  requestedGroups,
  withGroups,
  type ClusterDraft,
  type Draft,
  type ResolvedCluster,
  type ResolvedGroup,
  type Values,
} from '@jeroboam/domain';
import { fromGroupTemplate, fromTemplate } from './specs.ts';

const template = {
  image_id: 'ubuntu',
  flavor_id: 'small',
  master_flavor_id: 'medium',
  network_driver: 'calico',
};

/** A template that leaves nothing missing, with more that it says, and its groups. */
export const fromRow = (values: Values = {}, groups: readonly Values[] = []): ClusterDraft =>
  clusterTemplateAsSource(
    { ...template, ...values },
    groups.map((group) => ({ template: group, origin: fromGroupTemplate })),
    fromTemplate,
  );

export interface Item extends Values {
  /** What the group is made from. */
  source?: Draft;
}

/** A request with extensions as it is sent. */
export const request = (
  body: Values = {},
  groups: readonly Item[] | null = null,
  merges = false,
): ClusterDraft =>
  withGroups(
    clusterRequest({ ...body }),
    groups === null
      ? null
      : requestedGroups(
          groups.map(({ source, ...item }) => ({
            item,
            source: source === undefined ? null : { name: null, draft: source },
          })),
        ),
    merges,
  );

/** A request of Magnum's own. */
export const magnum = (body: Values): ClusterDraft =>
  withGroups(magnumClusterRequest({ ...body }), null, false);

export const groupOf = (made: ResolvedCluster, name: string): ResolvedGroup => {
  const found = made.groups.find(({ spec }) => spec.name === name);
  return found ?? expect.fail(`there is no group ${name}`);
};

export const names = (made: ResolvedCluster): string[] => made.groups.map(({ spec }) => spec.name);

export const fields = (made: ResolvedCluster): (string | undefined)[] =>
  made.problems.map(({ field }) => field);
