export type { Caller } from './caller.ts';
export { IdentityUnavailable } from './identity-unavailable.ts';
export { identityUnavailableReply, unauthorizedReply } from './replies.ts';
export type { IdentityReply } from './replies.ts';
export { createTokenValidator } from './token-validator.ts';
export type { KeystoneSettings, TokenValidator, TokenValidatorOptions } from './token-validator.ts';
