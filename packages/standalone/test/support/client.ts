import { readFileSync } from 'node:fs';
import path from 'node:path';

import { parse } from 'yaml';

import { signIn } from './service.ts';

export type Answer = Record<string, unknown>;
export type Ask = (method: string, route: string, body?: unknown) => Promise<Answer>;

interface Clouds {
  clouds: Record<
    string,
    { auth: { auth_url: string; username: 'demo'; password: string; project_name: string } }
  >;
}

/** Asks a started service as the user of its clouds file does. */
export async function clientOf(url: string, dataDir: string): Promise<Ask> {
  const { clouds } = parse(readFileSync(path.join(dataDir, 'clouds.yaml'), 'utf8')) as Clouds;
  const auth = clouds['jeroboam']?.auth;
  if (auth === undefined) throw new Error('the clouds file has no cloud jeroboam');
  const { username, password, project_name: project } = auth;
  const user = { cloud: 'jeroboam', username, password, project };
  const token = await signIn({ authUrl: auth.auth_url, users: [user] }, 'jeroboam');
  const headers = {
    'x-auth-token': token,
    'content-type': 'application/json',
    'openstack-api-version': 'container-infra latest',
  };
  return async (method, route, body) => {
    const answer = await fetch(`${url}${route}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Answer);
  };
}

/** A template that the sandbox cloud can serve, with whatever is asked for beyond. */
export const template = {
  coe: 'kubernetes',
  image_id: 'ubuntu-kube-v1.31',
  flavor_id: 'm1.small',
  master_flavor_id: 'm1.small',
  external_network_id: 'public',
  master_lb_enabled: true,
};
