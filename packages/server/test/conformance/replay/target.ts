import { readFileSync } from 'node:fs';
import { startTestService } from '../../support/test-service.ts';
import type { Target } from './session.ts';

/** A service to replay against, and how to end it. */
export interface OpenTarget extends Target {
  close(): Promise<void>;
}

/**
 * Starts a service of our own, or takes the one that CONFORMANCE_TARGET names: a JSON file with `baseUrl`, `tokens`
 * and `vars`. The latter lets the same suite look at a service that runs elsewhere, Magnum itself included.
 */
export async function openTarget(): Promise<OpenTarget> {
  const file = process.env['CONFORMANCE_TARGET'];
  if (file) {
    const target = JSON.parse(readFileSync(file, 'utf8')) as Target;
    return { ...target, baseUrl: target.baseUrl.replace(/\/$/, ''), close: () => Promise.resolve() };
  }
  const service = await startTestService();
  const { url, tokens, vars } = service;
  return { baseUrl: url.replace(/\/$/, ''), tokens, vars, close: () => service.close() };
}
