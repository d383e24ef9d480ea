import type { DriverRegistry, NetworkDriverPolicy } from '@jeroboam/domain';
import type { Logger } from 'pino';
import type { SigningRules } from './certificates/index.ts';
import type { KeystoneSettings } from './identity/index.ts';
import type { Policy } from './policy/index.ts';
import type { KeyRing } from './sealing/index.ts';

/** All that a server needs to know; who starts it reads files, flags and variables. */
export interface ServerOptions {
  database: { connectionString: string; maxConnections?: number };
  keystone: KeystoneSettings & {
    /** Where clients are told to get a token; the address above when absent. */
    publicAuthUrl?: string;
    interface?: 'public' | 'internal' | 'admin';
    /** For how long a revoked token may still be honoured. */
    cacheSeconds?: number;
  };
  drivers: DriverRegistry;
  policy: Policy;
  keyRing: KeyRing;
  /** Reads the keys anew, where they can change while the server runs. */
  reloadKeyRing?: () => Promise<KeyRing>;
  api: ApiOptions;
  /** Where metrics are served; null: nowhere. */
  metrics: { host: string; port: number } | null;
  /** The cluster limit of projects that have none of their own. */
  maxClustersPerProject: number;
  networkDrivers: NetworkDriverPolicy;
  defaultBootVolumeSize: number;
  certificates: CertificateOptions;
  logger: Logger;
  /** The name under which this conductor shows in the list of services. */
  hostname: string;
  /** Milliseconds between signs of life. */
  heartbeatMs?: number;
  deadlines?: Deadlines;
  notifications?: {
    /** Where notifications are posted, beside the log; null: nowhere. */
    webhookUrl: string | null;
  };
  /** Milliseconds after which a step of the conductor is given up and tried anew. */
  stepLimitMs?: number;
}

/** After how many minutes what is not done has failed; 0: never. Of a creation its `create_timeout` tells. */
export interface Deadlines {
  updateMinutes?: number;
  deleteMinutes?: number;
}

export interface ApiOptions {
  host: string;
  port: number;
  /** How clients reach the service; the request's own host when null. */
  publicUrl: string | null;
  /** The longest page of a list. */
  maxLimit: number;
  /** The largest request body, in bytes. */
  bodyLimit: number;
  /** Believe X-Forwarded-Proto and -Host: only behind a proxy that sets them. */
  trustProxyHeaders: boolean;
}

export interface CertificateOptions {
  rsaKeySize: number;
  signing: SigningRules;
  /** Let every member of the project fetch and sign, not only the user who made the cluster. */
  forProjectMembers: boolean;
}
