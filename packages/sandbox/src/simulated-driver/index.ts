export { SimulatedDriver, type SimulatedCloud, type SimulatedDriverOptions } from './simulated-driver.ts';
export { simulatedCloud } from './openstack-cloud.ts';
