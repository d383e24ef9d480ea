import { makeCluster, makeTemplate, settled } from '../../support/clusters.ts';
import type { Person, TestService } from '../../support/test-service.ts';

/** A template, a cluster from it, a group in that and a template of a group, all made by one person. */
export interface Scene {
  owner: Person;
  project: string;
  template: string;
  templateName: string;
  cluster: string;
  clusterName: string;
  nodeGroup: string;
  nodeGroupName: string;
  nodeGroupTemplate: string;
  nodeGroupTemplateName: string;
}

let scenes = 0;

/** Everything in it carries a word of its owner's, so that it can be seen where it must not be. */
export async function makeScene(
  service: TestService,
  owner: Person,
  template: Record<string, unknown> = {},
): Promise<Scene> {
  scenes += 1;
  const word = `${owner}s-zebra-${scenes}`;
  const templateName = `${word}-template`;
  const templateUuid = await makeTemplate(service, owner, {
    name: templateName,
    labels: { [`${word}-label`]: `${word}-value` },
    http_proxy: `http://${word}.example`,
    tags: `${word}-tag`,
    ...template,
  });
  const clusterName = `${word}-cluster`;
  const cluster = await makeCluster(service, owner, templateUuid, {
    name: clusterName,
    labels: { [`${word}-own-label`]: `${word}-own-value` },
    merge_labels: true,
  });
  const nodeGroupName = `${word}-group`;
  const group = await service.request(owner, 'POST', `/v1/clusters/${cluster}/nodegroups`, {
    name: nodeGroupName,
    node_labels: { [`${word}-node-label`]: `${word}-node-value` },
  });
  if (group.status !== 202) throw new Error(`no node group: ${group.status} ${group.text}`);
  const nodeGroupTemplateName = `${word}-group-template`;
  const groupTemplate = await service.request(owner, 'POST', '/v1/nodegrouptemplates', {
    name: nodeGroupTemplateName,
    flavor_id: 'm1.small',
    node_labels: { [`${word}-template-label`]: `${word}-template-value` },
    tags: `${word}-group-tag`,
  });
  if (groupTemplate.status !== 201)
    throw new Error(`no node-group template: ${groupTemplate.status} ${groupTemplate.text}`);
  await settled(service, owner, cluster);
  const people: Partial<Record<Person, string>> = { bob: 'second', admin: 'admin' };
  return {
    owner,
    project: service.vars[`project.${people[owner] ?? 'demo'}`] ?? '',
    template: templateUuid,
    templateName,
    cluster,
    clusterName,
    nodeGroup: group.body.uuid as string,
    nodeGroupName,
    nodeGroupTemplate: groupTemplate.body.uuid as string,
    nodeGroupTemplateName,
  };
}
