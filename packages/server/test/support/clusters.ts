import type { Person, TestAnswer, TestService } from './test-service.ts';

/** What most templates of the tests look like. */
export const templateBody = {
  name: 'template',
  coe: 'kubernetes',
  image_id: 'ubuntu-kube-v1.31',
  external_network_id: 'public',
  flavor_id: 'm1.small',
  master_flavor_id: 'm1.small',
  keypair_id: 'default',
};

export async function makeTemplate(
  service: TestService,
  person: Person,
  body: Record<string, unknown> = {},
): Promise<string> {
  const answer = await service.request(person, 'POST', '/v1/clustertemplates', { ...templateBody, ...body });
  if (answer.status !== 201) throw new Error(`no template: ${answer.status} ${answer.text}`);
  return answer.body.uuid as string;
}

/** Creates a cluster and waits until it is complete. */
export async function makeCluster(
  service: TestService,
  person: Person,
  template: string,
  body: Record<string, unknown> = {},
): Promise<string> {
  const answer = await service.request(person, 'POST', '/v1/clusters', {
    cluster_template_id: template,
    ...body,
  });
  if (answer.status !== 202) throw new Error(`no cluster: ${answer.status} ${answer.text}`);
  await settled(service, person, answer.body.uuid as string);
  return answer.body.uuid as string;
}

const limitMs = 20_000;

/** The cluster once nothing is in progress on it; 404 counts as settled. */
export async function settled(service: TestService, person: Person, cluster: string): Promise<TestAnswer> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await service.request(person, 'GET', `/v1/clusters/${cluster}`);
    if (answer.status !== 200 || !String(answer.body.status).endsWith('_IN_PROGRESS')) return answer;
    if (Date.now() > deadline) throw new Error(`cluster ${cluster} is still ${answer.body.status}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
