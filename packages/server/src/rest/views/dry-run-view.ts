import type { DryRun } from '../../dry-run.ts';
import type { Answer } from '../operation.ts';

/** What would have happened; always a success, since the question was answered. */
export const dryRunAnswer = ({ dryRun }: DryRun): Answer => ({ status: 200, body: dryRun });
