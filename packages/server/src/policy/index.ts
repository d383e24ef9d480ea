export type { PolicyCredentials, PolicyTarget } from './compile-check.ts';
export { DEFAULT_RULES } from './default-rules.ts';
export type { DefaultRule } from './default-rules.ts';
export { HELPER_RULES } from './helper-rules.ts';
export { compilePolicy } from './policy.ts';
export type { Policy } from './policy.ts';
export { PolicyError } from './policy-error.ts';
export type { PolicyProblem } from './policy-error.ts';
export type { PolicyFile } from './policy-file.ts';
