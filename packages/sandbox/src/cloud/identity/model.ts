/** What Keystone keeps. Field names are those of its API, so that most views are the object itself. */

export interface Domain {
  id: string;
  name: string;
  description: string;
  enabled: boolean;
}

export interface Project {
  id: string;
  name: string;
  domain_id: string;
  description: string;
  enabled: boolean;
  parent_id: string;
  tags: string[];
}

export interface User {
  id: string;
  name: string;
  domain_id: string;
  enabled: boolean;
  default_project_id?: string;
  description?: string;
  email?: string;
  /** Fields that Keystone does not know and gives back as they came. */
  extra?: Record<string, unknown>;
  passwordHash?: string;
  /** Tokens issued before this moment (ms) are void: set when the password changes or the user is disabled. */
  tokensValidFrom?: number;
}

export interface Role {
  id: string;
  name: string;
  description: string | null;
  /** The roles every Keystone is born with cannot be changed or deleted. */
  immutable: boolean;
}

/** Where a role holds. */
export type Target = { project: string } | { domain: string } | { system: 'all' };

export interface Assignment {
  userId: string;
  roleId: string;
  target: Target;
}

export interface ApplicationCredential {
  id: string;
  name: string;
  description: string | null;
  user_id: string;
  project_id: string;
  /** Milliseconds; absent when it never expires. */
  expiresAt?: number;
  /** The same as text. */
  expires_at?: string;
  unrestricted: boolean;
  roleIds: string[];
  secretHash: string;
}

export interface ServiceRecord {
  id: string;
  type: string;
  name: string;
  description: string;
  enabled: boolean;
}

export interface EndpointRecord {
  id: string;
  service_id: string;
  interface: EndpointInterface;
  region_id: string;
  /** May hold `$(sandbox_url)s`, `$(container_infra_url)s` and `$(project_id)s`. */
  url: string;
  enabled: boolean;
}

export type EndpointInterface = 'public' | 'internal' | 'admin';

export interface RegionRecord {
  id: string;
  description: string;
  parent_region_id: string | null;
}

export const DEFAULT_DOMAIN = 'default';
