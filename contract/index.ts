import { accounts } from './accounts.ts'
import { apiKeys } from './api-keys.ts'
import { backups } from './backups.ts'
import { canvas } from './canvas.ts'
import { deviceLogin } from './device-login.ts'
import type { Endpoint } from './endpoint.ts'
import { feedback } from './feedback.ts'
import { files, objects } from './files.ts'
import { invites } from './invites.ts'
import { live } from './live.ts'
import { oauth } from './oauth.ts'
import { operations } from './operations.ts'
import { organization } from './organization.ts'
import { passkeys } from './passkeys.ts'
import { projects } from './projects.ts'
import { runs } from './runs.ts'
import { security } from './security.ts'
import { sharing } from './sharing.ts'
import { signIn } from './sign-in.ts'
import { webhooks } from './webhooks.ts'
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
  projects,
  canvas,
  runs,
  backups,
  live,
  sharing,
  files,
  objects,
  webhooks,
  feedback,
  operations,
}

export type Contract = typeof contract

export const endpoints: Endpoint[] = Object.values(contract).flatMap((group) => Object.values(group))
