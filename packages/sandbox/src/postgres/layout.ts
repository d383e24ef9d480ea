import path from 'node:path';

/** What lies where inside the directory that a caller gives us; only `data` is PostgreSQL's own. */
export interface Layout {
  directory: string;
  data: string;
  password: string;
  log: string;
  socket: string;
  pidFile: string;
  configuration: string;
}

export function layoutOf(directory: string): Layout {
  const data = path.join(directory, 'data');
  return {
    directory,
    data,
    password: path.join(directory, 'password'),
    log: path.join(directory, 'postgres.log'),
    socket: path.join(directory, 'socket'),
    pidFile: path.join(data, 'postmaster.pid'),
    configuration: path.join(data, 'postgresql.conf'),
  };
}

/** The superuser of the cluster and the database that `connectionString()` leads to. */
export const superuser = 'jeroboam';
export const defaultDatabase = 'jeroboam';
