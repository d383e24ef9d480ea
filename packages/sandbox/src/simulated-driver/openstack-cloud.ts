import { findFlavor, findImage, type Session } from '@jeroboam/openstack';
import type { SimulatedCloud } from './simulated-driver.ts';

/** Looks things up over the cloud's own API, as a real driver would. */
export const simulatedCloud = (session: Session): SimulatedCloud => ({
  async flavor(ident) {
    const found = await findFlavor(session, ident);
    return found.kind === 'found' ? found.value : null;
  },
  async imageProperty(ident, property) {
    const found = await findImage(session, ident);
    return found.kind === 'found' ? (found.value.properties[property] ?? null) : null;
  },
});
