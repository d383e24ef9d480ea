/** A user's name is unique only within a domain, so each name comes with the domain it is to be looked up in. */
export interface PasswordCredentials {
  readonly kind: 'password';
  readonly username: string;
  readonly password: string;
  readonly userDomainName: string;
  readonly projectName: string;
  readonly projectDomainName: string;
}

/** Bound to one project by Keystone itself, which is why no scope is asked for. */
export interface ApplicationCredential {
  readonly kind: 'application-credential';
  readonly id: string;
  readonly secret: string;
}

export type Credentials = PasswordCredentials | ApplicationCredential;

/** The body of `POST /v3/auth/tokens`. */
export function authRequest(credentials: Credentials): unknown {
  if (credentials.kind === 'application-credential') {
    const { id, secret } = credentials;
    return {
      auth: { identity: { methods: ['application_credential'], application_credential: { id, secret } } },
    };
  }
  const { username, password, userDomainName, projectName, projectDomainName } = credentials;
  return {
    auth: {
      identity: {
        methods: ['password'],
        password: { user: { name: username, domain: { name: userDomainName }, password } },
      },
      scope: { project: { name: projectName, domain: { name: projectDomainName } } },
    },
  };
}

/** What of the credentials must not appear in a message. */
export function secretOf(credentials: Credentials): string {
  return credentials.kind === 'password' ? credentials.password : credentials.secret;
}

/** Who the credentials are for, in words that may be logged. */
export function describeCredentials(credentials: Credentials): string {
  return credentials.kind === 'password'
    ? `user "${credentials.username}" in project "${credentials.projectName}"`
    : `application credential ${credentials.id}`;
}
