import type { PythonEnvironment } from './python.ts';
import type { Report } from './report.ts';
import type { PeerService } from './service.ts';

/** What a suite works with. */
export interface Surroundings {
  readonly service: PeerService;
  /** A directory of the suite's own, gone after the run. */
  readonly directory: string;
  readonly report: Report;
}

export interface PythonSurroundings extends Surroundings {
  readonly python: PythonEnvironment;
}
