import { accounts } from './accounts.ts'
import { apiKeys } from './api-keys.ts'
import { deviceLogin } from './device-login.ts'
import type { Endpoint } from './endpoint.ts'
import { feedback } from './feedback.ts'
import { files, objects } from './files.ts'
import { invites } from './invites.ts'
import { oauth } from './oauth.ts'
import { operations } from './operations.ts'
import { organization } from './organization.ts'
import { passkeys } from './passkeys.ts'
import { security } from './security.ts'
import { signIn } from './sign-in.ts'
import { workspaces } from './workspaces.ts'

/** The whole API, by noun. */
export const contract = {
  accounts,
  signIn,
  oauth,
  passkeys,
  security,
  organization,
  invites,
  workspaces,
  apiKeys,
  deviceLogin,
  files,
  objects,
  feedback,
  operations,
}

export type Contract = typeof contract

export const endpoints: Endpoint[] = Object.values(contract).flatMap((group) => Object.values(group))
