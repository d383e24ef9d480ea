import type { Duplex } from 'node:stream';

/** How an API server is reached, and as whom. */
export interface KubeAccess {
  /** Such as https://10.0.0.5:6443. */
  readonly server: string;
  /** PEM of the authorities that may vouch for the server. */
  readonly certificateAuthority?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly token?: string;
  /** The name that the server's certificate must be for, where it is not the server's address. */
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
  /** Makes a connection to the server some other way than by its address. */
  readonly connect?: () => Duplex;
}
