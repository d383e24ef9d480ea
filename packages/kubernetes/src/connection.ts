import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import type { KubeAccess } from './access.ts';

/** Connections that are kept for further requests; watches hold one each while they last. */
const maxSockets = 64;

/** The agent that makes connections to an API server, with the client's certificate where there is one. */
export function agentFor(access: KubeAccess): http.Agent {
  const url = new URL(access.server);
  const { connect } = access;
  if (url.protocol === 'http:') return new http.Agent({ keepAlive: true, maxSockets });
  const options: https.AgentOptions = {
    keepAlive: true,
    maxSockets,
    ...(access.certificateAuthority === undefined ? {} : { ca: access.certificateAuthority }),
    ...(access.clientCertificate === undefined ? {} : { cert: access.clientCertificate }),
    ...(access.clientKey === undefined ? {} : { key: access.clientKey }),
    ...(access.serverName === undefined ? {} : { servername: access.serverName }),
    ...(access.insecureSkipVerify === true ? { rejectUnauthorized: false } : {}),
  };
  if (connect === undefined) return new https.Agent(options);
  return new ForwardedAgent(options, connect);
}

/** Speaks TLS over connections that somebody else makes. */
class ForwardedAgent extends https.Agent {
  readonly #connect: () => Duplex;

  constructor(options: https.AgentOptions, connect: () => Duplex) {
    super(options);
    this.#connect = connect;
  }

  override createConnection(options: https.RequestOptions): Duplex {
    return tls.connect({
      ...(options as tls.ConnectionOptions),
      socket: this.#connect(),
      host: undefined,
      port: undefined,
      path: undefined,
    });
  }
}
