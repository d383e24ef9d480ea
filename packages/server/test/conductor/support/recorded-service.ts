import { makeTemplate } from '../../support/clusters.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/test-service.ts';
import { RecordingDriver } from './recording-driver.ts';

export interface RecordedService {
  service: TestService;
  driver: RecordingDriver;
  /** A template whose clusters the recording driver makes. */
  template: string;
  /** Accepts a cluster and does not wait for it. */
  accept: (name: string, body?: Record<string, unknown>) => Promise<string>;
}

/** A service with a driver that the test looks over the shoulder of. */
export async function startRecordedService(options: TestServiceOptions = {}): Promise<RecordedService> {
  const driver = new RecordingDriver();
  const service = await startTestService({ ...options, drivers: [driver] });
  const template = await makeTemplate(service, 'demo', { driver: 'recording' });
  return {
    service,
    driver,
    template,
    async accept(name, body = {}) {
      const answer = await service.request('demo', 'POST', '/v1/clusters', {
        name,
        cluster_template_id: template,
        ...body,
      });
      if (answer.status !== 202) throw new Error(`no cluster: ${answer.status} ${answer.text}`);
      return answer.body.uuid as string;
    },
  };
}
