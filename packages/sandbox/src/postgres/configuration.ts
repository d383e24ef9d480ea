import { readFileSync } from 'node:fs';

import type { Account } from './account.ts';
import { replaceFile } from './files.ts';
import type { Layout } from './layout.ts';

/** A small server on a machine that has other things to do; what keeps data safe is not negotiable here. */
const defaults: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  password_encryption: 'scram-sha-256',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '120',
  shared_buffers: '96MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '512MB',
  huge_pages: 'off',
  // No replicas hang on it, so the log need only carry it through a crash.
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '64MB',
  max_wal_size: '512MB',
  checkpoint_completion_target: '0.9',
  max_worker_processes: '4',
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  jit: 'off',
  // Flash storage, where a random page costs hardly more than the next one.
  random_page_cost: '1.1',
  log_line_prefix: '%m [%p] ',
  log_timezone: 'UTC',
  timezone: 'UTC',
  datestyle: 'iso, mdy',
  lc_messages: 'C',
};

export function renderConfiguration(settings: Record<string, string>): string {
  const lines = Object.entries({ ...defaults, ...settings }).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`,
  );
  return ['# Written at every start; changes belong into the settings of the service.', ...lines, ''].join(
    '\n',
  );
}

/** Answers whether the file already said the same, so that a server which runs by it may go on. */
export function writeConfiguration(
  layout: Layout,
  account: Account | undefined,
  settings: Record<string, string>,
): boolean {
  const wanted = renderConfiguration(settings);
  if (readFileSync(layout.configuration, 'utf8') === wanted) return true;
  replaceFile(layout.configuration, wanted, account);
  return false;
}
